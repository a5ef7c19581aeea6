// Agents: how they come and go, are kept, moved to another asset and updated. See session.h.
#include "replay/session.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

constexpr std::uint64_t kAgentOverhead_bytes = 256;                      // of an agent or a snapshot, beside its block
constexpr std::uint64_t kMaxKeptSteps = std::uint64_t{4} * 1024 * 1024;  // of all agents together
constexpr std::uint64_t kMaxAgentsEver = 16 * std::uint64_t{kMaxAgents};

}  // namespace

// ---- Agents come and go

Session::Faults Session::take_memory(std::uint64_t agent_count, text::Span span) {
  memory_bytes_ += agent_count * (agent_bytes(tree_) + kAgentOverhead_bytes);
  if (memory_bytes_ <= kMaxAgentMemory_bytes) return std::nullopt;
  return LineFault{Rule::TRC_too_much, span, "agents and snapshots would take more than a GiB of memory"};
}

Session::Faults Session::add_agents(std::uint32_t count, text::Span span) {
  if (count > kMaxAgents - living_count_ || agents_.size() + count > kMaxAgentsEver) {
    return LineFault{Rule::TRC_too_much, span, "a replay has at most " + std::to_string(kMaxAgents) + " agents"};
  }
  if (auto fault = take_memory(count, span)) return fault;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto agent = std::make_unique<Agent>();
    agent->state.block.resize(agent_bytes(tree_) / sizeof(std::uint64_t));
    start(tree_, agent->state.block.data());
    agents_.push_back(std::move(agent));
  }
  living_count_ += count;
  return std::nullopt;
}

Session::Faults Session::run_spawn(const Line& line) {
  const auto first = static_cast<std::uint32_t>(agents_.size());
  if (auto fault = add_agents(static_cast<std::uint32_t>(line.value->number), line.value->span)) return fault;
  several_agents_ = true;
  const std::size_t count = agents_.size() - first;
  if (count == 1) remark(first, "is spawned");
  if (count > 1) remark(first, "to agent " + std::to_string(agents_.size() - 1) + " are spawned");
  return std::nullopt;
}

Session::Faults Session::run_destroy(const Line& line) {
  const auto index = static_cast<std::uint32_t>(line.value->number);
  if (agent(index) == nullptr) return no_agent(index, line.value->span);
  remark(index, "is destroyed");
  current_agent_ = index;
  stop(tree_, agents_[index]->state.block.data(), host());
  kept_steps_ -= agents_[index]->steps.size();
  memory_bytes_ -= agent_bytes(tree_) + kAgentOverhead_bytes;
  agents_[index].reset();
  --living_count_;
  return std::nullopt;
}

Session::Faults Session::run_save(const Line& line) {
  const std::string& label = line.value->string;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    const auto [snapshot, is_new] = snapshots_.try_emplace({index, label});
    if (is_new) {
      if (auto fault = take_memory(1 + label.size() / kAgentOverhead_bytes, line.value->span)) return fault;
    }
    snapshot->second = agents_[index]->state;
    remark(index, "is saved as " + text::quoted(label));
    return std::nullopt;
  });
}

Session::Faults Session::run_restore(const Line& line) {
  const std::string& label = line.value->string;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    const auto snapshot = snapshots_.find({index, label});
    if (snapshot == snapshots_.end()) {
      std::vector<std::string_view> labels;
      for (auto i = snapshots_.lower_bound({index, ""}); i != snapshots_.end() && i->first.first == index; ++i) {
        labels.push_back(i->first.second);
      }
      return LineFault{Rule::TRC_unknown_snapshot, line.value->span,
                       "nothing was saved as " + text::quoted(label) + " for agent " + std::to_string(index) +
                           (is_reloaded_ ? " since the last reload" : ""),
                       text::did_you_mean(label, labels)};
    }
    agents_[index]->state = snapshot->second;
    remark(index, "is restored as " + text::quoted(label));
    return std::nullopt;
  });
}

// ---- Reloading

// Variables and scripts are carried over by name; what runs is left, and selected anew at the next update.
Session::Faults Session::run_reload(const Line& line) {
  const std::string& path = line.value->string;
  const auto fault = [&](std::string message, std::string hint = {}) {
    return LineFault{Rule::TRC_cannot_reload, line.value->span, std::move(message), std::move(hint)};
  };
  std::string reason = "traces cannot reload here";
  const Asset* loaded = options_.load ? options_.load(path, &reason) : nullptr;
  if (loaded == nullptr) return fault("cannot reload " + text::quoted(path) + ": " + reason);
  Tree new_tree;
  if (find_tree(*loaded, tree_name(tree_), &new_tree) != Status::ok) {
    return fault(text::quoted(path) + " has no tree " + text::quoted(tree_name(tree_)),
                 "there are " + listed(tree_names(*loaded)));
  }
  const Tree old_tree = tree_;
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    remark(index, "moves to " + text::quoted(path));
    current_agent_ = index;
    stop(old_tree, agents_[index]->state.block.data(), host());
  }
  snapshots_.clear();
  kept_steps_ = 0;
  memory_bytes_ = 0;
  is_reloaded_ = true;
  asset_ = loaded;
  tree_ = new_tree;
  bind_behaviors();
  if (auto too_much = take_memory(living_count_, line.value->span)) return too_much;
  for (const std::unique_ptr<Agent>& agent : agents_) {
    if (agent != nullptr) move_agent(*agent, old_tree);
  }
  return std::nullopt;
}

void Session::move_agent(Agent& agent, const Tree& old_tree) const {
  std::vector<std::uint64_t> block(agent_bytes(tree_) / sizeof(std::uint64_t));
  start(tree_, block.data());
  for (std::uint32_t i = 0; i < variable_count(old_tree); ++i) {
    std::uint32_t id = 0;
    if (find_variable(tree_, variable_name(old_tree, i), &id) != Status::ok) continue;
    espalier::set(tree_, block.data(), id, variable(old_tree, agent.state.block.data(), i));
  }
  std::map<std::uint32_t, Script> scripts;
  for (auto& [behavior, script] : agent.scripts) {
    const auto id = behavior_ids_.find(behavior_name(*old_tree.asset, behavior));
    if (id != behavior_ids_.end()) scripts[id->second] = std::move(script);
  }
  agent.state.block = std::move(block);
  agent.scripts = std::move(scripts);
  agent.steps.clear();
}

// ---- Updates and the host

bool Session::update_settles(std::uint32_t index) {
  Agent& agent = *agents_[index];
  current_agent_ = index;
  before_ = agent.state.block;
  Update update{index, current_leaf(tree_, before_.data()), kNoLeaf, {}};
  const Result status = listener_.change ? update_keeping_steps(agent, update)
                                         : espalier::update(tree_, agent.state.block.data(), host());
  const bool is_new_status = agent.state.status != status;
  agent.state.status = status;
  if (is_new_status) emit(EventKind::status, status == Result::running ? "running" : "failure");
  update.new_leaf = current_leaf(tree_, agent.state.block.data());
  if (listener_.change && (is_new_status || update.new_leaf != update.old_leaf)) listener_.change(update);
  if (kept_steps_ > kMaxKeptSteps) {
    kept_steps_ -= agent.steps.size();
    agent.steps = {};
  }
  return !is_new_status && before_ == agent.state.block;
}

// The steps of the last evaluation stay with the agent; those of the one before go to `update`.
Result Session::update_keeping_steps(Agent& agent, Update& update) {
  std::vector<Step> steps;
  const Watcher watcher = {[](void* user, const Step& step) { static_cast<std::vector<Step>*>(user)->push_back(step); },
                           &steps};
  const Result status = update_watched(tree_, agent.state.block.data(), host(), watcher);
  if (steps.empty()) return status;  // nothing was evaluated
  kept_steps_ -= agent.steps.size();
  update.old_steps = std::move(agent.steps);
  agent.steps = std::move(steps);
  kept_steps_ += agent.steps.size();
  return status;
}

// Does the host take the behaviour, or refuse it?
bool Session::takes(Agent& agent, std::uint32_t behavior) {
  const auto found = agent.scripts.find(behavior);
  if (found == agent.scripts.end()) {
    if (is_scripted_ || options_.strict) unscripted_.push_back(behavior);
    return true;
  }
  Script& script = found->second;
  const bool refuses = script.refuses[script.next];
  if (script.next + 1 < script.refuses.size()) ++script.next;
  return !refuses;
}

void Session::bind_behaviors() {
  const std::uint32_t count = behavior_count(*asset_);
  behaviors_.assign(count, Behavior{enter_behavior, leave_behavior, nullptr});
  behavior_ids_.clear();
  for (std::uint32_t i = 0; i < count; ++i) behavior_ids_[behavior_name(*asset_, i)] = i;
}

void Session::enter_behavior(const Call& call) {
  Session& session = *static_cast<Session*>(call.host);
  Agent& agent = *session.agents_[session.current_agent_];
  agent.state.is_refused = !session.takes(agent, call.behavior);
  session.emit(agent.state.is_refused ? EventKind::refuse : EventKind::enter, session.behavior_text(call.behavior));
}

void Session::leave_behavior(const Call& call) {
  Session& session = *static_cast<Session*>(call.host);
  if (session.agents_[session.current_agent_]->state.is_refused) return;
  session.emit(EventKind::leave, session.behavior_text(call.behavior));
}

}  // namespace espalier::replay

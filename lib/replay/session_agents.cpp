// Agents: how they are created, destroyed, saved, and moved to another asset. See session.h.
#include "replay/script_host.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

constexpr std::uint64_t kAgentOverhead_bytes = 256;   // of an agent or a snapshot, in addition to its block
constexpr std::uint64_t kAnswerOverhead_bytes = 128;  // of a name that is scripted for an agent
constexpr std::uint64_t kMaxAgentsEver = 16 * std::uint64_t{kMaxAgents};

LineFault script_memory_fault(text::Span span) {
  return {Rule::TRC_limit_exceeded, span, "the values of the agent's scripts need more memory than scripts may have"};
}

std::size_t words_for(std::size_t bytes) { return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t); }

std::vector<std::uint64_t> agent_block(const Tree& tree) {
  return std::vector<std::uint64_t>(words_for(agent_bytes(tree)));
}

}  // namespace

// ---- Creating and destroying agents

Session::Faults Session::take_memory(std::uint64_t bytes, text::Span span) {
  memory_bytes_ += bytes;
  if (memory_bytes_ <= kMaxAgentMemory_bytes) return std::nullopt;
  return LineFault{Rule::TRC_limit_exceeded, span, "agents and snapshots need more than 1 GiB of memory"};
}

std::uint64_t Session::state_bytes(const AgentState& state) const {
  return agent_bytes(tree_) + kAgentOverhead_bytes + state.queue.size() * sizeof state.queue[0];
}

std::uint64_t Session::answer_bytes(const Agent& agent) {
  std::uint64_t bytes = 0;
  for (const auto& [name, answers] : agent.answers) bytes += kAnswerOverhead_bytes + name.size();
  return bytes;
}

void Session::bind_tree(const Tree& tree) {
  tree_ = tree;
  strategy_ = &strategy_of(engine_of_tree(tree));
  shared_.assign(words_for(shared_bytes(tree)), 0);
  group_.assign(words_for(group_bytes(*asset_)), 0);
  scratch_.assign(words_for(scratch_bytes(tree)), 0);
  start_shared(tree, shared_.data());
  start_group(*asset_, group_.data());
  if (strategy_->has_scripts && !scripts_)
    scripts_.emplace(*asset_, seed_, script::Limits(), ScriptHost::functions(*this));
  behaviors_.assign(behavior_count(*asset_), strategy_->behavior);
  conditions_.assign(host_condition_count(*asset_), strategy_->condition);
  host_names_.clear();
  for (std::uint32_t i = 0; i < behaviors_.size(); ++i) host_names_.emplace(behavior_name(*asset_, i), true);
  for (std::uint32_t i = 0; i < conditions_.size(); ++i) host_names_.emplace(host_condition_name(*asset_, i), false);
  if (strategy_->names != nullptr) strategy_->names(*this);
}

Session::Faults Session::add_agents(std::uint32_t count, text::Span span) {
  if (count > kMaxAgents - living_count_ || agents_.size() + count > kMaxAgentsEver) {
    return LineFault{Rule::TRC_limit_exceeded, span,
                     "too many agents: " + std::to_string(std::uint64_t{living_count_} + count) + ", at most " +
                         std::to_string(kMaxAgents)};
  }
  if (auto fault = take_updates(count, span)) return fault;
  if (auto fault = take_memory(count * state_bytes({}), span)) return fault;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto agent = std::make_unique<Agent>();
    agent->state.block = agent_block(tree_);
    start(tree_, agent->state.block.data());
    seed(tree_, agent->state.block.data(), seed_ + (std::uint64_t{agents_.size()} << 32));
    const auto index = static_cast<std::uint32_t>(agents_.size());
    if (scripts_) scripts_->add_agent(index, "agent " + std::to_string(index));
    agents_.push_back(std::move(agent));
  }
  living_count_ += count;
  return std::nullopt;
}

Session::Faults Session::run_spawn(const Line& line) {
  const auto first = static_cast<std::uint32_t>(agents_.size());
  if (auto fault = add_agents(static_cast<std::uint32_t>(line.value->number), line.value->span)) return fault;
  several_agents_ = true;
  current_agent_ = first;
  if (agents_.size() > first) emit(EventKind::spawn, {}, std::to_string(agents_.size() - first));
  return std::nullopt;
}

Session::Faults Session::run_destroy(const Line& line) {
  const auto index = static_cast<std::uint32_t>(line.value->number);
  if (agent(index) == nullptr) return no_agent(index, line.value->span);
  current_agent_ = index;
  emit(EventKind::destroy, {});
  stop(tree_, agents_[index]->state.block.data(), host());
  memory_bytes_ -= state_bytes({}) + answer_bytes(*agents_[index]);
  queued_count_ -= agents_[index]->state.queue.size();
  if (scripts_) scripts_->remove_agent(index);
  agents_[index].reset();
  --living_count_;
  return std::nullopt;
}

Session::Faults Session::run_save(const Line& line) {
  const std::string& label = line.value->string;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    Saved now;
    if (strategy_->save != nullptr && !strategy_->save(*this, line, now)) return std::nullopt;
    const auto [snapshot, is_new] = snapshots_.try_emplace({index, label});
    Saved& saved = snapshot->second;
    if (!is_new) memory_bytes_ -= state_bytes(saved.state) + label.size();
    saved = std::move(now);
    saved.state = agents_[index]->state;
    if (auto fault = take_memory(state_bytes(saved.state) + label.size(), line.value->span)) return fault;
    if (scripts_) {
      std::optional<script::Snapshot> scripts = scripts_->save(index);
      if (!scripts) return script_memory_fault(line.value->span);
      saved.scripts = std::move(*scripts);
    }
    emit(EventKind::save, label);
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
                       "nothing was saved as " + text::quote(label) + " for agent " + std::to_string(index) +
                           (is_reloaded_ && !strategy_->keeps_other_sizes ? " since the last reload" : ""),
                       text::did_you_mean(label, labels)};
    }
    const Saved& saved = snapshot->second;
    if (strategy_->restore != nullptr) {
      if (strategy_->restore(*this, line, saved)) emit(EventKind::restore, label);
      return std::nullopt;
    }
    AgentState& state = agents_[index]->state;
    espalier::restore(tree_, state.block.data(), saved.state.block.data(), host());
    queued_count_ += saved.state.queue.size() - state.queue.size();
    state.status = saved.state.status;
    state.is_refused = saved.state.is_refused;
    state.queue = saved.state.queue;
    if (scripts_ && !scripts_->restore(index, saved.scripts)) return script_memory_fault(line.value->span);
    emit(EventKind::restore, label);
    return std::nullopt;
  });
}

// ---- Reloading

Session::Faults Session::run_reload(const Line& line) {
  const std::string& path = line.value->string;
  if (auto too_much = take_updates(living_count_, line.value->span)) return too_much;
  const auto fault = [&](std::string message, std::string hint = {}) {
    return LineFault{Rule::TRC_cannot_reload, line.value->span, std::move(message), std::move(hint)};
  };
  ReplayOptions::LoadFault load_fault;
  const Asset* loaded = options_.load ? options_.load(path, &load_fault) : nullptr;
  if (loaded == nullptr) {
    return fault("cannot reload " + text::quote(path) + ": " + load_fault.reason, load_fault.hint);
  }
  Tree new_tree;
  if (!find_reloaded(*loaded, &new_tree)) {
    return fault(text::quote(path) + " has no tree " + text::quote(tree_name(tree_)),
                 "it has " + listed(tree_names(*loaded)));
  }
  if (&strategy_of(engine_of_tree(new_tree)) != strategy_) {
    return fault("tree " + text::quote(tree_name(tree_)) + " of " + text::quote(path) + " is not a " +
                 std::string(strategy_->kind) + " tree");
  }
  const Tree old_tree = tree_;
  const std::vector<Behavior> old_behaviors = behaviors_;
  std::vector<std::uint64_t> old_shared = std::exchange(shared_, {});
  std::vector<std::uint64_t> old_group = std::exchange(group_, {});
  asset_ = loaded;
  bind_tree(new_tree);
  is_reloaded_ = true;
  if (!strategy_->keeps_other_sizes) {
    snapshots_.clear();
    memory_bytes_ = 0;
    std::uint64_t bytes = living_count_ * state_bytes({});
    for (const auto& agent : agents_) bytes += agent != nullptr ? answer_bytes(*agent) : 0;
    if (auto too_much = take_memory(bytes, line.value->span)) return too_much;
  }
  Host old_host = host();
  old_host.behaviors = old_behaviors.data();
  old_host.conditions = nullptr;  // no condition is asked
  old_host.shared = old_shared.data();
  old_host.group = old_group.data();
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    current_agent_ = index;
    emit(EventKind::reload, path);
    move_agent(*agents_[index], old_tree, old_host);
  }
  return std::nullopt;
}

// An event that the new tree does not know would have no effect in it.
void Session::move_agent(Agent& agent, const Tree& old_tree, const Host& old_host) {
  std::vector<std::uint64_t> block = agent_block(tree_);
  espalier::move_agent(old_tree, agent.state.block.data(), old_host, tree_, block.data(), host());
  agent.state.block = std::move(block);
  queued_count_ -= agent.state.queue.size();
  for (const std::uint32_t signal : std::exchange(agent.state.queue, {})) {
    std::uint32_t id = 0;
    if (find_signal(tree_, signal_name(old_tree, signal), &id) == Status::ok) agent.state.queue.push_back(id);
  }
  queued_count_ += agent.state.queue.size();
}

}  // namespace espalier::replay

// Agents: how they are created, destroyed, saved, and moved to another asset. See session.h.
#include <algorithm>
#include <cstring>

#include "replay/script_host.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/format/records.h"
#include "runtime/format/section.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonValue;

// Of an agent or a snapshot, in addition to its block: with what the allocator needs for each piece of memory.
constexpr std::uint64_t kAgentOverhead_bytes = sizeof(Agent) + sizeof(std::unique_ptr<Agent>) + 32;
constexpr std::uint64_t kAnswerOverhead_bytes = 128;  // of a name that is scripted for an agent
constexpr std::uint64_t kMaxAgentsEver = 16 * std::uint64_t{kMaxAgents};

LineFault script_memory_fault(text::Span span) {
  return {rules::TRC_limit_exceeded, span, "the values of the agent's scripts need more memory than scripts may have"};
}

std::size_t words_for(std::size_t bytes) { return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t); }

// Are the trees of two assets the same to their agents? Names and places of nodes may differ: a comment moves them.
bool has_same_trees(const Asset& a, const Asset& b) {
  enum class Presence : std::uint8_t { always, used, debug, debug_used };
  constexpr Presence kPresences[] = {
#define ASSET_SECTION(id, name, record, growth, presence, owner) Presence::presence,
#include "runtime/format/sections.def"
#undef ASSET_SECTION
  };
  constexpr layout::SectionId kSections[] = {
#define ASSET_SECTION(id, name, record, growth, presence, owner) layout::SectionId::name,
#include "runtime/format/sections.def"
#undef ASSET_SECTION
  };
  for (std::size_t i = 0; i < std::size(kSections); ++i) {
    if (kPresences[i] == Presence::debug || kPresences[i] == Presence::debug_used) continue;
    const AssetSection before = section_of(a, kSections[i]);
    const AssetSection after = section_of(b, kSections[i]);
    if (before.count != after.count || before.record_bytes != after.record_bytes) return false;
    const std::size_t bytes = std::size_t{before.count} * before.record_bytes;
    if (bytes != 0 && std::memcmp(before.records, after.records, bytes) != 0) return false;
  }
  return true;
}

std::vector<std::uint64_t> agent_block(const Tree& tree) {
  return std::vector<std::uint64_t>(words_for(agent_bytes(tree)));
}

}  // namespace

// ---- Creating and destroying agents

Session::Faults Session::take_memory(std::uint64_t bytes, text::Span span) {
  memory_bytes_ += bytes;
  if (memory_bytes_ <= kMaxAgentMemory_bytes) return std::nullopt;
  return LineFault{rules::TRC_limit_exceeded, span, "agents and snapshots need more than 1 GiB of memory"};
}

std::uint64_t Session::state_bytes(const AgentState& state) {
  return state.block.size() * sizeof state.block[0] + kAgentOverhead_bytes + state.queue.size() * sizeof state.queue[0];
}

std::uint64_t Session::answer_bytes(const std::string& name) { return kAnswerOverhead_bytes + name.size(); }

std::uint64_t Session::reaction_bytes(const Reaction& reaction) {
  return kAnswerOverhead_bytes + reaction.behavior.size() + reaction.signal.size();
}

BoundTree& Session::bind(const Tree& tree) {
  for (const auto& bound : bound_trees_) {
    if (bound->tree.asset == tree.asset && bound->tree.index == tree.index) return *bound;
  }
  if (group_.empty()) {
    group_.assign(words_for(group_bytes(*asset_)), 0);
    start_group(*asset_, group_.data());
  }
  BoundTree& bound = *bound_trees_.emplace_back(std::make_unique<BoundTree>());
  const EngineId engine = engine_of_tree(tree);
  bound.tree = tree;
  bound.strategy = &strategy_of(engine);
  const auto [shared, is_new] = shared_.try_emplace(engine == EngineId::store ? layout::kNone : tree.index);
  bound.shared = &shared->second;
  if (is_new) {
    bound.shared->assign(words_for(shared_bytes(tree)), 0);
    start_shared(tree, bound.shared->data());
  }
  bound.scratch.assign(words_for(scratch_bytes(tree)), 0);
  if (bound.strategy->has_scripts && !scripts_) {
    scripts_.emplace(*asset_, seed_, script::Limits(), ScriptHost::functions(*this));
  }
  bound.behaviors.assign(behavior_count(*asset_), bound.strategy->behavior);
  bound.conditions.assign(host_condition_count(*asset_), bound.strategy->condition);
  for (std::uint32_t i = 0; i < bound.behaviors.size(); ++i) {
    bound.host_names.emplace(bound.behavior_names.emplace_back(behavior_name(*asset_, i)), true);
  }
  for (std::uint32_t i = 0; i < bound.conditions.size(); ++i) {
    bound.host_names.emplace(bound.condition_names.emplace_back(host_condition_name(*asset_, i)), false);
  }
  if (bound.strategy->names != nullptr) bound.strategy->names(*this, bound);
  return bound;
}

Session::Faults Session::add_agents(const Tree& tree, std::uint32_t count, text::Span span) {
  if (count > kMaxAgents - living_count_ || agents_.size() + count > kMaxAgentsEver) {
    return LineFault{rules::TRC_limit_exceeded, span,
                     "too many agents: " + std::to_string(std::uint64_t{living_count_} + count) + ", at most " +
                         std::to_string(kMaxAgents)};
  }
  if (auto fault = take_updates(count, span)) return fault;
  const std::vector<std::uint64_t> block = agent_block(tree);
  if (auto fault = take_memory(count * state_bytes({block, {}, {}, {}}), span)) return fault;
  BoundTree& bound = bind(tree);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto agent = std::make_unique<Agent>();
    agent->bound = &bound;
    agent->state.block = block;
    start(tree, agent->state.block.data());
    seed(tree, agent->state.block.data(), seed_ + (std::uint64_t{agents_.size()} << 32));
    const auto index = static_cast<std::uint32_t>(agents_.size());
    if (bound.strategy->has_scripts) scripts_->add_agent(index, "agent " + std::to_string(index));
    agents_.push_back(std::move(agent));
  }
  living_count_ += count;
  return std::nullopt;
}

Session::Faults Session::run_spawn(const Line& line) {
  Tree tree = bound_trees_.front()->tree;
  if (const JsonValue* name = line.find("tree")) {
    if (auto fault = find_named(*name, &tree)) return fault;
  }
  const auto first = static_cast<std::uint32_t>(agents_.size());
  if (auto fault = add_agents(tree, static_cast<std::uint32_t>(line.value->number), line.value->span)) return fault;
  several_agents_ = true;
  if (agents_.size() == first) return std::nullopt;
  act_as(first);
  emit(EventKind::spawn, {}, std::to_string(agents_.size() - first));
  return std::nullopt;
}

Session::Faults Session::run_destroy(const Line& line) {
  const auto index = static_cast<std::uint32_t>(line.value->number);
  if (agent(index) == nullptr) return no_agent(index, line.value->span);
  act_as(index);
  emit(EventKind::destroy, {});
  stop(tree_, agents_[index]->state.block.data(), host());
  memory_bytes_ -= state_bytes(agents_[index]->state) + agents_[index]->answer_bytes;
  queued_count_ -= agents_[index]->state.queue.size();
  if (strategy_->has_scripts) scripts_->remove_agent(index);
  agents_[index].reset();
  --living_count_;
  return std::nullopt;
}

Session::Faults Session::run_save(const Line& line, Agents agents) {
  const std::string& label = line.value->string;
  return for_each(agents, [&](std::uint32_t index) -> Faults {
    Saved now;
    if (strategy_->save != nullptr && !strategy_->save(*this, line, now)) return std::nullopt;
    const auto [snapshot, is_new] = snapshots_.try_emplace({index, label});
    Saved& saved = snapshot->second;
    if (!is_new) memory_bytes_ -= state_bytes(saved.state) + label.size();
    saved = std::move(now);
    saved.state = agents_[index]->state;
    if (auto fault = take_memory(state_bytes(saved.state) + label.size(), line.value->span)) return fault;
    if (strategy_->has_scripts) {
      std::optional<script::Snapshot> scripts = scripts_->save(index);
      if (!scripts) return script_memory_fault(line.value->span);
      saved.scripts = std::move(*scripts);
    }
    emit(EventKind::save, label);
    return std::nullopt;
  });
}

Session::Faults Session::run_restore(const Line& line, Agents agents) {
  const std::string& label = line.value->string;
  return for_each(agents, [&](std::uint32_t index) -> Faults {
    const auto snapshot = snapshots_.find({index, label});
    if (snapshot == snapshots_.end()) {
      std::vector<std::string_view> labels;
      for (auto i = snapshots_.lower_bound({index, ""}); i != snapshots_.end() && i->first.first == index; ++i) {
        labels.push_back(i->first.second);
      }
      return LineFault{rules::TRC_unknown_snapshot, line.value->span,
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
    queued_count_ += saved.state.queue.size();
    queued_count_ -= state.queue.size();
    state.status = saved.state.status;
    state.is_refused = saved.state.is_refused;
    state.queue = saved.state.queue;
    if (strategy_->has_scripts && !scripts_->restore(index, saved.scripts))
      return script_memory_fault(line.value->span);
    emit(EventKind::restore, label);
    return std::nullopt;
  });
}

// ---- Reloading

Session::Faults Session::run_reload(const Line& line) {
  const std::string& path = line.value->string;
  if (auto too_much = take_updates(living_count_, line.value->span)) return too_much;
  const auto fault = [&](std::string message, std::string hint = {}) {
    return LineFault{rules::TRC_cannot_reload, line.value->span, std::move(message), std::move(hint)};
  };
  ReplayOptions::LoadFault load_fault;
  const Asset* loaded = options_.load ? options_.load(path, &load_fault) : nullptr;
  if (loaded == nullptr) {
    return fault("cannot reload " + text::quote(path) + ": " + load_fault.reason, load_fault.hint);
  }
  std::vector<Tree> new_trees;
  for (const auto& bound : bound_trees_) {
    const std::string name = text::quote(tree_name(bound->tree));
    if (!find_reloaded(*loaded, *bound, &new_trees.emplace_back())) {
      return fault(text::quote(path) + " has no tree " + name, "it has " + listed(tree_names(*loaded)));
    }
    if (&strategy_of(engine_of_tree(new_trees.back())) != bound->strategy) {
      return fault("tree " + name + " of " + text::quote(path) + " is not a " + std::string(bound->strategy->kind) +
                   " tree");
    }
  }
  if (has_same_trees(*asset_, *loaded)) {
    reload_same(*loaded, new_trees, path);
    return std::nullopt;
  }
  const auto old_trees = std::exchange(bound_trees_, {});
  const auto old_shared = std::exchange(shared_, {});
  std::vector<std::uint64_t> old_group = std::exchange(group_, {});
  asset_ = loaded;
  if (std::find(assets_.begin(), assets_.end(), loaded) == assets_.end()) assets_.push_back(loaded);
  is_reloaded_ = true;
  ++answers_version_;
  std::map<const BoundTree*, BoundTree*> successors;
  for (std::size_t i = 0; i < old_trees.size(); ++i) successors[old_trees[i].get()] = &bind(new_trees[i]);
  forget_snapshots();
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    const BoundTree& old = *std::exchange(agents_[index]->bound, successors.at(agents_[index]->bound));
    act_as(index);
    Host old_host = host();
    old_host.behaviors = old.behaviors.data();
    old_host.conditions = nullptr;  // no condition is asked
    old_host.shared = old.shared->data();
    old_host.group = old_group.data();
    emit(EventKind::reload, path);
    move_agent(*agents_[index], old, old_host);
    agents_[index]->recent = nullptr;  // nodes have other places in another asset
    if (auto too_much = take_memory(0, line.value->span)) return too_much;
  }
  return std::nullopt;
}

// Agents go on as they were, with what they share and what was saved of them.
void Session::reload_same(const Asset& loaded, const std::vector<Tree>& new_trees, const std::string& path) {
  const auto old_trees = std::exchange(bound_trees_, {});
  asset_ = &loaded;
  if (std::find(assets_.begin(), assets_.end(), asset_) == assets_.end()) assets_.push_back(asset_);
  ++answers_version_;
  std::map<const BoundTree*, BoundTree*> successors;
  for (std::size_t i = 0; i < old_trees.size(); ++i) successors[old_trees[i].get()] = &bind(new_trees[i]);
  select(*bound_trees_.front());
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    agents_[index]->bound = successors.at(agents_[index]->bound);
    act_as(index);
    emit(EventKind::reload, path);
  }
}

// Those that may have another size now.
void Session::forget_snapshots() {
  std::erase_if(snapshots_, [&](const auto& entry) {
    const auto& [index, label] = entry.first;
    const bool is_kept = agents_[index] != nullptr && agents_[index]->bound->strategy->keeps_other_sizes;
    if (!is_kept) memory_bytes_ -= state_bytes(entry.second.state) + label.size();
    return !is_kept;
  });
}

// An event that the new tree does not know would have no effect in it.
void Session::move_agent(Agent& agent, const BoundTree& old, const Host& old_host) {
  memory_bytes_ -= state_bytes(agent.state);
  std::vector<std::uint64_t> block = agent_block(tree_);
  espalier::move_agent(old.tree, agent.state.block.data(), old_host, tree_, block.data(), host());
  agent.state.block = std::move(block);
  queued_count_ -= agent.state.queue.size();
  for (const std::uint32_t signal : std::exchange(agent.state.queue, {})) {
    std::uint32_t id = 0;
    if (find_signal(tree_, signal_name(old.tree, signal), &id) == Status::ok) agent.state.queue.push_back(id);
  }
  queued_count_ += agent.state.queue.size();
  memory_bytes_ += state_bytes(agent.state);
}

}  // namespace espalier::replay

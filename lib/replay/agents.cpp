// The agents of a session. See agents.h.
#include "replay/agents.h"

#include <algorithm>
#include <cstring>

#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/format/records.h"
#include "runtime/format/section.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using text::JsonKind;
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
  for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(layout::SectionId::count); ++i) {
    const auto id = static_cast<layout::SectionId>(i);
    if (layout::is_optional(layout::section_info(id).presence)) continue;
    const AssetSection before = section_of(a, id);
    const AssetSection after = section_of(b, id);
    if (before.count != after.count || before.record_bytes != after.record_bytes) return false;
    const std::size_t bytes = std::size_t{before.count} * before.record_bytes;
    if (bytes != 0 && std::memcmp(before.records, after.records, bytes) != 0) return false;
  }
  return true;
}

std::vector<std::uint64_t> agent_block(const Tree& tree) {
  return std::vector<std::uint64_t>(words_for(agent_bytes(tree)));
}

std::uint64_t state_bytes(const AgentState& state) {
  return state.block.size() * sizeof state.block[0] + kAgentOverhead_bytes + state.queue.size() * sizeof state.queue[0];
}

}  // namespace

Agents::Agents(const Asset& asset, const ReplayOptions& options, script::HostFunctions functions)
    : asset_(&asset), assets_{&asset}, options_(options), functions_(functions) {}

// ---- Trees

std::vector<Tree> Agents::trees() const {
  std::vector<Tree> trees;
  for (const auto& bound : bound_trees_) trees.push_back(bound->tree);
  return trees;
}

std::optional<Tree> Agents::only_tree(const Asset& asset, std::string_view file) {
  if (tree_count(asset) == 1 && file.empty()) return espalier::tree(asset, 0);
  std::optional<Tree> only;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    const Strategy& strategy = strategy_of(engine_of_tree(tree));
    if (strategy.is_used != nullptr && strategy.is_used(tree)) continue;
    if (!file.empty() && !is_in_file(tree, file)) continue;
    if (only) return std::nullopt;
    only = tree;
  }
  return only;
}

Faults Agents::find_named(const JsonValue& name, Tree* tree, const JsonValue* file) const {
  const std::vector<std::string_view> names = tree_names(*asset_);
  const std::string wanted = file == nullptr ? name.string : with_file(file->string, name.string);
  const std::vector<Tree> called = trees_called(*asset_, wanted);
  if (called.size() == 1) {
    *tree = called.front();
    return std::nullopt;
  }
  std::vector<std::string_view> alike;
  alike.reserve(called.size());
  for (const Tree& other : called) alike.push_back(tree_name(other));
  std::string hint = text::did_you_mean(wanted, names);
  if (hint.empty() || !alike.empty()) {
    const std::vector<std::string_view>& choice = alike.empty() ? names : alike;
    hint = (choice.size() == 1 ? "expected " : "expected one of ") + listed(choice);
  }
  return LineFault{rules::TRC_unknown_tree, name.span,
                   (alike.empty() ? "unknown tree " : "several trees are called ") + text::quote(wanted),
                   std::move(hint)};
}

// Trees of rules are named after their files, which may have moved.
bool Agents::find_reloaded(const Asset& asset, const BoundTree& old, Tree* tree) {
  const std::string_view name = tree_name(old.tree);
  if (find_tree(asset, name, tree) == Status::ok) return true;
  if (old.strategy->is_used == nullptr) return false;
  const std::vector<Tree> called = trees_called(asset, last_part(name));
  const std::optional<Tree> only = called.size() == 1 ? called.front() : only_tree(asset);
  if (only) *tree = *only;
  return only.has_value();
}

std::vector<std::string_view> Agents::known_signals() const {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree tree = espalier::tree(*asset_, i);
    for (std::uint32_t j = 0; j < signal_count(tree); ++j) names.push_back(signal_name(tree, j));
  }
  return names;
}

void Agents::select(BoundTree& bound) {
  bound_ = &bound;
  tree_ = bound.tree;
  strategy_ = bound.strategy;
}

BoundTree& Agents::bind(const Tree& tree) {
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
    scripts_.emplace(*asset_, seed_, script::Limits(), functions_);
  }
  bound.behaviors.assign(behavior_count(*asset_), bound.strategy->behavior);
  bound.conditions.assign(host_condition_count(*asset_), bound.strategy->condition);
  for (std::uint32_t i = 0; i < bound.behaviors.size(); ++i) {
    bound.host_names.emplace(bound.behavior_names.emplace_back(behavior_name(*asset_, i)), true);
  }
  for (std::uint32_t i = 0; i < bound.conditions.size(); ++i) {
    bound.host_names.emplace(bound.condition_names.emplace_back(host_condition_name(*asset_, i)), false);
  }
  if (bound.strategy->names != nullptr) bound.strategy->names(bound);
  return bound;
}

// ---- The current agent

void Agents::act_as(std::uint32_t index) {
  current_ = index;
  if (agents_[index]->bound != bound_) select(*agents_[index]->bound);
}

Faults Agents::for_each(Indices indices, const std::function<Faults(std::uint32_t)>& act) {
  for (const std::uint32_t index : indices) {
    act_as(index);
    if (auto fault = act(index)) return fault;
  }
  return std::nullopt;
}

// ---- All agents

void Agents::add_living(std::vector<std::uint32_t>* indices) const {
  for (std::uint32_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i] != nullptr) indices->push_back(i);
  }
}

Faults Agents::targets(const Line& line, std::vector<std::uint32_t>* indices) const {
  indices->clear();
  if (line.find("group") != nullptr) return find_group(line, indices);
  if (line.all_agents || line.kind == LineKind::broadcast) {
    add_living(indices);
    return std::nullopt;
  }
  const std::uint32_t index = line.agent.value_or(0);
  if (find(index) == nullptr) return no_agent(index, line.agent_span);
  indices->push_back(index);
  return std::nullopt;
}

// The agents of a tree, or those listed; in the order of their indices.
Faults Agents::find_group(const Line& line, std::vector<std::uint32_t>* indices) const {
  const JsonValue& group = *line.find("group");
  if (group.kind == JsonKind::string) {
    Tree tree;
    if (auto fault = find_named(group, &tree)) return fault;
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (find(i) != nullptr && agents_[i]->bound->tree.index == tree.index) indices->push_back(i);
    }
    return std::nullopt;
  }
  for (const JsonValue& item : group.values) {
    const auto index = static_cast<std::uint32_t>(item.number);
    if (find(index) == nullptr) return no_agent(index, item.span);
    indices->push_back(index);
  }
  std::sort(indices->begin(), indices->end());
  indices->erase(std::unique(indices->begin(), indices->end()), indices->end());
  return std::nullopt;
}

LineFault Agents::no_agent(std::uint32_t index, text::Span span) const {
  std::string hint;
  if (index < agents_.size()) {
    hint = "it was destroyed";
  } else if (agents_.size() == 1) {
    hint = "there is only agent 0; \"agents\" in the first line says how many there are";
  } else if (!agents_.empty()) {
    hint = "agents count from 0: the last one is " + std::to_string(agents_.size() - 1);
  }
  return {rules::TRC_no_such_agent, span, "unknown agent " + std::to_string(index), std::move(hint)};
}

AgentView Agents::view(std::uint32_t index) const {
  AgentView seen;
  view(index, &seen);
  return seen;
}

void Agents::view(std::uint32_t index, AgentView* seen) const {
  constexpr std::size_t kMaxCrowd = 64;  // up to this many agents, each can be named
  const BoundTree& bound = *agents_[index]->bound;
  seen->tree = bound.tree;
  seen->block = agents_[index]->block();
  seen->shared = bound.shared->data();
  seen->time_us = time_us_;
  seen->unused_entries = &agents_[index]->unused_entries;
  seen->crowd.assign(agents_.size() > kMaxCrowd ? 0 : agents_.size(), {});
  for (std::size_t i = 0; i < seen->crowd.size(); ++i) {
    const Agent* const agent = agents_[i].get();
    if (agent == nullptr || agent->bound->shared != bound.shared) continue;
    seen->crowd[i] = {agent->bound->tree, agent->state.block.data()};
  }
}

AgentView Agents::view_of_all() const {
  const auto shared = shared_.find(layout::kNone);
  return {tree_, nullptr, shared == shared_.end() ? nullptr : shared->second.data(), time_us_};
}

// ---- Limits

Faults Agents::take_updates(std::uint64_t count, text::Span span) {
  updates_ += count;
  if (updates_ <= options_.max_updates) return std::nullopt;
  return LineFault{rules::TRC_limit_exceeded, span,
                   "the trace asks for more than " + std::to_string(options_.max_updates) + " updates of agents",
                   "--max-updates N allows more"};
}

Faults Agents::take_memory(std::uint64_t bytes, text::Span span) {
  memory_bytes_ += bytes;
  if (memory_bytes_ <= kMaxAgentMemory_bytes) return std::nullopt;
  return LineFault{rules::TRC_limit_exceeded, span, "agents and snapshots need more than 1 GiB of memory"};
}

std::uint64_t Agents::answer_bytes(std::size_t name_bytes) { return kAnswerOverhead_bytes + name_bytes; }

void Agents::queue(std::uint32_t index, std::uint32_t signal) {
  if (is_queue_full()) return;
  agents_[index]->state.queue.push_back(signal);
  ++queued_count_;
}

std::vector<std::uint32_t> Agents::take_queue(std::uint32_t index) {
  std::vector<std::uint32_t> queue = std::exchange(agents_[index]->state.queue, {});
  queued_count_ -= queue.size();
  return queue;
}

// ---- Creating and destroying

Faults Agents::add(const Tree& tree, std::uint32_t count, text::Span span) {
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

void Agents::start_as(const Start& start) {
  time_us_ = start.clock_us;
  for (std::size_t i = 0; i < std::min(start.blocks.size(), agents_.size()); ++i) {
    Agent& agent = *agents_[i];
    const std::size_t size_bytes = std::min(start.blocks[i].size(), agent_bytes(agent.bound->tree));
    std::memcpy(agent.block(), start.blocks[i].data(), size_bytes);
    std::vector<std::uint64_t>& shared = *agent.bound->shared;
    if (!start.shared.empty())
      std::memcpy(shared.data(), start.shared.data(), std::min(start.shared.size(), 8 * shared.size()));
  }
}

void Agents::destroy(const Host& host) {
  Agent& agent = self();
  const auto stops = strategy_->stop != nullptr ? strategy_->stop : stop;
  stops(tree_, agent.block(), host);
  memory_bytes_ -= state_bytes(agent.state) + agent.answer_bytes;
  queued_count_ -= agent.state.queue.size();
  if (strategy_->has_scripts) scripts_->remove_agent(current_);
  agents_[current_].reset();
  --living_count_;
}

Faults Agents::save(const std::string& label, Saved now, text::Span span) {
  const auto [snapshot, is_new] = snapshots_.try_emplace({current_, label});
  Saved& saved = snapshot->second;
  if (!is_new) memory_bytes_ -= state_bytes(saved.state) + label.size();
  saved = std::move(now);
  saved.state = self().state;
  if (auto fault = take_memory(state_bytes(saved.state) + label.size(), span)) return fault;
  if (!strategy_->has_scripts) return std::nullopt;
  std::optional<script::Snapshot> scripts = scripts_->save(current_);
  if (!scripts) return script_memory_fault(span);
  saved.scripts = std::move(*scripts);
  return std::nullopt;
}

const Saved* Agents::find_saved(const JsonValue& label, Faults* fault) const {
  const auto snapshot = snapshots_.find({current_, label.string});
  if (snapshot != snapshots_.end()) return &snapshot->second;
  std::vector<std::string_view> labels;
  for (auto i = snapshots_.lower_bound({current_, ""}); i != snapshots_.end() && i->first.first == current_; ++i) {
    labels.push_back(i->first.second);
  }
  *fault = LineFault{rules::TRC_unknown_snapshot, label.span,
                     "nothing was saved as " + text::quote(label.string) + " for agent " + std::to_string(current_) +
                         (is_reloaded_ && !strategy_->keeps_other_sizes ? " since the last reload" : ""),
                     text::did_you_mean(label.string, labels)};
  return nullptr;
}

Faults Agents::restore(const Saved& saved, const Host& host, text::Span span) {
  AgentState& state = self().state;
  espalier::restore(tree_, state.block.data(), saved.state.block.data(), host);
  queued_count_ += saved.state.queue.size();
  queued_count_ -= state.queue.size();
  state.status = saved.state.status;
  state.is_refused = saved.state.is_refused;
  state.queue = saved.state.queue;
  if (strategy_->has_scripts && !scripts_->restore(current_, saved.scripts)) return script_memory_fault(span);
  return std::nullopt;
}

// ---- Reloading

void Agents::take_asset(const Asset& loaded) {
  asset_ = &loaded;
  if (std::find(assets_.begin(), assets_.end(), asset_) == assets_.end()) assets_.push_back(asset_);
}

// Agents of the same trees go on as they were, with what they share and what was saved of them.
Faults Agents::reload(const Asset& loaded, const std::vector<Tree>& trees, text::Span span,
                      const std::function<Host()>& host, const std::function<void()>& begin) {
  const bool is_same = has_same_trees(*asset_, loaded);
  const auto old_trees = std::exchange(bound_trees_, {});
  const auto old_shared = is_same ? std::map<std::uint32_t, std::vector<std::uint64_t>>() : std::exchange(shared_, {});
  std::vector<std::uint64_t> old_group;
  if (!is_same) old_group = std::exchange(group_, {});
  take_asset(loaded);
  is_reloaded_ = is_reloaded_ || !is_same;
  std::map<const BoundTree*, BoundTree*> successors;
  for (std::size_t i = 0; i < old_trees.size(); ++i) successors[old_trees[i].get()] = &bind(trees[i]);
  if (!is_same) forget_snapshots();
  select(is_same ? *bound_trees_.front() : *successors.at(bound_));  // also if no agent is left
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    const BoundTree& old = *std::exchange(agents_[index]->bound, successors.at(agents_[index]->bound));
    act_as(index);
    if (is_same) {
      begin();
      continue;
    }
    Host old_host = host();
    old_host.behaviors = old.behaviors.data();
    old_host.conditions = nullptr;  // no condition is asked
    old_host.shared = old.shared->data();
    old_host.group = old_group.data();
    begin();
    move(*agents_[index], old, old_host, host());
    agents_[index]->recent = nullptr;  // nodes have other places in another asset
    if (auto too_much = take_memory(0, span)) return too_much;
  }
  return std::nullopt;
}

// Those that may have another size now.
void Agents::forget_snapshots() {
  std::erase_if(snapshots_, [&](const auto& entry) {
    const auto& [index, label] = entry.first;
    const bool is_kept = find(index) != nullptr && agents_[index]->bound->strategy->keeps_other_sizes;
    if (!is_kept) memory_bytes_ -= state_bytes(entry.second.state) + label.size();
    return !is_kept;
  });
}

// An event that the new tree does not know would have no effect in it.
void Agents::move(Agent& agent, const BoundTree& old, const Host& old_host, const Host& host) {
  memory_bytes_ -= state_bytes(agent.state);
  std::vector<std::uint64_t> block = agent_block(tree_);
  espalier::move_agent(old.tree, agent.state.block.data(), old_host, tree_, block.data(), host);
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

// The agents of a session: which there are, their trees, and what they share; which one is current, and when it is.
// Nothing here tells what happens, and nothing is asked of the host but what agents need to stop or to move.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replay/agent.h"
#include "replay/line.h"
#include "replay/names.h"
#include "replay/replay.h"
#include "script/machine.h"

namespace espalier::replay {

// Agents by their numbers, all of one tree.
using Indices = std::span<const std::uint32_t>;

class Agents {
 public:
  // The asset and the options must outlive it. `functions`: of scripts.
  Agents(const Asset& asset, const ReplayOptions& options, script::HostFunctions functions);

  // ---- Trees

  [[nodiscard]] const Asset& asset() const { return *asset_; }
  // Those of the trees that agents have or had.
  [[nodiscard]] const std::vector<const Asset*>& assets() const { return assets_; }
  // The trees that agents have or had, the trace's first one first.
  [[nodiscard]] std::vector<Tree> trees() const;
  [[nodiscard]] std::span<const std::unique_ptr<BoundTree>> bound_trees() const { return bound_trees_; }
  // The only tree, or the only one that is not used by others.
  [[nodiscard]] static std::optional<Tree> only_tree(const Asset& asset, std::string_view file = {});
  // By its name, or by the last part of the name if that is unique.
  [[nodiscard]] Faults find_named(const text::JsonValue& name, Tree* tree, const text::JsonValue* file = nullptr) const;
  // The signals that any tree of the asset knows.
  [[nodiscard]] std::vector<std::string_view> known_signals() const;
  // Agents of this tree become the current ones.
  void choose(const Tree& tree) { select(bind(tree)); }

  // ---- The current agent. Before there is one, the agents of the trace's first tree.

  // A living agent becomes it.
  void act_as(std::uint32_t index);
  [[nodiscard]] std::uint32_t current() const { return current_; }
  Agent& self() { return *agents_[current_]; }
  [[nodiscard]] const Agent& self() const { return *agents_[current_]; }
  [[nodiscard]] BoundTree& bound() const { return *bound_; }
  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] EngineId engine() const { return engine_of_tree(tree_); }
  [[nodiscard]] const Strategy& strategy() const { return *strategy_; }
  // Calls `act` with each of them as the current one, up to the first fault.
  [[nodiscard]] Faults for_each(Indices indices, const std::function<Faults(std::uint32_t)>& act);

  // ---- All agents

  // The number of used indices, including those of destroyed agents.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(agents_.size()); }
  [[nodiscard]] std::uint32_t living_count() const { return living_count_; }
  void add_living(std::vector<std::uint32_t>* indices) const;
  // Are there several, or were there?
  [[nodiscard]] bool are_several() const { return are_several_; }
  void be_several() { are_several_ = true; }
  // A living agent; null if none has this index.
  [[nodiscard]] Agent* find(std::uint32_t index) const {
    return index < agents_.size() ? agents_[index].get() : nullptr;
  }
  // A living agent.
  [[nodiscard]] Agent& operator[](std::uint32_t index) const { return *agents_[index]; }
  // The living agents that a line applies to, in order.
  [[nodiscard]] Faults targets(const Line& line, std::vector<std::uint32_t>* indices) const;
  [[nodiscard]] LineFault no_agent(std::uint32_t index, text::Span span) const;
  // The current state of a living agent, with the other agents if they are few.
  [[nodiscard]] AgentView view(std::uint32_t index) const;
  // The same into `seen`, whose memory is used again.
  void view(std::uint32_t index, AgentView* seen) const;
  // No agent, with the memory that all agents of synchronized trees share.
  [[nodiscard]] AgentView view_of_all() const;

  // ---- Creating and destroying

  void seed_with(std::uint64_t seed) { seed_ = seed; }
  [[nodiscard]] Faults add(const Tree& tree, std::uint32_t count, text::Span span);
  // Those that there are.
  void start_as(const Start& start);
  // The current one; `host`: its own, to stop it.
  void destroy(const Host& host);
  [[nodiscard]] Faults save(const std::string& label, Saved saved, text::Span span);
  // Of the current agent; null: nothing was saved so, and `fault` says that.
  const Saved* find_saved(const text::JsonValue& label, Faults* fault) const;
  [[nodiscard]] Faults restore(const Saved& saved, const Host& host, text::Span span);
  [[nodiscard]] bool is_reloaded() const { return is_reloaded_; }
  // The tree of another asset that takes the place of one that agents have.
  [[nodiscard]] static bool find_reloaded(const Asset& asset, const BoundTree& old, Tree* tree);
  // Agents go on with the trees of another asset, one for each that they had. For each of them `begin` is called when
  // it is the current one, before it is moved, and `host` for what it then needs.
  [[nodiscard]] Faults reload(const Asset& loaded, const std::vector<Tree>& trees, text::Span span,
                              const std::function<Host()>& host, const std::function<void()>& begin);

  // ---- Limits, and the clock

  // Counts this many updates, or other work that takes about as long.
  [[nodiscard]] Faults take_updates(std::uint64_t count, text::Span span);
  // The same without a limit now: the next update has it.
  void add_work(std::uint64_t count) { updates_ += count; }
  [[nodiscard]] bool has_updates_left() const { return updates_ < options_.max_updates; }
  [[nodiscard]] Faults take_memory(std::uint64_t bytes, text::Span span);
  // Answers or a reaction of an agent with these names.
  [[nodiscard]] static std::uint64_t answer_bytes(std::size_t name_bytes);
  [[nodiscard]] std::uint64_t time_us() const { return time_us_; }
  void pass(std::uint64_t time_us) { time_us_ += time_us; }

  // ---- tick: signals that wait for the next update of an agent, and scripts

  [[nodiscard]] bool is_queue_full() const { return queued_count_ > kMaxQueued; }
  // Not if too many wait.
  void queue(std::uint32_t index, std::uint32_t signal);
  std::vector<std::uint32_t> take_queue(std::uint32_t index);
  script::Machine& scripts() { return *scripts_; }
  // The memory that the current agent shares with all, for updates.
  std::uint64_t* group() { return group_.data(); }

 private:
  // The tree is bound if it is not yet.
  BoundTree& bind(const Tree& tree);
  void select(BoundTree& bound);
  [[nodiscard]] Faults find_group(const Line& line, std::vector<std::uint32_t>* indices) const;
  void take_asset(const Asset& loaded);
  void forget_snapshots();
  void move(Agent& agent, const BoundTree& old, const Host& old_host, const Host& host);

  const Asset* asset_;
  std::vector<const Asset*> assets_;  // also those before a reload
  const ReplayOptions& options_;
  script::HostFunctions functions_;
  std::vector<std::unique_ptr<BoundTree>> bound_trees_;
  // Of the current agent:
  BoundTree* bound_ = nullptr;
  Tree tree_;
  const Strategy* strategy_ = nullptr;
  std::uint32_t current_ = 0;
  std::uint64_t seed_ = 1;
  // The blocks that agents share, by tree; all synchronized trees share one, with the key kNone.
  std::map<std::uint32_t, std::vector<std::uint64_t>> shared_;
  std::vector<std::uint64_t> group_;
  std::vector<std::unique_ptr<Agent>> agents_;  // null: destroyed
  std::uint32_t living_count_ = 0;
  bool are_several_ = false;
  bool is_reloaded_ = false;
  std::map<std::pair<std::uint32_t, std::string>, Saved> snapshots_;
  std::uint64_t memory_bytes_ = 0;  // of agents and snapshots
  std::uint64_t updates_ = 0;       // that were done
  std::uint64_t queued_count_ = 0;  // events not yet delivered to agents
  std::uint64_t time_us_ = 0;
  std::optional<script::Machine> scripts_;
};

}  // namespace espalier::replay

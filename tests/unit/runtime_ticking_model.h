// A second implementation of trees that tick, as plain recursion over the tree as it was read: slow, and close to the
// words of the rules. It shares no code with the runtime.
//
// A node is *active* or idle, and has state only while it is active. To *tick* an idle node is to make it active, to
// initialise it and to update it; an active one is updated. One that succeeds or fails is terminated, which also
// happens when its parent chooses another child or ends.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "payloads.h"
#include "runtime_ticking_host.h"

namespace espalier::test {

// What agents share: how many are inside each limit, and inside each scope by its name in lower case.
struct ModelPlaces {
  std::map<const Draft*, int> limits;
  std::map<std::string, int> scopes;
};

struct ModelNodeState {
  std::size_t present = 0;            // sequence, selector: the child; machine: the current state
  std::optional<std::size_t> chosen;  // priority: the current case
  std::vector<bool> unfinished;       // parallel
  std::size_t successes = 0;          // parallel
  std::size_t failures = 0;           // parallel
  std::size_t pending = 0;            // machine
  bool transition_waits = false;      // machine
  std::uint32_t counted = 0;          // loop
  bool child_was_running = false;     // loop: at the end of its last update
  bool is_open = true;                // gates
  std::uint64_t end_us = 0;           // wait
  bool has_come = false;              // wait_event
  std::vector<unsigned char> memory;  // action
};

struct ModelTimestamp {
  enum class Kind { never_set, set, cleared } kind = Kind::never_set;
  std::uint64_t time_us = 0;
};

// The state of an agent that a saved game keeps.
struct ModelState {
  std::vector<bool> variables;
  std::vector<ModelTimestamp> timestamps;
  bool changed = false;
  bool changed_before = false;
  bool is_stopped = false;
  Random random;
  std::set<std::string> held_scopes;
  std::map<const Draft*, ModelNodeState> active;
};

class TickingModel {
 public:
  TickingModel(const DraftTree& tree, std::uint64_t seed, DiceHost& host, ModelPlaces& places);
  TickingModel(const TickingModel&) = delete;
  TickingModel& operator=(const TickingModel&) = delete;

  const ModelState& state() const { return state_; }
  std::uint32_t number_of(const Draft& node) const { return numbers_.at(&node); }
  std::uint64_t clock_us = 0;
  // If set: decides whether a guard opens that has a chance to; called with each transition that a machine will follow.
  std::function<bool(std::uint64_t chance)> opens_instead;
  std::function<void(const Draft& state, std::size_t transition)> watch_transition;

  Result update();
  void raise(std::uint32_t signal) { raise(signal, false); }
  void set(std::uint32_t variable, bool value);
  void stop();
  void restore(const ModelState& saved);
  // As if it were moved to an identical version of its tree.
  void move() { state_.changed = !state_.is_stopped; }

 private:
  using State = ModelNodeState;

  Result tick(const Draft& node);
  void terminate(const Draft& node);
  void end(const Draft& node, bool is_interrupted);
  void event(const Draft& node, std::uint32_t signal);
  void initialise(const Draft& node, State& state);
  Result update(const Draft& node, State& state);

  Result update_row(const Draft& node, State& state, Result goes_on);
  Result update_parallel(const Draft& node, State& state);
  Result update_priority(const Draft& node, State& state);
  Result update_machine(const Draft& node, State& state);
  Result update_loop(const Draft& node, State& state);
  Result update_leaf(const Draft& node, const State& state);

  DiceHost& host_with_memory(const Draft& node);
  void raise(std::uint32_t signal, bool by_node);
  bool is_active(const Draft& node) const { return state_.active.count(&node) != 0; }
  bool is_named(const Draft& node) const;
  bool has_changed() const { return state_.changed || state_.changed_before; }
  bool holds(const Draft& node) const;
  bool time_compares(const Draft& node) const;
  bool run_script(const Draft& node, std::size_t which);
  void log(const Draft& node, std::size_t which);
  bool enter_limit(const Draft& node);
  bool enter_scope(const Draft& node);
  void leave_scope(const Draft& node);
  void count_inside(int change);

  const DraftTree& tree_;
  DiceHost& host_;
  ModelPlaces& places_;
  std::map<const Draft*, std::uint32_t> numbers_;
  ModelState state_;
};

}  // namespace espalier::test

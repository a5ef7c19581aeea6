// What conditions and comparisons of times look at, as functions of diagram variables: sets of states of an agent, and
// what events and the host make of them. Exact within the budget; beyond it, functions are unknown.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/tree.h"
#include "lint/lint.h"
#include "logic/diagrams.h"

namespace espalier::lint {

// What a call of the host may do to the agent while it lasts.
struct TickEffect {
  std::vector<bool> variables;  // of the tree, that it may set
  std::vector<bool> signals;    // of the tree, that it may raise
  bool raises = false;          // it may raise some event, of the tree or not
};
using SharedEffect = std::shared_ptr<const TickEffect>;  // null: it does nothing
SharedEffect both(const SharedEffect& one, const SharedEffect& other);

// A set of states is a function that is true for its members. Sets are subsets of any().
class TickStates {
 public:
  TickStates(const ir::Tree& tree, const Facts& facts);

  logic::Diagrams diagrams;

  // All states that can be. A timestamp was never set, is set some time ago, or is cleared; two that clear each other
  // are never both set.
  logic::Function any() const { return any_; }
  logic::Function none() const { return diagrams.constant(false); }
  bool may_be(logic::Function states) const { return diagrams.is_satisfiable(states) != logic::Answer::no; }

  // The values of the tree's variables.
  const std::vector<logic::Function>& variables() const { return values_; }
  // Where the condition, or the comparison of times, of a node holds: everywhere if it has none.
  logic::Function holds(const ir::Node& node);
  // The same for each term of its condition; empty if it has none.
  std::vector<logic::Function> terms(const ir::Condition& condition);

  // The states after the tree's reaction to an event.
  logic::Function after_event(logic::Function before, std::uint32_t signal);
  // The states after any number of changes of an effect.
  logic::Function after(logic::Function before, const SharedEffect& effect);
  // A script, or a host's behaviour.
  SharedEffect effect_of_script() const { return anything_; }
  SharedEffect effect_of(const ir::Behavior& behavior) const;

  // "'A' is true and 'B' is false": a state among these, shortly; empty if none is known or all are.
  std::string example(logic::Function states) const;

 private:
  // The diagram variables of a timestamp that is compared: `first` is true if it is set, the next one if it is cleared;
  // then two for each threshold: is more time elapsed, is less? All are false if it was never set.
  struct Clock {
    std::vector<std::int64_t> thresholds_us;  // sorted
    std::uint32_t first = 0;
  };

  logic::Function find_after_event(logic::Function before, std::uint32_t signal);
  logic::Function find_after(logic::Function before, const TickEffect& effect);
  void find_clocks();
  void number_variables();
  void limit_clocks();
  logic::Function variable(std::uint32_t number) { return diagrams.variable(clamped(number)); }
  static logic::Variable clamped(std::uint32_t number);
  std::vector<logic::Literal> literals(const Clock& clock, bool is_set, bool is_cleared, std::int64_t elapsed_us) const;
  std::vector<logic::Variable> variables(const Clock& clock) const;
  logic::Function comparison(const ir::Node& node);
  logic::Function assigned(logic::Function before, std::uint32_t variable, logic::Function value);
  logic::Function replaced(logic::Function before, const Clock& clock, std::span<const logic::Literal> now);
  logic::Function forgotten(logic::Function before, const TickEffect& effect);
  std::optional<std::string> shown(const logic::Literal& literal) const;

  const ir::Tree& tree_;
  std::vector<std::optional<Clock>> clocks_;  // of each timestamp that is compared
  std::vector<std::uint32_t> numbers_;        // of each variable of the tree
  std::vector<logic::Function> values_;       // the same, as functions
  std::uint32_t variable_count_ = 0;
  std::vector<logic::Function> conditions_;  // of the tree, made on demand
  std::vector<bool> is_made_;
  logic::Function any_;
  std::vector<bool> signal_only_;
  std::vector<std::vector<std::uint32_t>> set_by_;  // timestamps, of each signal of the tree
  SharedEffect anything_;
  // What has been found: most nodes change the same few sets in the same way.
  std::map<std::pair<logic::Function, std::uint32_t>, logic::Function> after_events_;  // by states and signal
  std::map<std::pair<logic::Function, SharedEffect>, logic::Function> after_effects_;
};

}  // namespace espalier::lint

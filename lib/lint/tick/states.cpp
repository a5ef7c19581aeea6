// Sets of states as functions. See states.h.
#include "lint/tick/states.h"

#include <algorithm>

#include "lint/condition_functions.h"
#include "lint/signal_only.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Function;
using logic::Literal;

constexpr std::size_t kStateSteps = 1'000'000;  // of one tree
constexpr int kMaxRounds = 16;                  // of changes, before what they may change counts as unrelated

bool is_any(const std::vector<bool>& bits) { return std::find(bits.begin(), bits.end(), true) != bits.end(); }

void add_bits(std::vector<bool>& bits, const std::vector<bool>& more) {
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = bits[i] || more[i];
}

template <typename Look>
void each_node(const ir::Node& root, const Look& look) {
  for (const ir::Node& node : ir::nodes_from(root)) look(node);
}

}  // namespace

SharedEffect both(const SharedEffect& one, const SharedEffect& other) {
  if (one == nullptr || one == other) return other;
  if (other == nullptr) return one;
  TickEffect result = *one;
  add_bits(result.variables, other->variables);
  add_bits(result.signals, other->signals);
  result.raises = one->raises || other->raises;
  return std::make_shared<const TickEffect>(std::move(result));
}

// ---- Numbers of diagram variables ---------------------------------------------------------------

TickStates::TickStates(const ir::Tree& tree, const Facts& facts)
    : diagrams(kStateSteps),
      tree_(tree),
      clocks_(tree.as<ir::Ticking>().timestamps.size()),
      conditions_(tree.conditions.size()),
      is_made_(tree.conditions.size()),
      signal_only_(signal_only_variables(tree, facts)),
      set_by_(tree.signals.size()) {
  const std::vector<ir::Timestamp>& timestamps = tree.as<ir::Ticking>().timestamps;
  for (std::uint32_t i = 0; i < timestamps.size(); ++i) set_by_[timestamps[i].signal].push_back(i);
  find_clocks();
  number_variables();
  for (const std::uint32_t number : numbers_) values_.push_back(variable(number));
  limit_clocks();
  TickEffect anything{signal_only_, std::vector<bool>(tree.signals.size(), true), true};
  anything.variables.flip();
  anything_ = std::make_shared<const TickEffect>(std::move(anything));
}

void TickStates::find_clocks() {
  each_node(tree_.root(), [&](const ir::Node& node) {
    const ir::TimeTest* const test = node.as_if<ir::TimeTest>();
    if (test == nullptr || !test->timestamp) return;
    std::optional<Clock>& clock = clocks_[*test->timestamp];
    if (!clock) clock.emplace();
    clock->thresholds_us.push_back(static_cast<std::int64_t>(test->threshold_us));
  });
  for (std::optional<Clock>& clock : clocks_) {
    if (!clock) continue;
    std::vector<std::int64_t>& thresholds = clock->thresholds_us;
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  }
}

// In the order of their first use, so that what is used together is adjacent.
void TickStates::number_variables() {
  std::vector<bool> is_known(tree_.variables.size());
  std::vector<bool> is_numbered(clocks_.size());
  numbers_.resize(tree_.variables.size());
  const auto add = [&](const ir::Condition* condition) {
    std::vector<std::uint32_t> named;
    add_variables_in_order(condition, is_known, named);
    for (const std::uint32_t each : named) numbers_[each] = variable_count_++;
  };
  each_node(tree_.root(), [&](const ir::Node& node) {
    add(condition_of(tree_, node));
    const ir::TimeTest* const test = node.as_if<ir::TimeTest>();
    if (test == nullptr || !test->timestamp || is_numbered[*test->timestamp]) return;
    Clock& clock = *clocks_[*test->timestamp];
    clock.first = variable_count_;
    variable_count_ += 2 + 2 * static_cast<std::uint32_t>(clock.thresholds_us.size());
    is_numbered[*test->timestamp] = true;
  });
  for (const ir::Condition& condition : tree_.conditions) add(&condition);
  for (std::uint32_t i = 0; i < is_known.size(); ++i) {
    if (!is_known[i]) numbers_[i] = variable_count_++;
  }
}

logic::Variable TickStates::clamped(std::uint32_t number) {
  return static_cast<logic::Variable>(std::min<std::uint32_t>(number, logic::kMaxVariables));
}

// ---- Timestamps ---------------------------------------------------------------------------------

std::vector<Literal> TickStates::literals(const Clock& clock, bool is_set, bool is_cleared,
                                          std::int64_t elapsed_us) const {
  std::vector<Literal> result = {{clamped(clock.first), is_set}, {clamped(clock.first + 1), is_cleared}};
  std::uint32_t number = clock.first + 2;
  for (const std::int64_t threshold_us : clock.thresholds_us) {
    result.push_back({clamped(number++), is_set && elapsed_us > threshold_us});
    result.push_back({clamped(number++), is_set && elapsed_us < threshold_us});
  }
  return result;
}

std::vector<logic::Variable> TickStates::variables(const Clock& clock) const {
  std::vector<logic::Variable> result;
  for (const Literal& literal : literals(clock, false, false, 0)) result.push_back(literal.variable);
  return result;
}

void TickStates::limit_clocks() {
  const std::vector<ir::Timestamp>& timestamps = tree_.as<ir::Ticking>().timestamps;
  const auto clears = [&](std::size_t one, std::size_t other) { return timestamps[one].exclusive_to == other; };
  any_ = diagrams.constant(true);
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (!clocks_[i]) continue;
    const Clock& clock = *clocks_[i];
    Function can_be = diagrams.all_of(literals(clock, false, false, 0));
    const auto add = [&](bool is_set, std::int64_t elapsed_us) {
      can_be = diagrams.disjunction(can_be, diagrams.all_of(literals(clock, is_set, !is_set, elapsed_us)));
    };
    const bool can_be_cleared =
        std::any_of(timestamps.begin(), timestamps.end(), [&](const auto& other) { return other.exclusive_to == i; });
    if (can_be_cleared) add(false, 0);
    // One that its own event clears, by itself or by another one, is never seen set.
    const bool can_be_set = std::none_of(timestamps.begin(), timestamps.end(), [&](const auto& other) {
      return other.exclusive_to == i && other.signal == timestamps[i].signal;
    });
    if (can_be_set) {
      // The elapsed times with different answers.
      add(true, 0);
      for (const std::int64_t threshold_us : clock.thresholds_us) {
        for (const std::int64_t elapsed_us : {threshold_us - 1, threshold_us, threshold_us + 1}) {
          if (threshold_us >= 0 && elapsed_us >= 0) add(true, elapsed_us);
        }
      }
    }
    any_ = diagrams.conjunction(any_, can_be);
    for (std::size_t other = 0; other < i; ++other) {
      if (!clocks_[other] || !clears(i, other) || !clears(other, i)) continue;
      const Function are_both_set = diagrams.conjunction(variable(clock.first), variable(clocks_[other]->first));
      any_ = diagrams.conjunction(any_, diagrams.negation(are_both_set));
    }
  }
}

Function TickStates::comparison(const ir::Node& node) {
  const ir::TimeTest& test = node.as<ir::TimeTest>();
  const bool holds_when_never_set = (node.flags & kTimeNeverSet) != 0;
  if (!test.timestamp) return diagrams.constant(holds_when_never_set);
  const Clock& clock = *clocks_[*test.timestamp];
  const auto found = std::lower_bound(clock.thresholds_us.begin(), clock.thresholds_us.end(),
                                      static_cast<std::int64_t>(test.threshold_us));
  const auto number = static_cast<std::uint32_t>(found - clock.thresholds_us.begin());
  const std::uint32_t is_less = (node.flags & kTimeIsLess) != 0 ? 1 : 0;
  const Function compares = variable(clock.first + 2 + 2 * number + is_less);
  if (!holds_when_never_set) return compares;
  const Literal used[] = {{clamped(clock.first), true}, {clamped(clock.first + 1), true}};
  return diagrams.disjunction(compares, diagrams.negation(diagrams.any_of(used)));
}

// ---- Conditions ---------------------------------------------------------------------------------

Function TickStates::holds(const ir::Node& node) {
  if (node.as_if<ir::TimeTest>() != nullptr) return comparison(node);
  const std::optional<ir::ConditionIndex> index = condition_of(node);
  if (!index) return diagrams.constant(true);
  if (!is_made_[*index]) conditions_[*index] = function_of(&tree_.conditions[*index], values_, diagrams);
  is_made_[*index] = true;
  return conditions_[*index];
}

std::vector<Function> TickStates::terms(const ir::Condition& condition) {
  return functions_of_terms(condition, values_, diagrams);
}

// ---- Changes ------------------------------------------------------------------------------------

Function TickStates::assigned(Function before, std::uint32_t changed, Function value) {
  const logic::Variable number[] = {clamped(numbers_[changed])};
  const Function when_true = diagrams.exists(diagrams.conjunction(before, value), number);
  const Function when_false = diagrams.exists(diagrams.conjunction(before, diagrams.negation(value)), number);
  return diagrams.choice(values_[changed], when_true, when_false);
}

Function TickStates::replaced(Function before, const Clock& clock, std::span<const Literal> now) {
  return diagrams.conjunction(diagrams.exists(before, variables(clock)), diagrams.all_of(now));
}

Function TickStates::after_event(Function before, std::uint32_t signal) {
  const auto [known, is_new] = after_events_.try_emplace({before, signal});
  if (is_new) known->second = find_after_event(before, signal);
  return known->second;
}

Function TickStates::find_after_event(Function before, std::uint32_t signal) {
  for (const ir::Assignment& assignment : tree_.signals[signal].assignments) {
    const Function value = function_of(&tree_.conditions[assignment.condition], values_, diagrams);
    before = assigned(before, assignment.variable, value);
  }
  const std::vector<ir::Timestamp>& timestamps = tree_.as<ir::Ticking>().timestamps;
  for (const std::uint32_t i : set_by_[signal]) {
    if (clocks_[i]) before = replaced(before, *clocks_[i], literals(*clocks_[i], true, false, 0));
  }
  for (const std::uint32_t i : set_by_[signal]) {
    const std::optional<std::uint32_t> cleared_one = timestamps[i].exclusive_to;
    if (!cleared_one || !clocks_[*cleared_one]) continue;
    const Clock& clock = *clocks_[*cleared_one];
    const Function is_set = variable(clock.first);
    const Function cleared = replaced(diagrams.conjunction(before, is_set), clock, literals(clock, false, true, 0));
    before = diagrams.disjunction(diagrams.conjunction(before, diagrams.negation(is_set)), cleared);
  }
  return before;
}

SharedEffect TickStates::effect_of(const ir::Behavior& behavior) const {
  if (!behavior.sets && !behavior.sends) return anything_;
  TickEffect effect = *anything_;
  if (behavior.sets) {
    effect.variables.assign(effect.variables.size(), false);
    for (std::uint32_t i = 0; i < tree_.variables.size(); ++i) {
      effect.variables[i] = std::any_of(behavior.sets->begin(), behavior.sets->end(), [&](const std::string& name) {
        return text::equal_any_case(name, tree_.variables[i].name);
      });
    }
  }
  if (behavior.sends) {
    effect.raises = !behavior.sends->empty();
    for (std::uint32_t i = 0; i < tree_.signals.size(); ++i) {
      effect.signals[i] =
          std::find(behavior.sends->begin(), behavior.sends->end(), tree_.signals[i].name) != behavior.sends->end();
    }
  }
  const bool does_nothing = !effect.raises && !is_any(effect.variables);
  return does_nothing ? nullptr : std::make_shared<const TickEffect>(std::move(effect));
}

// The states in which all that the effect can change has any value.
Function TickStates::forgotten(Function before, const TickEffect& effect) {
  std::vector<bool> changed = effect.variables;
  std::vector<logic::Variable> free;
  const std::vector<ir::Timestamp>& timestamps = tree_.as<ir::Ticking>().timestamps;
  for (std::uint32_t signal = 0; signal < effect.signals.size(); ++signal) {
    if (!effect.signals[signal]) continue;
    for (const ir::Assignment& assignment : tree_.signals[signal].assignments) changed[assignment.variable] = true;
  }
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (!clocks_[i]) continue;
    const bool can_change = std::any_of(timestamps.begin(), timestamps.end(), [&](const ir::Timestamp& each) {
      return (&each == &timestamps[i] || each.exclusive_to == i) && effect.signals[each.signal];
    });
    if (!can_change) continue;
    const std::vector<logic::Variable> own = variables(*clocks_[i]);
    free.insert(free.end(), own.begin(), own.end());
  }
  for (std::uint32_t i = 0; i < changed.size(); ++i) {
    if (changed[i]) free.push_back(clamped(numbers_[i]));
  }
  return diagrams.conjunction(diagrams.exists(before, free), any_);
}

Function TickStates::after(Function before, const SharedEffect& effect) {
  if (effect == nullptr || !may_be(before)) return before;
  const auto [known, is_new] = after_effects_.try_emplace({before, effect});
  if (is_new) known->second = find_after(before, *effect);
  return known->second;
}

Function TickStates::find_after(Function before, const TickEffect& effect) {
  std::vector<logic::Variable> set;
  for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
    if (effect.variables[i]) set.push_back(clamped(numbers_[i]));
  }
  Function states = diagrams.exists(before, set);
  for (int round = 0; round < kMaxRounds; ++round) {
    const Function known = states;
    for (std::uint32_t signal = 0; signal < effect.signals.size() && states.is_known(); ++signal) {
      if (effect.signals[signal]) states = diagrams.disjunction(states, after_event(states, signal));
    }
    states = diagrams.exists(states, set);
    if (diagrams.is_equal(states, known) != Answer::no) return states;
  }
  return forgotten(before, effect);
}

// ---- Examples -----------------------------------------------------------------------------------

std::optional<std::string> TickStates::shown(const Literal& literal) const {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (numbers_[i] == literal.variable) {
      return text::quote(tree_.variables[i].name) + (literal.value ? " is true" : " is false");
    }
  }
  return std::nullopt;
}

std::string TickStates::example(Function states) const {
  std::string text;
  const std::optional<std::vector<Literal>> witness = diagrams.witness(states);
  if (!witness) return text;
  for (const Literal& literal : *witness) {
    const std::optional<std::string> part = shown(literal);
    if (!part) continue;
    text += text.empty() ? "" : " and ";
    text += *part;
  }
  return text;
}

}  // namespace espalier::lint

// The possible results of updates of a node. See tick_outcomes.h.
#include "lint/tick_outcomes.h"

#include <algorithm>

#include "lint/tick_parallel.h"

namespace espalier::lint {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_guard

// A node that does not run has no later updates.
Outcome made_of(unsigned first, unsigned later) {
  const auto results = static_cast<Results>(first);
  return {results, (results & kRuns) != 0 ? static_cast<Results>(later) : Results{0}};
}

// The results of beginning child `number`, in the same update; the next child begins when one gives `goes_on`.
Results begin_at(std::span<const Outcome> children, std::size_t number, Results goes_on) {
  unsigned results = 0;
  for (; number < children.size(); ++number) {
    results |= children[number].first & ~goes_on;
    if ((children[number].first & goes_on) == 0) return static_cast<Results>(results);
  }
  return static_cast<Results>(results | goes_on);
}

// The results with `from` replaced by `to`.
Results exchanged(Results results, Results from, Results to) {
  return (results & from) == 0 ? results : static_cast<Results>((results & ~from) | to);
}

// A loop counts the results `counted` and ends with that result at the `count`th (0: never), or at once with the other
// one. A child that was running is restarted in the update in which it ends.
Outcome loop(const Outcome& child, Results counted, std::uint32_t count) {
  const auto ends = static_cast<Results>(kFails | kSucceeds);
  const auto breaks = static_cast<Results>(ends & ~counted);
  const bool is_last = count == 1;
  const unsigned first = exchanged(child.first, counted, is_last ? counted : kRuns);
  unsigned later = child.later & (breaks | kRuns);
  const bool is_counted_later = (child.later & counted) != 0;
  const bool begins_anew = !is_last && child.can(counted);
  if (count != 0 && (is_counted_later || begins_anew)) later |= counted;
  if (begins_anew) later |= kRuns | (child.first & breaks);
  return made_of(first, later);
}

Outcome with_truth(Truth truth, Results otherwise) {
  const unsigned results = (truth.can_hold ? kSucceeds : 0u) | (truth.can_fail ? otherwise : 0u);
  return made_of(results, results);
}

Outcome gate(Truth opening, const Outcome& child) {
  const unsigned first = (opening.can_hold ? child.first : 0u) | (opening.can_fail ? kFails : 0u);
  return made_of(first, opening.can_hold ? child.later : 0u);
}

Results declared(Results results, Hosts hosts) {
  if (hosts == Hosts::choose) return results;
  if ((results & kRuns) != 0) return kRuns;
  const bool is_one = (results & (results - 1)) == 0;
  return is_one ? results : Results{0};
}

}  // namespace

// ---- Gates --------------------------------------------------------------------------------------

// A timestamp is never set, set, or cleared by another one.
Truth ResultRules::comparison(const ir::Node& node) const {
  const ir::TimeTest& own = node.as<ir::TimeTest>();
  const bool holds_when_never_set = (node.flags & kTimeNeverSet) != 0;
  Truth truth{holds_when_never_set, !holds_when_never_set};
  if (!own.timestamp) return truth;
  const auto threshold_us = static_cast<std::int64_t>(own.threshold_us);
  const bool is_less = (node.flags & kTimeIsLess) != 0;
  const bool never = is_less && threshold_us <= 0;
  const bool always = !is_less && threshold_us < 0;
  const std::vector<ir::Timestamp>& timestamps = tree.as<ir::Ticking>().timestamps;
  const bool can_be_cleared = std::any_of(timestamps.begin(), timestamps.end(), [&](const ir::Timestamp& other) {
    return other.exclusive_to == own.timestamp;
  });
  truth.can_hold |= !never;
  truth.can_fail |= !always || can_be_cleared;
  return truth;
}

Truth ResultRules::opening(const ir::Node& node) const {
  switch (node.opcode) {
    case Opcode::tick_guard:
      return truth_of(condition_of(tree, node));
    case Opcode::tick_chance_guard: {
      const std::uint64_t number = node.as<ir::Chance>().number;
      return {number > 0, number < kAlwaysOpen};
    }
    case Opcode::tick_time_guard:
      return comparison(node);
    case Opcode::tick_limit: {
      const std::uint32_t maximum = node.as<ir::Limit>().maximum;
      return {maximum > 0, !facts.agent_count || maximum < *facts.agent_count};
    }
    case Opcode::tick_scope:
      return {node.as<ir::Limit>().maximum > 0, true};
    case Opcode::tick_script_guard:
      return {true, true};
    case Opcode::tick_wrapper: {
      const Results results = node.as<ir::Behavior>().results;
      const bool can_open = (results & (kRuns | kSucceeds)) != 0;
      const bool can_close = (results & kFails) != 0;
      return {can_open, can_close && (hosts == Hosts::choose || !can_open)};
    }
    default:
      return {true, false};
  }
}

// ---- Composites ---------------------------------------------------------------------------------

Outcome ResultRules::row(std::span<const Outcome> children, Result goes_on) const {
  const Results next = bit(goes_on);
  unsigned later = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    later |= children[i].later & ~next;
    if ((children[i].later & next) != 0) later |= begin_at(children, i + 1, next);
    if (!children[i].can(next)) break;
  }
  return made_of(begin_at(children, 0, next), later);
}

Outcome ResultRules::priority(const ir::Node& node, std::span<const Outcome> children) const {
  const Choice choice = choice_of(tree, node);
  unsigned first = choice.none_can_hold ? kFails : 0u;
  unsigned later = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!choice.can_be_first[i]) continue;
    first |= children[i].first;
    later |= children[i].later;
  }
  const auto possible = std::count(choice.can_be_first.begin(), choice.can_be_first.end(), true);
  const bool can_turn = choice.none_can_hold || possible > 1;
  return made_of(first, can_turn ? later | first : later);
}

Outcome ResultRules::machine(const ir::Node& node, std::span<const Outcome> children) const {
  const std::vector<bool> reached = reached_states(node);
  unsigned later = children[0].later;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!reached[i]) continue;
    for (const ir::EventTransition& transition : node.children[i].as<ir::EventTransitions>().transitions) {
      later |= children[transition.target].all();
    }
  }
  return made_of(children[0].first, later);
}

// ---- All nodes ----------------------------------------------------------------------------------

Outcome ResultRules::leaf(const ir::Node& node) const {
  const Results result = bit(static_cast<Result>(node.flags & kResultMask));
  switch (node.opcode) {
    case Opcode::tick_wait: {
      const ir::Duration& wait = node.as<ir::Duration>();
      const unsigned at_once = wait.time_us == 0 ? result : 0u;
      const unsigned runs = wait.time_us != 0 || wait.random_us != 0 ? kRuns : 0u;
      return made_of(at_once | runs, result | kRuns);
    }
    case Opcode::tick_wait_event:
      return made_of(kRuns, result | kRuns);
    case Opcode::tick_condition:
      return with_truth(truth_of(condition_of(tree, node)), result);
    case Opcode::tick_time:
      return with_truth(comparison(node), result);
    case Opcode::tick_result:
    case Opcode::tick_send:
    case Opcode::tick_queue:
      return made_of(result, result);
    case Opcode::tick_script:
      return made_of((node.flags & kScriptDecides) != 0 ? kSucceeds | kFails : kSucceeds, 0);
    case Opcode::tick_action: {
      const Results results = declared(node.as<ir::Behavior>().results, hosts);
      return made_of(results, results);
    }
    default:
      return {kSucceeds, 0};
  }
}

Outcome ResultRules::outcome(const ir::Node& node, std::span<const Outcome> children) const {
  if (children.empty()) return leaf(node);
  switch (node.opcode) {
    case Opcode::tick_sequence:
      return row(children, Result::success);
    case Opcode::tick_selector:
      return row(children, Result::failure);
    case Opcode::tick_parallel:
      return parallel_outcome(node.flags, children);
    case Opcode::tick_priority:
      return priority(node, children);
    case Opcode::tick_machine:
      return machine(node, children);
    case Opcode::tick_loop:
      return loop(children[0], (node.flags & kLoopsUntilSuccess) != 0 ? kFails : kSucceeds,
                  node.as<ir::Limit>().maximum);
    case Opcode::tick_suppress:
      return made_of(exchanged(children[0].first, kFails, kSucceeds), exchanged(children[0].later, kFails, kSucceeds));
    case Opcode::tick_wrapper: {
      const bool keeps = (node.flags & kWrapperKeeps) != 0;
      return gate(opening(node), keeps ? loop(children[0], kSucceeds, 0) : children[0]);
    }
    default:
      return gate(opening(node), children[0]);
  }
}

Results ResultRules::after(const ir::Node& parent, std::span<const Outcome> children, std::size_t number,
                           Result result) const {
  const Results now = bit(result);
  const std::uint32_t flags = parent.flags;
  if (result == Result::running) return kRuns;
  switch (parent.opcode) {
    case Opcode::tick_sequence:
      return result == Result::success ? begin_at(children, number + 1, kSucceeds) : now;
    case Opcode::tick_selector:
      return result == Result::failure ? begin_at(children, number + 1, kFails) : now;
    case Opcode::tick_parallel:
      return parallel_after(flags, children, number, result);
    case Opcode::tick_loop: {
      const Results counted = (flags & kLoopsUntilSuccess) != 0 ? kFails : kSucceeds;
      if (now != counted) return now;
      const std::uint32_t count = parent.as<ir::Limit>().maximum;
      unsigned results = count == 0 ? 0u : counted;
      if (count != 1) results |= kRuns | (children[0].can(kRuns) ? children[0].first & ~counted : 0u);
      return static_cast<Results>(results);
    }
    case Opcode::tick_suppress:
      return kSucceeds;
    case Opcode::tick_wrapper:
      return (flags & kWrapperKeeps) != 0 && result == Result::success ? kRuns : now;
    default:
      return now;
  }
}

Choice choice_of(const ir::Tree& tree, const ir::Node& priority) {
  Choice choice;
  std::vector<const ir::Condition*> conditions;
  std::set<std::uint32_t> variables;
  for (const ir::Node& node : priority.children) {
    conditions.push_back(condition_of(tree, node));
    add_variables(conditions.back(), variables);
  }
  const std::optional<Tables> tables = tables_of(variables);
  Table open(tables ? tables->word_count : 1, ~std::uint64_t{0});  // combinations for which no case so far holds
  bool is_doubtful = false;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const ir::Condition* condition = conditions[i];
    choice.can_be_first.push_back(choice.none_can_hold);
    if (priority.children[i].is_doubtful) {  // its condition is misspelt: the consequences are not reported
      is_doubtful = true;
      continue;
    }
    if (!tables) {
      choice.none_can_hold = choice.none_can_hold && truth_of(condition).can_fail;
      continue;
    }
    Table holds = evaluate(condition, *tables);
    for (std::size_t word = 0; word < open.size(); ++word) {
      holds[word] &= open[word];
      open[word] &= ~holds[word];
    }
    choice.can_be_first.back() = is_ever_true(holds);
    choice.none_can_hold = is_ever_true(open);
  }
  if (is_doubtful) choice.none_can_hold = false;
  return choice;
}

std::vector<bool> reached_states(const ir::Node& machine, std::uint32_t from) {
  std::vector<bool> reached(machine.children.size());
  std::vector<std::uint32_t> open = {from};
  reached[from] = true;
  while (!open.empty()) {
    const ir::Node& state = machine.children[open.back()];
    open.pop_back();
    for (const ir::EventTransition& transition : state.as<ir::EventTransitions>().transitions) {
      if (!reached[transition.target]) open.push_back(transition.target);
      reached[transition.target] = true;
    }
  }
  return reached;
}

}  // namespace espalier::lint

// Variables, signals and timestamps that are never read, never set, or have no effect. See analysis.h.
#include <map>
#include <set>
#include <utility>

#include "lint/condition_functions.h"
#include "lint/signal_only.h"
#include "lint/tick/analysis.h"
#include "rules/modular.h"

namespace espalier::lint {
namespace {

// ---- Variables ----------------------------------------------------------------------------------

// The variables that a signal of the tree sets.
std::vector<bool> set_by_signals(const ir::Tree& tree) {
  std::vector<bool> result(tree.variables.size());
  for (const ir::Signal& signal : tree.signals) {
    for (const ir::Assignment& assignment : signal.assignments) result[assignment.variable] = true;
  }
  return result;
}

// The signal-only variables that no signal and no host behaviour sets.
std::vector<bool> unset_variables(const TickAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  std::vector<bool> result = signal_only_variables(tree, analysis.outline.facts);
  const std::vector<bool> is_set = set_by_signals(tree);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] && !is_set[i];
  std::set<const std::vector<std::string>*> seen;
  for (const Place& place : analysis.outline.places) {
    const ir::Behavior* const behavior = place.node->as_if<ir::Behavior>();
    if (behavior == nullptr || !behavior->sets || !seen.insert(&*behavior->sets).second) continue;
    for (const std::string& name : *behavior->sets) {
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (text::equal_any_case(name, tree.variables[i].name)) result[i] = false;
      }
    }
  }
  return result;
}

// The words, in lower case, of texts that the game or a script interprets: they may contain the name of a variable.
std::set<std::string> words_of_game(const TickOutline& outline) {
  std::set<std::string> words;
  const auto add = [&](std::string_view text) {
    constexpr std::string_view kBreaks = " \t\r\n\"'`()[]{}<>=~+-*/%^#,;:.!?&|\\$@";
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(kBreaks, begin), text.size());
      if (end > begin) words.insert(text::lower_case(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  };
  for (const Place& place : outline.places) {
    if (const ir::Scripts* scripts = place.node->as_if<ir::Scripts>()) {
      for (const std::string& source : scripts->sources) add(source);
    } else if (const ir::Behavior* behavior = place.node->as_if<ir::Behavior>()) {
      for (const ir::Parameter& parameter : behavior->parameters) add(parameter.text);
    }
  }
  return words;
}

void find_idle_variables(TickAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  std::vector<bool> is_read(tree.variables.size());
  std::vector<std::uint32_t> read;
  for (const ir::Condition& condition : tree.conditions) add_variables_in_order(&condition, is_read, read);
  const std::set<std::string> words = words_of_game(analysis.outline);
  const std::vector<bool> is_set = set_by_signals(tree);
  const std::vector<bool> is_unset = unset_variables(analysis);
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    const ir::Variable& variable = tree.variables[i];
    if (!is_read[i]) {
      if (variable.is_doubtful || words.count(text::lower_case(variable.name)) != 0) continue;
      if (is_set[i]) {
        analysis.findings.add(rules::MBT_variable_never_read, variable.span,
                              "variable " + quote(variable.name) + " is never read in this tree");
      } else {
        analysis.findings.add(rules::MBT_unused_variable, variable.span,
                              "variable " + quote(variable.name) + " is neither set by a signal nor read in this tree",
                              "if the game does not set it by name, remove it");
      }
    } else if (is_unset[i]) {
      analysis.findings.add(
          rules::MBT_variable_never_set, variable.span,
          "variable " + quote(variable.name) + " is never set: no signal sets it, and it is declared signal-only");
    }
  }
}

// ---- Signals ------------------------------------------------------------------------------------

// For each entry of a signal, a later one that sets the same variable, if neither it nor one between them reads the
// variable; else null.
std::vector<const ir::Assignment*> find_overwriting(const ir::Tree& tree, const ir::Signal& signal) {
  std::vector<const ir::Assignment*> result(signal.assignments.size());
  std::map<std::uint32_t, const ir::Assignment*>
      next;  // the first later entry for the variable; null: it is read first
  for (std::size_t i = result.size(); i-- > 0;) {
    const ir::Assignment& assignment = signal.assignments[i];
    result[i] = std::exchange(next[assignment.variable], &assignment);
    std::vector<bool> is_read(tree.variables.size());
    std::vector<std::uint32_t> read;
    add_variables_in_order(&tree.conditions[assignment.condition], is_read, read);
    for (const std::uint32_t variable : read) next[variable] = nullptr;
  }
  return result;
}

// Whether each entry can change its variable, after the entries before it. True if that is too much to decide.
std::vector<bool> find_changes(TickStates& states, const ir::Tree& tree, const ir::Signal& signal) {
  std::vector<bool> changes;
  std::vector<logic::Function> values = states.variables();
  for (const ir::Assignment& assignment : signal.assignments) {
    logic::Function& present = values[assignment.variable];
    const logic::Function value = function_of(&tree.conditions[assignment.condition], values, states.diagrams);
    changes.push_back(states.diagrams.is_equal(value, present) != logic::Answer::yes);
    present = value;
  }
  return changes;
}

void find_idle_signals(TickAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  for (const ir::Signal& signal : tree.signals) {
    const std::vector<bool> changes = find_changes(*analysis.outline.states, tree, signal);
    const std::vector<const ir::Assignment*> overwriting = find_overwriting(tree, signal);
    for (std::size_t i = 0; i < signal.assignments.size(); ++i) {
      const ir::Assignment& assignment = signal.assignments[i];
      const std::string variable = quote(tree.variables[assignment.variable].name);
      if (!changes[i]) {
        analysis.findings.add(rules::MBT_signal_no_effect, assignment.span,
                              "this never changes " + variable + ", which already has the value");
      } else if (const ir::Assignment* later = overwriting[i]) {
        analysis.findings
            .add(rules::MBT_signal_no_effect, assignment.span,
                 "this value is never read: a later entry of " + quote(signal.name) + " sets " + variable + " again")
            .related.push_back({later->span, "this entry takes effect"});
      }
    }
  }
}

// ---- Timestamps ---------------------------------------------------------------------------------

void find_idle_timestamps(TickAnalysis& analysis) {
  const std::vector<ir::Timestamp>& timestamps = analysis.ticking().timestamps;
  std::vector<bool> is_read(timestamps.size());
  for (const Place& place : analysis.outline.places) {
    const ir::TimeTest* const test = place.node->as_if<ir::TimeTest>();
    if (test != nullptr && test->timestamp) is_read[*test->timestamp] = true;
  }
  for (std::uint32_t i = 0; i < timestamps.size(); ++i) {
    const ir::Timestamp& timestamp = timestamps[i];
    const std::string name = quote(timestamp.name);
    const std::optional<std::uint32_t> other = timestamp.exclusive_to;
    if (!is_read[i]) {
      // A timestamp that clears another has a use.
      const bool has_use = timestamp.is_doubtful || (other && is_read[*other]);
      if (!has_use) {
        analysis.findings.add(rules::MBT_timestamp_never_read, timestamp.span, "timestamp " + name + " is never read");
      }
    } else if (other && is_read[*other] && timestamps[*other].exclusive_to != i && !timestamps[*other].is_doubtful) {
      const std::string other_name = quote(timestamps[*other].name);
      std::string message = name;
      message += " clears " + other_name + " when it is set, but ";
      message += other_name + " does not clear ";
      message += name;
      analysis.findings.add(rules::MBT_exclusive_one_way, timestamp.span, std::move(message))
          .related.push_back({timestamps[*other].span, "this does not clear " + name});
    }
  }
}

}  // namespace

void analyse_names(TickAnalysis& analysis) {
  find_idle_variables(analysis);
  find_idle_signals(analysis);
  find_idle_timestamps(analysis);
}

}  // namespace espalier::lint

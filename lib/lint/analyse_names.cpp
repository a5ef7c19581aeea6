// Variables, signals and timestamps that nothing reads, nothing sets, or that change nothing. See analysis.h.
#include <algorithm>
#include <set>

#include "lint/analysis.h"

namespace espalier::lint {
namespace {

// ---- Variables ----------------------------------------------------------------------------------

bool is_signal_only(const Analysis& analysis, const std::string& variable) {
  const std::vector<std::string>& names = analysis.outline.facts.signal_only;
  const std::string with_tree = analysis.tree().name + '/' + variable;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return text::equal_any_case(name, variable) || text::equal_any_case(name, with_tree);
  });
}

bool is_set_by_signal(const ir::Tree& tree, std::uint32_t variable) {
  return std::any_of(tree.signals.begin(), tree.signals.end(), [&](const ir::Signal& signal) {
    return std::any_of(signal.assignments.begin(), signal.assignments.end(),
                       [&](const ir::Assignment& assignment) { return assignment.variable == variable; });
  });
}

bool is_set_by_host(const ir::Tree& tree, const std::string& variable) {
  return std::any_of(tree.details.begin(), tree.details.end(), [&](const ir::Details& details) {
    if (!details.sets) return false;
    return std::any_of(details.sets->begin(), details.sets->end(),
                       [&](const std::string& name) { return text::equal_any_case(name, variable); });
  });
}

void find_idle_variables(Analysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  std::set<std::uint32_t> read;
  for (const ir::Condition& condition : tree.conditions) add_variables(&condition, read);
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    const ir::Variable& variable = tree.variables[i];
    if (read.count(i) == 0) {
      analysis.findings.add(Rule::MBT_variable_never_read, variable.span,
                            "nothing reads the variable " + quoted(variable.name));
    } else if (is_signal_only(analysis, variable.name) && !is_set_by_signal(tree, i) &&
               !is_set_by_host(tree, variable.name)) {
      analysis.findings.add(Rule::MBT_variable_never_set, variable.span,
                            "no signal sets the variable " + quoted(variable.name) + ", and only signals may");
    }
  }
}

// ---- Signals ------------------------------------------------------------------------------------

bool reads(const ir::Tree& tree, const ir::Assignment& assignment, std::uint32_t variable) {
  std::set<std::uint32_t> read;
  add_variables(&tree.conditions[assignment.condition], read);
  return read.count(variable) != 0;
}

// A later entry of the same signal that sets the same variable, with none before it or itself looking at it.
const ir::Assignment* find_overwriting(const ir::Tree& tree, const ir::Signal& signal, std::size_t number) {
  const std::uint32_t variable = signal.assignments[number].variable;
  for (std::size_t i = number + 1; i < signal.assignments.size(); ++i) {
    if (reads(tree, signal.assignments[i], variable)) return nullptr;
    if (signal.assignments[i].variable == variable) return &signal.assignments[i];
  }
  return nullptr;
}

// Whether each entry changes a variable whatever the variables were before the signal. True where there are too many
// variables to tell.
std::vector<bool> find_changes(const ir::Tree& tree, const ir::Signal& signal) {
  std::vector<bool> changes(signal.assignments.size(), true);
  std::set<std::uint32_t> variables;
  for (const ir::Assignment& assignment : signal.assignments) {
    add_variables(&tree.conditions[assignment.condition], variables);
    variables.insert(assignment.variable);
  }
  std::optional<Tables> state = tables_of(variables);
  for (std::size_t i = 0; state && i < changes.size(); ++i) {
    Table& present = state->variables[signal.assignments[i].variable];
    Table value = evaluate(&tree.conditions[signal.assignments[i].condition], *state);
    changes[i] = value != present;
    present = std::move(value);
  }
  return changes;
}

void find_idle_signals(Analysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  for (const ir::Signal& signal : tree.signals) {
    const std::vector<bool> changes = find_changes(tree, signal);
    for (std::size_t i = 0; i < signal.assignments.size(); ++i) {
      const ir::Assignment& assignment = signal.assignments[i];
      const std::string variable = quoted(tree.variables[assignment.variable].name);
      if (!changes[i]) {
        analysis.findings.add(Rule::MBT_signal_no_effect, assignment.span,
                              "this never changes " + variable + ", which has the value already");
      } else if (const ir::Assignment* later = find_overwriting(tree, signal, i)) {
        analysis.findings
            .add(Rule::MBT_signal_no_effect, assignment.span,
                 "the value is never seen: a later entry of " + quoted(signal.name) + " sets " + variable + " anew")
            .related.push_back({later->span, "the entry that counts"});
      }
    }
  }
}

// ---- Timestamps ---------------------------------------------------------------------------------

void find_idle_timestamps(Analysis& analysis) {
  const std::vector<ir::Timestamp>& timestamps = analysis.tree().timestamps;
  std::vector<bool> is_read(timestamps.size());
  for (const Place& place : analysis.outline.places) {
    const ir::Details& details = analysis.tree().details[place.node->details];
    if (details.timestamp) is_read[*details.timestamp] = true;
  }
  for (std::uint32_t i = 0; i < timestamps.size(); ++i) {
    const ir::Timestamp& timestamp = timestamps[i];
    const std::string name = quoted(timestamp.name);
    const std::optional<std::uint32_t> other = timestamp.exclusive_to;
    if (!is_read[i]) {
      // One that clears another is there for that one.
      const bool has_use = other && is_read[*other];
      if (!has_use) {
        analysis.findings.add(Rule::MBT_timestamp_never_read, timestamp.span, "nothing reads the timestamp " + name);
      }
    } else if (other && is_read[*other] && timestamps[*other].exclusive_to != i) {
      const std::string other_name = quoted(timestamps[*other].name);
      std::string message = name;
      message += " clears " + other_name + " when it is set, but ";
      message += other_name + " does not clear ";
      message += name;
      analysis.findings.add(Rule::MBT_exclusive_one_way, timestamp.span, std::move(message))
          .related.push_back({timestamps[*other].span, "this leaves " + name + " as it is"});
    }
  }
}

}  // namespace

void analyse_names(Analysis& analysis) {
  find_idle_variables(analysis);
  find_idle_signals(analysis);
  find_idle_timestamps(analysis);
}

}  // namespace espalier::lint

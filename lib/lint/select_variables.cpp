// Variables that nothing reads or sets, and entries of signals without effect. See select_analysis.h.
#include <algorithm>

#include "lint/select_analysis.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Formula;

void look_at_variables(SelectAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree;
  std::vector<bool> is_read(tree.variables.size());
  for (const ir::Condition& condition : tree.conditions) {
    for (const ir::Term& term : condition.terms) {
      if (term.kind == ir::TermKind::variable) is_read[term.left] = true;
    }
  }
  std::vector<bool> is_set(tree.variables.size());
  for (const ir::Signal& signal : tree.signals) {
    for (const ir::Assignment& assignment : signal.assignments) is_set[assignment.variable] = true;
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    const ir::Variable& variable = tree.variables[i];
    analysis.claim(Rule::SEL_variable_never_read, variable.span, !is_read[i] && !variable.is_doubtful,
                   "variable " + quote(variable.name) + " is never read: no condition and no signal's value names it",
                   "remove it, or use it in a condition");
    const bool is_never_set = !is_set[i] && !is_writable(tree, i, analysis.facts);
    analysis.claim(
        Rule::SEL_variable_never_set, variable.span, is_never_set,
        "variable " + quote(variable.name) + " is never set: only signals set it, and none of this tree does",
        std::string("it is always ") + (variable.initial ? "true" : "false"));
  }
}

using Values = std::vector<Formula>;  // of all variables

constexpr std::size_t kMaxEntries = 200'000;  // looked at after others, in one tree

class Signals {
 public:
  explicit Signals(SelectAnalysis& analysis) : analysis_(analysis) {}

  void look(const ir::Signal& signal) {
    Values values = analysis_.model.variables();
    for (std::size_t i = 0; i < signal.assignments.size(); ++i) {
      look_at_entry(signal, i, values);
      assign(signal.assignments[i], values);
    }
  }

 private:
  void assign(const ir::Assignment& assignment, Values& values) {
    const ir::Condition* value = &analysis_.tree.conditions[assignment.condition];
    values[assignment.variable] = function_of(value, values, analysis_.circuit);
  }

  // The later entry that overwrites what this one sets, with no other seeing it: leaving this one out changes no value
  // in between. `values`: those that the entry finds.
  Answer find_hiding(const ir::Signal& signal, std::size_t entry, const Values& values, std::size_t& hiding) {
    const std::uint32_t variable = signal.assignments[entry].variable;
    const auto begin = signal.assignments.begin() + static_cast<std::ptrdiff_t>(entry) + 1;
    const bool is_set_again = std::any_of(begin, signal.assignments.end(),
                                          [&](const ir::Assignment& later) { return later.variable == variable; });
    if (!is_set_again) return Answer::no;
    Values with = values;
    Values without = values;
    assign(signal.assignments[entry], with);
    for (hiding = entry + 1; hiding < signal.assignments.size(); ++hiding) {
      const ir::Assignment& later = signal.assignments[hiding];
      if (++looked_at_ > kMaxEntries) return Answer::unknown;
      assign(later, with);
      assign(later, without);
      const Answer is_equal = analysis_.questions.is_equal(with[later.variable], without[later.variable]);
      if (is_equal == Answer::unknown) return Answer::unknown;
      if (is_equal == Answer::no) return Answer::no;
      if (later.variable == variable) return Answer::yes;
    }
    return Answer::no;
  }

  void look_at_entry(const ir::Signal& signal, std::size_t entry, const Values& values) {
    const ir::Assignment& assignment = signal.assignments[entry];
    Values after = values;
    assign(assignment, after);
    const Answer is_same = analysis_.questions.is_equal(after[assignment.variable], values[assignment.variable]);
    std::size_t hiding = 0;
    const Answer is_hidden = is_same == Answer::yes ? Answer::no : find_hiding(signal, entry, values, hiding);
    const bool is_useless = is_same == Answer::yes || is_hidden == Answer::yes;
    if (!is_useless && (is_same == Answer::unknown || is_hidden == Answer::unknown)) {
      analysis_.leave_undecided(Rule::SEL_signal_no_effect);
    }
    Finding* finding = analysis_.claim(
        Rule::SEL_signal_no_effect, assignment.span, is_useless,
        "this entry of the signal " + quote(signal.name) + " has no effect on " +
            quote(analysis_.tree.variables[assignment.variable].name) +
            (is_same == Answer::yes ? ": the variable has the value already" : ": a later entry overwrites the value"),
        "remove it");
    if (finding != nullptr && is_hidden == Answer::yes) {
      finding->related.push_back({signal.assignments[hiding].span, "overwritten here"});
    }
  }

  SelectAnalysis& analysis_;
  std::size_t looked_at_ = 0;
};

}  // namespace

void analyse_select_variables(SelectAnalysis& analysis) {
  look_at_variables(analysis);
  Signals signals(analysis);
  for (const ir::Signal& signal : analysis.tree.signals) signals.look(signal);
}

}  // namespace espalier::lint

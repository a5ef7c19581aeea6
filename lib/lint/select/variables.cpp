// Variables that nothing reads or sets, and entries of signals without effect. See analysis.h.
#include <map>
#include <utility>

#include "lint/select/analysis.h"

#include "rules/selection.h"

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
    const bool is_never_read = !is_read[i] && !variable.is_doubtful;
    if (Finding* const finding = analysis.claim(rules::SEL_variable_never_read, variable.span, is_never_read)) {
      finding->message =
          "variable " + quote(variable.name) + " is never read: no condition and no signal's value names it";
      finding->hint = "remove it, or use it in a condition";
    }
    const bool is_never_set = !is_set[i] && !is_writable(tree, i, analysis.facts);
    if (Finding* const finding = analysis.claim(rules::SEL_variable_never_set, variable.span, is_never_set)) {
      finding->message = "variable " + quote(variable.name) +
                         " is never set: only signals can set it, and no signal of this tree does";
      finding->hint = std::string("it is always ") + (variable.initial ? "true" : "false");
    }
  }
}

using Values = std::vector<Formula>;  // of all variables

constexpr std::size_t kMaxLookedAt = 200'000;  // looked at after others, in one tree

class Signals {
 public:
  explicit Signals(SelectAnalysis& analysis) : analysis_(analysis) {}

  void look(const ir::Signal& signal) {
    find_next(signal);
    Values values = analysis_.model.variables();
    for (std::size_t i = 0; i < signal.assignments.size(); ++i) {
      look_at_entry(signal, i, values);
      assign(signal.assignments[i], values);
    }
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  // Of each entry: the next one that sets the same variable.
  void find_next(const ir::Signal& signal) {
    next_.assign(signal.assignments.size(), kNone);
    std::map<std::uint32_t, std::size_t> later;
    for (std::size_t i = signal.assignments.size(); i-- > 0;) {
      const auto [place, is_new] = later.try_emplace(signal.assignments[i].variable, i);
      if (!is_new) next_[i] = std::exchange(place->second, i);
    }
  }

  Formula value_of(const ir::Assignment& assignment, const Values& values) {
    return function_of(&analysis_.tree.conditions[assignment.condition], values, analysis_.circuit);
  }
  void assign(const ir::Assignment& assignment, Values& values) {
    values[assignment.variable] = value_of(assignment, values);
  }

  // Does the next entry for the variable overwrite what this one sets, with no other seeing it? Then leaving this one
  // out changes no value in between. `values`: those that the entry finds.
  Answer is_overwritten(const ir::Signal& signal, std::size_t entry, const Values& values) {
    if (next_[entry] == kNone) return Answer::no;
    Values with = values;
    Values without = values;
    assign(signal.assignments[entry], with);
    for (std::size_t i = entry + 1; i <= next_[entry]; ++i) {
      const ir::Assignment& later = signal.assignments[i];
      if (++looked_at_ > kMaxLookedAt) return Answer::unknown;
      assign(later, with);
      assign(later, without);
      const Answer is_equal = analysis_.questions.is_equal(with[later.variable], without[later.variable]);
      if (is_equal != Answer::yes) return is_equal;
    }
    return Answer::yes;
  }

  void look_at_entry(const ir::Signal& signal, std::size_t entry, const Values& values) {
    const ir::Assignment& assignment = signal.assignments[entry];
    const Answer is_same = analysis_.questions.is_equal(value_of(assignment, values), values[assignment.variable]);
    const Answer is_hidden = is_same == Answer::yes ? Answer::no : is_overwritten(signal, entry, values);
    const bool is_useless = is_same == Answer::yes || is_hidden == Answer::yes;
    if (!is_useless && (is_same == Answer::unknown || is_hidden == Answer::unknown)) {
      analysis_.leave_undecided(rules::SEL_signal_no_effect);
    }
    Finding* const finding = analysis_.claim(rules::SEL_signal_no_effect, assignment.span, is_useless);
    if (finding == nullptr) return;
    finding->message =
        "this entry of the signal " + quote(signal.name) + " has no effect on " +
        quote(analysis_.tree.variables[assignment.variable].name) +
        (is_same == Answer::yes ? ": the variable has the value already" : ": a later entry overwrites the value");
    finding->hint = "remove it";
    if (is_hidden == Answer::yes) {
      finding->related.push_back({signal.assignments[next_[entry]].span, "overwritten here"});
    }
  }

  SelectAnalysis& analysis_;
  std::vector<std::size_t> next_;
  std::size_t looked_at_ = 0;
};

}  // namespace

void analyse_select_variables(SelectAnalysis& analysis) {
  look_at_variables(analysis);
  Signals signals(analysis);
  for (const ir::Signal& signal : analysis.tree.signals) signals.look(signal);
}

}  // namespace espalier::lint

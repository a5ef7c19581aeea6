// Nodes that are never selected, leaves that no reachable state selects, and states in which nothing is selected. See
// analysis.h.
#include <algorithm>

#include "lint/never_reached.h"
#include "lint/select/analysis.h"
#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Formula;

constexpr std::size_t kMaxBlockers = 3;
constexpr std::size_t kMaxExampleValues = 4;

void close(SelectAnalysis& analysis, PlaceIndex place) {
  std::fill(analysis.is_closed.begin() + place, analysis.is_closed.begin() + analysis.model.places[place].end, true);
}

// "'A'", "'A' or 'B'", "'A', 'B' or another node".
std::string one_of(const SelectAnalysis& analysis, const std::vector<PlaceIndex>& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kMaxBlockers); ++i) {
    const bool is_last = i + 1 == places.size();
    text += (i == 0 ? "" : is_last ? " or " : ", ") + quote(analysis.node(places[i]).name);
  }
  return places.size() > kMaxBlockers ? text + " or another node" : text;
}

// ---- Never selected -----------------------------------------------------------------------------

void report_never_selected(SelectAnalysis& analysis, PlaceIndex place) {
  if (!analysis.has_words()) {
    analysis.findings.add(rules::SEL_never_selected, analysis.node(place).span, {});
    return;
  }
  const std::vector<Reason> reasons = analysis.enough(analysis.reasons_above(place));
  std::vector<PlaceIndex> blockers;
  for (const Reason& reason : reasons) {
    if (reason.says == Reason::Says::comes_first) blockers.push_back(reason.place);
  }
  const std::string cause =
      blockers.empty() ? "an evaluation never comes to it" : one_of(analysis, blockers) + " always comes first";
  Finding& finding =
      analysis.findings.add(rules::SEL_never_selected, analysis.node(place).span,
                            never_reached_because(analysis.name(place), "never selected", cause),
                            blockers.size() == 1 ? "move it before " + one_of(analysis, blockers) + ", or remove it"
                                                 : "move it before them, or remove it");
  explain(analysis, finding, reasons);
}

void look_at_place(SelectAnalysis& analysis, PlaceIndex place) {
  if (analysis.is_closed[place]) return;
  const PlaceIndex parent = analysis.model.places[place].parent;
  const bool is_in_priority = parent != kNoPlace && analysis.node(parent).opcode == opcode::select_priority;
  const bool is_state = analysis.node(place).opcode == opcode::select_state;
  if (is_state && analysis.can_be(rules::SEL_state_unreachable, place, {}) == Answer::no) {
    report_state_unreachable(analysis, place);
    close(analysis, place);
  }
  if (!is_in_priority) return;
  if (analysis.can_be(rules::SEL_never_selected, place, {}) == Answer::no) {
    report_never_selected(analysis, place);
    close(analysis, place);
    return;
  }
  const auto condition = condition_of(analysis.node(place));
  if (!condition) return;
  const bool is_always_false =
      look_at_condition(analysis, place, {analysis.circuit.constant(true)}, *condition, [&]() -> ConditionWords {
        const std::string name = quote(analysis.node(place).name);
        return {"the condition of " + name, "correct the condition, or remove " + name};
      });
  if (!is_always_false) return;
  analysis.is_false_here[place] = true;
  close(analysis, place);
}

// ---- Unreachable --------------------------------------------------------------------------------

// Is the leaf selected in some of the reachable states? `states` may be more than these.
Answer is_reached(SelectAnalysis& analysis, PlaceIndex leaf, const logic::Ways::States& states) {
  const auto is_in = [&](Formula all) {
    return analysis.can_be(rules::SEL_unreachable, leaf,
                           {analysis.model.condition(leaf), all, analysis.model.needs_evaluation()});
  };
  const Answer answer = is_in(states.states);
  if (answer != Answer::yes || states.is_exact) return answer;
  if (states.some.is_known() && is_in(states.some) == Answer::yes) return Answer::yes;
  const Answer found = analysis.reach().trace_to_tick(analysis.model.taken(leaf)).answer;
  if (found == Answer::unknown) analysis.leave_undecided(rules::SEL_unreachable);
  return found;
}

void look_at_reachability(SelectAnalysis& analysis) {
  SelectModel& model = analysis.model;
  for (const PlaceIndex leaf : model.leaves()) {
    if (analysis.is_closed[leaf]) continue;
    const logic::Ways::States& states = analysis.reach().reachable();
    if (!states.states.is_known()) return analysis.leave_undecided(rules::SEL_unreachable);
    if (is_reached(analysis, leaf, states) != Answer::no) continue;
    Finding& finding =
        analysis.findings.add(rules::SEL_unreachable, analysis.node(leaf).span,
                              "no sequence of signals and writes leads to a state that selects " + analysis.name(leaf));
    if (!analysis.has_words()) continue;
    std::vector<Reason> reasons = analysis.reasons_above(leaf);
    if (const ir::Condition* condition = condition_of(analysis.tree, analysis.node(leaf))) {
      reasons.push_back({model.condition(leaf), Reason::Says::must_be_true, condition->span});
    }
    reasons.push_back({analysis.circuit.conjunction(states.states, model.needs_evaluation())});
    explain(analysis, finding, analysis.enough(reasons));
    if (finding.related.size() == 1) finding.related.front().message += ", which no reachable state allows";
  }
}

// ---- Nothing selected ---------------------------------------------------------------------------

// "EnemyVisible is true and LowAmmo is false": what an example says of the variables.
std::string values_text(const SelectAnalysis& analysis, const std::vector<logic::Literal>& values) {
  const std::vector<logic::Variable>& variables = analysis.model.numbers.variables;
  std::vector<std::string> texts;
  for (const bool wanted : {true, false}) {
    for (const logic::Literal& literal : values) {
      const auto found = std::find(variables.begin(), variables.end(), literal.variable);
      if (found == variables.end() || literal.value != wanted) continue;
      const std::string& name = analysis.tree.variables[static_cast<std::size_t>(found - variables.begin())].name;
      texts.push_back(quote(name) + (wanted ? " is true" : " is false"));
    }
  }
  const std::size_t shown = std::min(texts.size(), kMaxExampleValues);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  }
  return shown < texts.size() ? text + " and so on" : text;
}

void look_at_nothing(SelectAnalysis& analysis) {
  SelectModel& model = analysis.model;
  // In parts, since all children of a long list together may be too large.
  std::vector<Formula> nothing;
  const Place& root = model.places.front();
  if (analysis.node(0).opcode == opcode::select_priority) {
    for (const PlaceIndex child : root.children) nothing.push_back(model.passes(child));
  } else {
    nothing.push_back(analysis.circuit.negation(model.selects(0)));
  }
  const Answer can_be = analysis.questions.can_be(nothing);
  if (can_be == Answer::unknown) analysis.leave_undecided(rules::SEL_nothing_selected);
  if (can_be != Answer::yes) return;
  std::string values;
  if (analysis.has_words()) values = values_text(analysis, analysis.questions.satisfy(nothing).witness);
  Finding& finding = analysis.findings.add(
      rules::SEL_nothing_selected, analysis.node(0).span,
      "no leaf is selected in some states" + (values.empty() ? "" : ", for example while " + values),
      "add a last child that always selects a leaf, if the agent should always have a behaviour");
  if (!analysis.has_witnesses()) return;
  const Trace trace = analysis.reach().trace_to_tick(analysis.circuit.negation(model.selects(0)));
  if (trace.answer == Answer::yes) finding.witness = witness_of(analysis, trace, "nothing is selected");
}

}  // namespace

void analyse_select_nodes(SelectAnalysis& analysis) {
  for (PlaceIndex i = 0; i < analysis.model.places.size(); ++i) look_at_place(analysis, i);
  look_at_reachability(analysis);
  look_at_nothing(analysis);
}

}  // namespace espalier::lint

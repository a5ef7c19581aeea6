// Terms of conditions that could be `true` or `false` without changing any selection. See analysis.h.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "lint/condition_fixes.h"
#include "lint/select/analysis.h"
#include "lint/select/machine.h"
#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Circuit;
using logic::Formula;

// Of each place: if an evaluation enters it, is the stored state of a machine changed there? Nodes without machines
// change none.
Formulas moves_of(const SelectModel& model) {
  Formulas moves(model.places.size(), model.circuit.constant(false));
  Circuit& circuit = model.circuit;
  for (std::size_t i = model.places.size(); i-- > 0;) {
    const Place& place = model.places[i];
    const bool is_machine = place.node->opcode == opcode::select_machine;
    for (std::size_t child = place.children.size(); child-- > 0;) {
      const PlaceIndex at = place.children[child];
      if (is_machine) {
        const SelectMachine& machine = model.machine(static_cast<PlaceIndex>(i));
        const Formula stays = model.stored(machine, static_cast<std::uint32_t>(child));
        const Formula here = circuit.disjunction(circuit.negation(stays), moves[at]);
        moves[i] = circuit.disjunction(moves[i], circuit.conjunction(machine.ends[child], here));
      } else if (!circuit.is_constant(moves[i], false) || !circuit.is_constant(moves[at], false)) {
        const Formula goes_on = circuit.conjunction(circuit.negation(model.selects(at)), moves[i]);
        const Formula enters = circuit.disjunction(moves[at], goes_on);
        moves[i] = circuit.choice(model.condition(at), enters, moves[i]);
      }
    }
  }
  return moves;
}

bool is_any_replaceable(const TermFacts& facts) {
  return std::any_of(facts.is_replaceable.begin(), facts.is_replaceable.end(),
                     [](const std::array<bool, 2>& by) { return by[false] || by[true]; });
}

class Terms {
 public:
  explicit Terms(SelectAnalysis& analysis)
      : analysis_(analysis), circuit_(analysis.circuit), conditions_below_(analysis.model.places.size()) {}

  // `matters`: where an evaluation that comes to the place selects another leaf, or stores another state, if the
  // condition has the other value. `owner`, `target`: as in TermFacts.
  void look(ir::ConditionIndex index, PlaceIndex place, const Formulas& matters, const ir::Node& owner,
            const ir::Node* target = nullptr) {
    const ir::Condition& condition = analysis_.tree.conditions[index];
    const Formulas terms = functions_of_terms(condition, analysis_.model.variables(), circuit_);
    TermFacts& facts = analysis_.claims.terms[condition.span];
    if (facts.is_replaceable.empty()) {
      facts.tree = &analysis_.tree;
      facts.condition = &condition;
      facts.owner = &owner;
      facts.target = target;
      for (const ir::Term& term : condition.terms) {
        const bool is_constant = term.kind == ir::TermKind::constant;  // it is not replaced by itself
        facts.is_replaceable.push_back({!is_constant || term.left != 0, !is_constant || term.left == 0});
      }
    }
    const std::vector<ReplacedTerm<Formula>> replaced = functions_with_terms(condition, terms, circuit_);
    std::vector<bool*> asked;
    Formulas differs;
    for (std::size_t i = 0; i < condition.terms.size(); ++i) {
      for (const bool constant : {false, true}) {
        if (!facts.is_replaceable[i][constant]) continue;
        asked.push_back(&facts.is_replaceable[i][constant]);
        differs.push_back(circuit_.exclusive(terms.back(), replaced[i].by[constant]));
      }
    }
    const std::vector<Answer> answers = analysis_.each_can_be(rules::SEL_redundant_term, place, matters, differs);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const bool is_same =
          answers[i] == Answer::unknown && analysis_.questions.is_satisfiable(differs[i]) == Answer::no;
      *asked[i] = answers[i] == Answer::no || is_same;
    }
    if (is_any_replaceable(facts)) facts.relied_on.push_back(conditions_below(place));
  }

 private:
  // The conditions at a place and below it: one list for all terms there.
  text::SharedSpans conditions_below(PlaceIndex place) {
    text::SharedSpans& known = conditions_below_[place];
    if (known != nullptr) return known;
    std::vector<Span> spans;
    const auto add = [&](ir::ConditionIndex index) { spans.push_back(analysis_.tree.conditions[index].span); };
    for (PlaceIndex at = place; at < analysis_.model.places[place].end; ++at) {
      if (const auto condition = condition_of(analysis_.node(at))) add(*condition);
      const auto* const state = analysis_.node(at).as_if<ir::Transitions>();
      if (state == nullptr) continue;
      for (const ir::Transition& transition : state->transitions) add(transition.condition);
    }
    return known = std::make_shared<const std::vector<Span>>(std::move(spans));
  }

  SelectAnalysis& analysis_;
  Circuit& circuit_;
  std::vector<text::SharedSpans> conditions_below_;  // of each place, once asked for
};

// Where it matters to a machine whether a transition holds: it ends in another state then.
class TransitionsMatter {
 public:
  TransitionsMatter(SelectAnalysis& analysis, const SelectMachine& machine)
      : model_(analysis.model), circuit_(analysis.circuit), machine_(machine), edges_(model_.edges_of(machine.place)) {
    for (std::uint32_t i = 0; i < edges_.size(); ++i) stored_.push_back(model_.stored(machine, i));
  }

  // Of each transition of a state.
  Formulas of(PlaceIndex state) {
    const auto& transitions = model_.places[state].node->as<ir::Transitions>().transitions;
    // [i][s]: the first transition that holds from the i-th on leads to state s.
    Edges from(transitions.size() + 1, Formulas(edges_.size(), circuit_.constant(false)));
    for (std::size_t i = transitions.size(); i-- > 0;) {
      const Formula holds = model_.condition_function(transitions[i].condition);
      for (std::uint32_t to = 0; to < edges_.size(); ++to) {
        from[i][to] = circuit_.choice(holds, circuit_.constant(to == transitions[i].target), from[i + 1][to]);
      }
    }
    Formulas result;
    Formulas row(edges_.size(), circuit_.constant(false));  // where those before it lead
    Formula is_left = circuit_.constant(true);              // none of them holds
    for (std::size_t i = 0; i < transitions.size(); ++i) {
      Formulas with = row;
      Formulas without = row;
      with[transitions[i].target] = circuit_.disjunction(row[transitions[i].target], is_left);
      for (std::size_t to = 0; to < edges_.size(); ++to) {
        without[to] = circuit_.disjunction(row[to], circuit_.conjunction(is_left, from[i + 1][to]));
      }
      result.push_back(difference(model_.places[state].number, with, without));
      const Formula holds = model_.condition_function(transitions[i].condition);
      Formula& here = row[transitions[i].target];
      here = circuit_.disjunction(here, circuit_.conjunction(is_left, holds));
      is_left = circuit_.conjunction(is_left, circuit_.negation(holds));
    }
    return result;
  }

 private:
  // Do evaluations that begin in the same state end in different ones with these edges of one state?
  Formula difference(std::size_t state, const Formulas& with, const Formulas& without) {
    const Formulas ends_with = ends(state, with);
    const Formulas ends_without = ends(state, without);
    Formula result = circuit_.constant(false);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      result = circuit_.disjunction(result, circuit_.exclusive(ends_with[i], ends_without[i]));
    }
    return result;
  }

  Formulas ends(std::size_t state, const Formulas& row) {
    Edges edges = edges_;
    edges[state] = row;
    return MachineFlow(circuit_, std::move(edges)).ends(machine_.is_active, stored_);
  }

  const SelectModel& model_;
  Circuit& circuit_;
  const SelectMachine& machine_;
  Edges edges_;
  Formulas stored_;
};

}  // namespace

void analyse_select_terms(SelectAnalysis& analysis) {
  Terms terms(analysis);
  const Formulas moves = moves_of(analysis.model);
  for (PlaceIndex i = 0; i < analysis.model.places.size(); ++i) {
    const auto condition = condition_of(analysis.node(i));
    if (!condition || (analysis.is_closed[i] && !analysis.is_false_here[i])) continue;
    const Formula matters = analysis.circuit.disjunction(analysis.model.selects(i), moves[i]);
    terms.look(*condition, i, {matters}, analysis.node(i));
  }
  for (const SelectMachine& machine : analysis.model.machines()) {
    if (analysis.is_closed[machine.place]) continue;
    TransitionsMatter matter(analysis, machine);
    for (const PlaceIndex state : analysis.model.places[machine.place].children) {
      const std::vector<ir::Transition>& transitions = analysis.node(state).as<ir::Transitions>().transitions;
      const Formulas matters = matter.of(state);
      for (std::size_t i = 0; i < transitions.size(); ++i) {
        const PlaceIndex target = analysis.model.places[machine.place].children[transitions[i].target];
        terms.look(transitions[i].condition, machine.place, {analysis.model.condition(machine.place), matters[i]},
                   analysis.node(state), &analysis.node(target));
      }
    }
  }
  WrittenClaims& claims = analysis.claims;
  std::erase_if(claims.terms, [&](const auto& condition) {
    if (is_any_replaceable(condition.second)) return false;
    claims.needed.push_back(condition.first);
    return true;
  });
}

namespace {

// "'Alerted' in the condition of 'Attack'"
std::string words_of(const TermFacts& facts, const ir::Term& term) {
  const std::string part =
      term.kind == ir::TermKind::variable ? quote(facts.tree->variables[term.left].name) : "a part";
  const std::string owner = quote(facts.owner->name);
  if (facts.target == nullptr) return part + " in the condition of " + owner;
  return part + " in the condition of the transition from " + owner + " to " + quote(facts.target->name);
}

}  // namespace

void merge_terms(std::map<Span, TermFacts>&& from, std::map<Span, TermFacts>& into) {
  for (auto& [span, facts] : from) {
    const auto [known, is_new] = into.try_emplace(span, std::move(facts));
    if (is_new) continue;
    std::move(facts.relied_on.begin(), facts.relied_on.end(), std::back_inserter(known->second.relied_on));
    for (std::size_t i = 0; i < facts.is_replaceable.size(); ++i) {
      for (const bool constant : {false, true}) {
        known->second.is_replaceable[i][constant] &= facts.is_replaceable[i][constant];
      }
    }
  }
}

void report_terms(const std::map<Span, TermFacts>& terms, const Facts& all_facts, text::Findings& findings) {
  std::vector<Span> settled;
  for (const Finding& finding : findings.all()) {
    const bool is_settled =
        finding.rule == rules::SEL_condition_always_true || finding.rule == rules::SEL_condition_always_false;
    if (is_settled) settled.push_back(finding.span);
  }
  std::sort(settled.begin(), settled.end());
  for (const auto& [span, facts] : terms) {
    if (std::binary_search(settled.begin(), settled.end(), span)) continue;
    std::vector<bool> has_replaceable(facts.is_replaceable.size());  // the term or one inside it
    for (std::size_t i = 0; i < facts.is_replaceable.size(); ++i) {
      const ir::Term& term = facts.condition->terms[i];
      const bool is_operator = term.kind != ir::TermKind::constant && term.kind != ir::TermKind::variable;
      const bool is_binary = is_operator && term.kind != ir::TermKind::negation;
      const bool is_inside_reported =
          (is_operator && has_replaceable[term.left]) || (is_binary && has_replaceable[term.right]);
      const auto [by_false, by_true] = facts.is_replaceable[i];
      has_replaceable[i] = is_inside_reported || by_false || by_true;
      if (is_inside_reported || !has_replaceable[i]) continue;
      const std::string constant = by_false && by_true ? "anything" : by_true ? "'true'" : "'false'";
      Finding& finding = findings.add(
          rules::SEL_redundant_term, facts.condition->span_of(term),
          words_of(facts, term) + " has no effect: with " + constant + " in its place the same leaves are selected");
      const text::Sources* const sources = sources_for_fixes(all_facts);
      if (sources == nullptr) continue;
      if (auto fix = fix_without(*facts.condition, i, facts.is_replaceable[i], facts.relied_on, *sources))
        finding.fixes.push_back(std::move(*fix));
    }
  }
}

}  // namespace espalier::lint

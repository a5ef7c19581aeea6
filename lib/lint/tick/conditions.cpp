// Conditions that always have the same value where they are evaluated, terms without effect, priorities without a case
// for some states, and gates that are held open. See analysis.h.
#include "lint/condition_fixes.h"
#include "lint/condition_functions.h"
#include "lint/fewest.h"
#include "lint/flow.h"
#include "lint/tick/analysis.h"
#include "rules/modular.h"
#include "rules/rules.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Function;

const ir::Condition* condition_at(const TickAnalysis& analysis, PlaceIndex place) {
  return condition_of(analysis.tree(), analysis.node(place));
}

bool is_time(const TickAnalysis& analysis, PlaceIndex place) {
  return analysis.node(place).as_if<ir::TimeTest>() != nullptr;
}

bool is_evaluated(const TickAnalysis& analysis, PlaceIndex place) {
  return is_time(analysis, place) || condition_at(analysis, place) != nullptr;
}

text::Span condition_span(const TickAnalysis& analysis, PlaceIndex place) {
  const ir::Condition* const condition = condition_at(analysis, place);
  return condition != nullptr ? condition->span : analysis.span(place);
}

std::string condition_name(const TickAnalysis& analysis, PlaceIndex place) {
  return (is_time(analysis, place) ? "the comparison of " : "the condition of ") + quote(analysis.node(place).name);
}

// ---- Reasons ------------------------------------------------------------------------------------

// Something that is known where a condition is evaluated, from an evaluation before it.
struct Reason {
  PlaceIndex place;
  bool holds;
  Function function;
};

// What evaluations around and before a place have found, if nothing has changed since.
class Reasons {
 public:
  Reasons(TickAnalysis& analysis, PlaceIndex place) : analysis_(analysis) {
    const TickOutline& outline = analysis.outline;
    if (analysis.outline.opcode(place) == opcode::tick_case) add_cases_before(place);
    for (PlaceIndex child = place; outline.places[child].parent != kNoPlace; child = outline.places[child].parent) {
      const PlaceIndex parent = outline.places[child].parent;
      switch (outline.opcode(parent)) {
        case opcode::tick_guard:
        case opcode::tick_time_guard:
          add(parent, true);
          break;
        case opcode::tick_case:
          add(parent, true);
          add_cases_before(parent);
          break;
        default:
          if (const Flow& flow = flow_of(outline.opcode(parent)); flow.shape == FlowShape::row)
            add_siblings_before(child, goes_on_after(flow) == kSucceeds);
          break;
      }
    }
  }

  // The fewest that suffice for the claim that the function is `value` in all states; empty if they do not.
  std::vector<Reason> fewest_for(Function function, bool value) {
    logic::Diagrams& diagrams = analysis_.outline.states->diagrams;
    const Function claim = value ? function : diagrams.negation(function);
    const auto suffice = [&](const std::vector<Reason>& some) {
      Function known = analysis_.outline.states->any();
      for (const Reason& each : some) known = diagrams.conjunction(known, each.function);
      return diagrams.implies(known, claim) == Answer::yes;
    };
    return fewest(found_, suffice);
  }

 private:
  static constexpr std::size_t kMaxReasons = 64;  // that are compared

  void add(PlaceIndex place, bool holds) {
    if (!is_evaluated(analysis_, place) || analysis_.node(place).is_doubtful || found_.size() == kMaxReasons) return;
    const Function function = analysis_.outline.states->holds(analysis_.node(place));
    found_.push_back({place, holds, holds ? function : analysis_.outline.states->diagrams.negation(function)});
  }
  void add_cases_before(PlaceIndex place) {
    const Place& own = analysis_.outline.places[place];
    for (std::uint32_t i = 0; i < own.number; ++i) add(analysis_.outline.places[own.parent].children[i], false);
  }
  void add_siblings_before(PlaceIndex place, bool have_succeeded) {
    const TickOutline& outline = analysis_.outline;
    const Place& own = outline.places[place];
    for (std::uint32_t i = 0; i < own.number; ++i) {
      const PlaceIndex sibling = outline.places[own.parent].children[i];
      const bool is_gate = !outline.places[sibling].children.empty();
      if (have_succeeded || !is_gate || !outline.outcome(sibling + 1).can(kFails)) add(sibling, have_succeeded);
    }
  }

  TickAnalysis& analysis_;
  std::vector<Reason> found_;
};

void add_reasons(TickAnalysis& analysis, PlaceIndex place, bool value, Finding& finding) {
  const Function holds = analysis.outline.states->holds(analysis.node(place));
  for (const Reason& reason : Reasons(analysis, place).fewest_for(holds, value)) {
    finding.related.push_back(
        {condition_span(analysis, reason.place),
         condition_name(analysis, reason.place) + (reason.holds ? " holds" : " does not hold") + " when it is read"});
  }
}

// ---- Conditions and their terms -----------------------------------------------------------------

bool is_constant(const ir::Condition& condition, bool value) {
  return condition.terms.size() == 1 && condition.terms[0].kind == ir::TermKind::constant &&
         (condition.terms[0].left != 0) == value;
}

std::string term_name(const TickAnalysis& analysis, const ir::Term& term) {
  return term.kind == ir::TermKind::variable ? quote(analysis.tree().variables[term.left].name) : "a part";
}

// The smallest terms that a constant can replace without a difference in any of the states.
void find_redundant_terms(TickAnalysis& analysis, PlaceIndex place, Function states) {
  const ir::Condition& condition = *condition_at(analysis, place);
  logic::Diagrams& diagrams = analysis.outline.states->diagrams;
  const std::vector<Function> terms = analysis.outline.states->terms(condition);
  const std::vector<ReplacedTerm<Function>> replaced = functions_with_terms(condition, terms, diagrams);
  std::vector<bool> has_redundant(terms.size());  // the term, or one in it
  for (std::size_t i = 0; i + 1 < terms.size(); ++i) {
    const ir::Term& term = condition.terms[i];
    const bool is_constant = term.kind == ir::TermKind::constant;  // which is not replaced by itself
    if (!is_constant && term.kind != ir::TermKind::variable) {
      const bool is_binary = term.kind != ir::TermKind::negation;
      has_redundant[i] = has_redundant[term.left] || (is_binary && has_redundant[term.right]);
    }
    if (has_redundant[i]) continue;
    std::array<bool, 2> by = {};
    for (const bool value : {false, true}) {
      if (is_constant && value == (term.left != 0)) continue;
      const Function differs = diagrams.conjunction(states, diagrams.exclusive(replaced[i].by[value], terms.back()));
      by[value] = diagrams.is_satisfiable(differs) == Answer::no;
    }
    has_redundant[i] = by[false] || by[true];
    if (!has_redundant[i]) continue;
    Finding& finding = analysis.findings.add(rules::MBT_redundant_term, condition.span_of(term),
                                             term_name(analysis, term) + " in " + condition_name(analysis, place) +
                                                 " has no effect: with '" + (by[true] ? "true" : "false") +
                                                 "' in its place the results are the same");
    if (analysis.sources == nullptr) continue;
    if (auto fix = fix_without(condition, i, by, {}, *analysis.sources)) finding.fixes.push_back(std::move(*fix));
  }
}

void look_at_condition(TickAnalysis& analysis, PlaceIndex place) {
  if (!is_evaluated(analysis, place) || analysis.is_faulty[place] || analysis.tests_unknown(place)) return;
  TickStates& states = *analysis.outline.states;
  const Function asked = analysis.outline.known.places[place].asked;
  if (states.diagrams.is_satisfiable(asked) != Answer::yes) return;
  const Function holds = states.holds(analysis.node(place));
  const ir::Condition* const condition = condition_at(analysis, place);
  const auto report = [&](Rule rule, bool value) {
    Finding finding{rule, rules::info(rule).severity, condition_span(analysis, place),
                    condition_name(analysis, place) + " is always " + (value ? "true" : "false")};
    add_reasons(analysis, place, value, finding);
    if (!finding.related.empty()) finding.message += " where it is read";
    if (rule == rules::MBT_condition_always_true && condition != nullptr && analysis.sources != nullptr)
      finding.fixes.push_back(fix_to_true(condition->span, *analysis.sources));
    analysis.findings.add(std::move(finding));
  };
  if (states.diagrams.implies(asked, states.diagrams.negation(holds)) == Answer::yes) {
    report(rules::MBT_condition_always_false, false);
  } else if (states.diagrams.implies(asked, holds) == Answer::yes) {
    if (condition == nullptr || !is_constant(*condition, true)) report(rules::MBT_condition_always_true, true);
  } else if (condition != nullptr) {
    find_redundant_terms(analysis, place, asked);
  }
}

// ---- Priorities and gates -----------------------------------------------------------------------

void look_at_priority(TickAnalysis& analysis, PlaceIndex place) {
  TickStates& states = *analysis.outline.states;
  const std::span<const PlaceIndex> cases = analysis.outline.places[place].children;
  Function open = analysis.outline.known.places[cases[0]].asked;
  for (const PlaceIndex each : cases) {
    if (analysis.node(each).is_doubtful) return;
    open = states.diagrams.conjunction(open, states.diagrams.negation(states.holds(analysis.node(each))));
  }
  const std::string example = states.example(open);
  if (example.empty()) return;
  analysis
      .report(rules::MBT_priority_can_fail, place,
              analysis.name(place) + " fails when none of its cases holds, for example when " + example)
      .claim = analysis.claim(analysis.name(place) + " fails: no case holds",
                              {{Happens::fails_by_itself, analysis.span(place)}});
}

void look_at_gate(TickAnalysis& analysis, PlaceIndex place) {
  TickStates& states = *analysis.outline.states;
  if (!is_evaluated(analysis, place) || analysis.is_faulty[place]) return;
  const Function held = states.diagrams.conjunction(analysis.outline.known.places[place].updated,
                                                    states.diagrams.negation(states.holds(analysis.node(place))));
  if (states.diagrams.is_satisfiable(held) != Answer::yes) return;
  analysis.report(rules::MBT_gate_held, place,
                  analysis.name(place) + " tests its condition only when it begins: " + analysis.name(place + 1) +
                      " keeps running when it no longer holds");
}

}  // namespace

void analyse_conditions(TickAnalysis& analysis) {
  for (const Opcode opcode : {opcode::tick_guard, opcode::tick_time_guard, opcode::tick_condition, opcode::tick_time}) {
    analysis.each(opcode, [&](PlaceIndex place) { look_at_condition(analysis, place); });
  }
  // A case that is never chosen may be evaluated.
  for (PlaceIndex place = 0; place < analysis.outline.places.size(); ++place) {
    if (analysis.outline.opcode(place) == opcode::tick_case) look_at_condition(analysis, place);
  }
  analysis.each(opcode::tick_priority, [&](PlaceIndex place) { look_at_priority(analysis, place); });
  analysis.each(opcode::tick_guard, [&](PlaceIndex place) { look_at_gate(analysis, place); });
}

}  // namespace espalier::lint

// Rules that are never run, never end, or loop without a pause. See analysis.h.
#include "lint/facts.h"
#include "lint/rule/analysis.h"
#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"

namespace espalier::lint {
namespace {

// ---- Rules never run ----------------------------------------------------------------------------

std::string mend(const RuleOutline& outline, PlaceIndex blocker, Result goes_on) {
  if (goes_on == Result::success && outline.loops(blocker)) {
    return "remove 'loop' from " + outline.name(blocker) + ", or move this before it";
  }
  if (goes_on == Result::failure && outline.does_not_fail(blocker)) {
    return "remove 'doNotFail' from " + outline.name(blocker) + ", or move this before it";
  }
  return "move it before " + outline.name(blocker) + ", or remove it";
}

void report_unreachable(RuleAnalysis& analysis, PlaceIndex list) {
  const RuleOutline& outline = analysis.outline;
  const PlaceIndex place = outline.answers[list].unreachable;
  const PlaceIndex blocker = outline.places[list].children[outline.places[place].number - 1];
  const Result goes_on = outline.goes_on(list);
  const bool is_for_jumps = outline.answers[place].can_be_jumped_to;
  std::vector<Blocker> blockers = blockers_from(outline, blocker, bit(goes_on));
  if (blockers.size() > 2) blockers.erase(blockers.begin() + 1, blockers.end() - 1);  // lists in lists tell the same
  Finding finding =
      never_reached(is_for_jumps ? rules::DRA_only_for_jumps : rules::DRA_unreachable_rule, analysis.span(place),
                    analysis.name(place), blockers, is_for_jumps ? "only reached by a jump" : "never reached");
  if (!is_for_jumps) finding.hint = mend(outline, blocker, goes_on);
  analysis.findings.add(std::move(finding));  // added here: it is the same for each tree that uses the file
}

// ---- Faults -------------------------------------------------------------------------------------

void report_empty(RuleAnalysis& analysis, PlaceIndex place) {
  const bool is_subtree = analysis.outline.opcode(place) == opcode::rule_subtree;
  const bool succeeds = analysis.outline.does_not_fail(place);
  const std::string nothing =
      is_subtree ? " names a file without rules, so it always " : " has no rules, so it always ";
  analysis.report(rules::DRA_empty_list, place, analysis.name(place) + nothing + (succeeds ? "succeeds" : "fails"),
                  succeeds ? "to succeed, use 'success'" : "to fail, use 'failure'; to succeed, use 'success'");
}

void report_fault(RuleAnalysis& analysis, PlaceIndex place) {
  const RuleFault fault = analysis.outline.answers[place].fault;
  if (fault == RuleFault::none || fault == RuleFault::blocks)
    return;  // the latter: reported at the rules that it blocks
  const std::string name = analysis.name(place);
  const text::Claim run_away =
      analysis.claim(name + " loops until the update is stopped as a run-away",
                     {{Happens::begins, analysis.span(place)}, {Happens::runs_away, analysis.span(place)}});
  switch (fault) {
    case RuleFault::never_ends:
      analysis.report(rules::DRA_never_ends, place,
                      name + " never ends: it has no condition, and only a jump leaves it",
                      "give it a condition to run under, or wait for one update with 'yield'");
      break;
    case RuleFault::is_empty:
      report_empty(analysis, place);
      break;
    case RuleFault::runs_away:
      analysis
          .report(rules::DRA_run_away, place,
                  name + " loops forever in one update: none of its rules can run, or fail to end it",
                  "add a 'yield', which ends the update, or remove 'loop'")
          .claim = run_away;
      break;
    case RuleFault::may_run_away:
      analysis
          .report(rules::DRA_may_run_away, place,
                  name +
                      " loops without a pause: none of its rules can run, so it must fail in the update in "
                      "which it starts",
                  "add a 'yield', which ends the update, or remove 'loop'")
          .claim = run_away;
      break;
    case RuleFault::none:
    case RuleFault::blocks:
      break;
  }
}

void look_at_unfailing(RuleAnalysis& analysis, PlaceIndex place) {
  const RuleAnswers& own = analysis.outline.answers[place];
  if (!analysis.outline.does_not_fail(place) || own.has_failures) return;
  if (own.fault != RuleFault::none && own.fault != RuleFault::blocks) return;
  analysis.report(rules::DRA_do_not_fail_no_effect, place,
                  analysis.name(place) + " cannot fail: 'doNotFail' has no effect", "remove 'doNotFail'");
}

// A list with conditions around a single action looks as if they interrupted the action.
void look_at_guard(RuleAnalysis& analysis, PlaceIndex list) {
  const RuleOutline& outline = analysis.outline;
  const std::span<const PlaceIndex> children = outline.places[list].children;
  if (!outline.is_list(list) || !outline.asks(list) || children.size() != 1) return;
  const PlaceIndex action = children[0];
  const bool can_run = outline.opcode(action) == opcode::rule_action && can(outline.answers[action].real, kRuns);
  if (!can_run || outline.asks(action) || outline.answers[list].fault != RuleFault::none) return;
  Finding& finding =
      analysis.report(rules::DRA_condition_does_not_interrupt, list,
                      "the conditions of " + analysis.name(list) + " do not interrupt " + analysis.name(action) +
                          ": they are asked only before it starts and after it ends",
                      "to interrupt it, put the conditions in the action");
  if (finding.related.empty()) finding.related.push_back({analysis.span(action), "it runs on"});
}

}  // namespace

void analyse_rules(RuleAnalysis& analysis) {
  const RuleOutline& outline = analysis.outline;
  for (PlaceIndex place = 1; place < outline.places.size(); ++place) {
    if (outline.places[place].is_idle) continue;
    report_fault(analysis, place);
    look_at_unfailing(analysis, place);
    look_at_guard(analysis, place);
    if (outline.answers[place].unreachable != kNoPlace) report_unreachable(analysis, place);
  }
}

}  // namespace espalier::lint

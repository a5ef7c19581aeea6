// Rules of choices whose place another one takes whenever their conditions hold. See analysis.h.
//
// Conditions are taken to answer the same within an update. A rule that can fail only by its conditions lets the next
// one be tried only in an update in which they do not hold.
#include <algorithm>

#include "lint/fewest.h"
#include "lint/rule/analysis.h"
#include "lint/rule/conditions.h"
#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Function;

constexpr std::size_t kChoiceSteps = 50'000;
constexpr std::size_t kMostTaken = 16;

bool is_failure(const RuleOutline& outline, PlaceIndex place) {
  return outline.opcode(place) == opcode::rule_result &&
         static_cast<Result>(outline.node(place).flags & kResultMask) == Result::failure;
}

bool fails_by_conditions_alone(const RuleOutline& outline, PlaceIndex place) {
  if (!outline.asks(place) || is_failure(outline, place)) return false;
  if (!outline.is_list(place)) {
    return outline.opcode(place) != opcode::rule_action || !can(outline.node(place).as<ir::Rule>().results, kFails);
  }
  const std::span<const PlaceIndex> children = outline.children(place);
  const auto cannot_fail = [&](PlaceIndex child) { return !can(outline.answers[child].ever, kFails); };
  if (outline.goes_on(place) == Result::failure) return std::any_of(children.begin(), children.end(), cannot_fail);
  return !children.empty() && std::all_of(children.begin(), children.end(), cannot_fail);
}

struct TakenBefore {
  PlaceIndex place;
  Function holds;
};

// The fewest rules that take all of `wanted`.
std::vector<TakenBefore> fewest_for(logic::Diagrams& diagrams, Function wanted, const std::vector<TakenBefore>& taken) {
  const auto suffice = [&](const std::vector<TakenBefore>& some) {
    Function all = diagrams.constant(false);
    for (const TakenBefore& each : some) all = diagrams.disjunction(all, each.holds);
    return diagrams.implies(wanted, all) == Answer::yes;
  };
  return fewest(taken, suffice);
}

void look_at_choice(RuleAnalysis& analysis, PlaceIndex choice) {
  const RuleOutline& outline = analysis.outline;
  logic::Diagrams diagrams(kChoiceSteps);
  RuleConditions conditions(outline, Reads::parameters, diagrams);
  std::vector<TakenBefore> taken;
  Function all = diagrams.constant(false);
  for (const PlaceIndex child : outline.children(choice)) {
    if (outline.places[child].is_idle) return;
    if (is_failure(outline, child)) continue;
    const Function holds = conditions.of(child);
    const bool is_jumped_to = outline.answers[child].can_be_jumped_to;
    if (!taken.empty() && !is_jumped_to && diagrams.implies(holds, all) == Answer::yes) {
      Finding& finding =
          analysis.report(rules::DRA_place_taken, child,
                          analysis.name(child) +
                              (outline.asks(child) ? " never gets past its conditions: whenever they hold"
                                                   : " is never run: whatever conditions hold") +
                              ", a rule before it takes its place");
      if (!finding.related.empty()) continue;  // of another tree that uses the file
      for (const TakenBefore& each : fewest_for(diagrams, holds, taken)) {
        finding.related.push_back({analysis.span(each.place), analysis.name(each.place) + " takes its place"});
      }
    } else if (taken.size() < kMostTaken && fails_by_conditions_alone(outline, child)) {
      taken.push_back({child, holds});
      all = diagrams.disjunction(all, holds);
    }
  }
}

}  // namespace

void analyse_choices(RuleAnalysis& analysis) {
  const RuleOutline& outline = analysis.outline;
  for (PlaceIndex place = 1; place < outline.places.size(); ++place) {
    if (outline.opcode(place) == opcode::rule_choice && !outline.places[place].is_idle) look_at_choice(analysis, place);
  }
}

}  // namespace espalier::lint

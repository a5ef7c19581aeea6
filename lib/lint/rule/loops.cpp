// Loops that can start again in the update that starts them, until it is stopped as a run-away. See analysis.h.
#include "lint/rule/analysis.h"
#include "lint/rule/instants.h"
#include "rules/dragengine.h"

namespace espalier::lint {
namespace {

void report_loop(RuleAnalysis& analysis, PlaceIndex place, bool is_root, bool is_proved) {
  const std::string name = (is_root ? "the root " : "") + analysis.name(place);
  Finding& finding = analysis.report(
      is_proved ? rules::DRA_restarting_loop : rules::DRA_loop_can_restart, place,
      name +
          (is_proved ? " loops, and its rules can all end at once: it then starts again in the same update"
                     : " loops: if its rules end at once, it starts again in the same update") +
          ", which can become a run-away",
      is_root ? "remove 'loop': a root that succeeds starts again in the next update"
              : "end each round with a 'yield', which ends the update, or remove 'loop'");
  finding.claim =
      is_root ? analysis.claim("the update is stopped as a run-away", {{Happens::runs_away, analysis.span(place)}})
              : analysis.claim(name + " loops until the update is stopped as a run-away",
                               {{Happens::begins, analysis.span(place)}, {Happens::runs_away, analysis.span(place)}});
}

}  // namespace

void analyse_rule_loops(RuleAnalysis& analysis, bool is_whole, bool is_root_told) {
  const RuleOutline& outline = analysis.outline;
  bool has_loops = false;
  for (PlaceIndex place = 1; place < outline.places.size(); ++place) has_loops |= outline.loops(place);
  if (!has_loops) return;
  const std::vector<bool> can_restart = loops_that_can_restart(outline, ActionsAt::best);
  const std::vector<bool> is_proved = loops_that_can_restart(outline, ActionsAt::declared);
  for (PlaceIndex place = 1; place < outline.places.size(); ++place) {
    const bool is_root = is_whole && place == 1;
    const bool is_told = is_root && is_root_told;
    if (is_told || outline.answers[place].unreachable != kNoPlace) continue;
    if (can_restart[place] || is_proved[place]) report_loop(analysis, place, is_root, is_proved[place]);
  }
}

}  // namespace espalier::lint

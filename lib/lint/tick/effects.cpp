// Loops, parallels and timeouts that have no effect. See analysis.h.
#include "lint/tick/analysis.h"
#include "lint/tick/parallel.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

bool is_last(const TickOutline& outline, PlaceIndex place) {
  return outline.places[outline.places[place].parent].children.back() == place;
}

bool loops_until_success(const TickOutline& outline, PlaceIndex place) {
  return outline.opcode(place) == opcode::tick_loop && (outline.node(place).flags & kLoopsUntilSuccess) != 0;
}

// Follows the failure of a timeout upwards through its update: does it end the other branches of a parallel, or choose
// the next node? Turned into a success it may also end a parallel, or keep it running.
bool has_effect(const TickOutline& outline, PlaceIndex timeout) {
  Results now = kFails;
  PlaceIndex place = timeout;
  for (PlaceIndex parent = outline.places[place].parent; now != 0 && parent != kNoPlace;
       place = parent, parent = outline.places[place].parent) {
    const bool fails = (now & kFails) != 0;
    if (outline.opcode(parent) == opcode::tick_parallel) {
      const bool ends_with_failure = (outline.node(parent).flags & kFailsWithAll) == 0;
      return (fails && ends_with_failure) || (now & kSucceeds) != 0;
    }
    if (fails && outline.opcode(parent) == opcode::tick_selector && !is_last(outline, place)) return true;
    if (fails && loops_until_success(outline, parent)) return true;
    unsigned next = 0;
    for (const Result result : {Result::failure, Result::success}) {
      if ((now & bit(result)) != 0) next |= outline.after(place, result, Hosts::choose);
    }
    now = static_cast<Results>(next & ~kRuns);
  }
  return false;
}

void find_timeouts(TickAnalysis& analysis) {
  const TickOutline& outline = analysis.outline;
  analysis.each(opcode::tick_wait, [&](PlaceIndex place) {
    const auto result = static_cast<Result>(analysis.node(place).flags & kResultMask);
    if (result != Result::failure || has_effect(outline, place)) return;
    const PlaceIndex parallel = outline.above(place, opcode::tick_parallel);
    if (analysis.is_faulty[place] || (parallel != kNoPlace && analysis.is_faulty[parallel])) return;
    if (parallel == kNoPlace) {
      analysis.report_fault(rules::MBT_timeout_no_effect, place,
                            analysis.name(place) + " has no effect: no parallel runs anything at the same time",
                            "to wait and continue, use 'Wait'");
      return;
    }
    Finding& finding = analysis.report_fault(rules::MBT_timeout_no_effect, place,
                                             analysis.name(place) + " has no effect: its failure does not end the " +
                                                 analysis.name(parallel) + " around it");
    const bool needs_all = (analysis.node(parallel).flags & kFailsWithAll) != 0;
    finding.related.push_back({analysis.span(parallel), needs_all ? "which fails only when all of its children have"
                                                                  : "which the failure does not reach"});
  });
}

void find_loops(TickAnalysis& analysis) {
  analysis.each(opcode::tick_loop, [&](PlaceIndex place) {
    const PlaceIndex child = place + 1;
    if (analysis.has_fault_below(place)) return;
    const Outcome& outcome = analysis.outline.outcome(child);
    const std::uint32_t count = analysis.node(place).as<ir::Limit>().maximum;
    if (loops_until_success(analysis.outline, place)) {
      if (count != 0 || outcome.can(kSucceeds)) return;
      analysis
          .report_fault(rules::MBT_loop_can_hang, place,
                        analysis.name(place) + " never ends: " + analysis.name(child) + " cannot succeed")
          .related.push_back({analysis.span(child), "it never succeeds"});
    } else if (count != 1 && !outcome.can(kRuns) && outcome.can(kSucceeds)) {
      analysis
          .report(rules::MBT_instant_loop, place,
                  "each round of this " + analysis.name(place) + " takes one update: " + analysis.name(child) +
                      " ends in the update in which it starts")
          .claim = analysis.claim(analysis.name(child) + " begins and succeeds in one update",
                                  {{Happens::begins, analysis.span(child)}, {Happens::succeeds, analysis.span(child)}});
    }
  });
}

void find_suppressions(TickAnalysis& analysis) {
  analysis.each(opcode::tick_suppress, [&](PlaceIndex place) {
    const PlaceIndex child = place + 1;
    if (analysis.outline.outcome(child).can(kFails) || analysis.has_fault_below(child)) return;
    analysis
        .report(rules::MBT_suppress_no_effect, place,
                analysis.name(place) + " has nothing to suppress: " + analysis.name(child) + " cannot fail")
        .related.push_back({analysis.span(child), "it never fails"});
  });
}

void find_hanging_parallels(TickAnalysis& analysis) {
  analysis.each(opcode::tick_parallel, [&](PlaceIndex place) {
    std::vector<Outcome> branches;
    for (const PlaceIndex branch : analysis.outline.places[place].children) {
      branches.push_back(analysis.outline.outcome(branch));
    }
    if (!parallel_can_hang(analysis.node(place).flags, branches) || analysis.has_fault_below(place)) return;
    analysis
        .report_fault(rules::MBT_parallel_can_hang, place,
                      analysis.name(place) + " runs forever when some of its children succeed and the others fail")
        .claim = analysis.claim(analysis.name(place) + " runs, and none of its children does",
                                {{Happens::runs_alone, analysis.span(place)}});
  });
}

}  // namespace

void analyse_effects(TickAnalysis& analysis) {
  find_timeouts(analysis);
  find_loops(analysis);
  find_suppressions(analysis);
  find_hanging_parallels(analysis);
}

}  // namespace espalier::lint

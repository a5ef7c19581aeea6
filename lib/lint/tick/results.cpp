// Consequences of the results that nodes can give: nodes that are never ticked, and roots that end. See
// analysis.h.
#include <algorithm>

#include "lint/flow.h"
#include "lint/never_reached.h"
#include "lint/tick/analysis.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

// ---- Nodes never ticked -------------------------------------------------------------------------

// The nearest place around one that never runs on that always ends in the update that starts it; kNoPlace if it is
// interrupted for another reason.
PlaceIndex find_ending(const TickOutline& outline, PlaceIndex place) {
  while (place != kNoPlace && outline.outcome(place).can(kRuns)) place = outline.places[place].parent;
  return place;
}

// A finding for the first node after `blocker`, which never lets it run: by its results, or because it never runs on.
void report_behind(TickAnalysis& analysis, PlaceIndex place, PlaceIndex blocker, std::string why) {
  const TickOutline& outline = analysis.outline;
  const bool is_begun_only =
      outline.outcome(blocker).can(kRuns) && !outline.states->may_be(outline.known.places[blocker].updated);
  const PlaceIndex ending = is_begun_only ? find_ending(outline, blocker) : kNoPlace;
  if (analysis.has_fault_below(ending != kNoPlace ? ending : blocker)) return;
  if (ending != kNoPlace) {
    for (PlaceIndex i = ending; i < outline.places[ending].end; ++i) {
      if (analysis.tests_unknown(i)) return;
    }
  }
  if (is_begun_only) {
    why = ending == kNoPlace ? "is always interrupted"
                             : "is interrupted: " + analysis.name(ending) + " ends in the update that starts it";
  }
  const Blocker before{analysis.name(blocker), analysis.span(blocker), std::move(why)};
  Finding finding = never_reached(rules::MBT_never_ticked, analysis.span(place), analysis.name(place), {&before, 1});
  if (ending != kNoPlace) finding.related.push_back({analysis.span(ending), "this ends at once"});
  analysis.findings.add(std::move(finding));
}

void look_at_case(TickAnalysis& analysis, PlaceIndex place, PlaceIndex before) {
  const TickOutline& outline = analysis.outline;
  if (outline.places[before].is_idle || outline.states->may_be(outline.known.places[place].asked)) return;
  const bool has_condition = condition_of(outline.node(before)).has_value();
  const Blocker blocker{"the case", analysis.span(before), has_condition ? "always holds" : "has no condition"};
  analysis.findings.add(never_reached(rules::MBT_never_ticked, analysis.span(place), "this case", {&blocker, 1}));
}

void report_below(TickAnalysis& analysis, PlaceIndex place, PlaceIndex gate) {
  const Blocker blocker{analysis.name(gate), analysis.span(gate), "never opens", "around it"};
  analysis.findings.add(
      never_reached(rules::MBT_never_ticked, analysis.span(place), analysis.name(place), {&blocker, 1}));
}

void look_at_idle(TickAnalysis& analysis, PlaceIndex place) {
  const TickOutline& outline = analysis.outline;
  const Place& own = outline.places[place];
  const Place& parent = outline.places[own.parent];
  const PlaceIndex before = own.number > 0 ? parent.children[own.number - 1] : kNoPlace;
  if (const Flow& flow = flow_of(parent.node->opcode); flow.shape == FlowShape::row) {
    if (outline.places[before].is_idle) return;
    report_behind(analysis, place, before, goes_on_after(flow) == kSucceeds ? "cannot succeed" : "cannot fail");
    return;
  }
  switch (parent.node->opcode) {
    case opcode::tick_priority:
      if (before != kNoPlace) look_at_case(analysis, place, before);
      break;
    case opcode::tick_chance_guard:
    case opcode::tick_wrapper:
      if (analysis.is_faulty[own.parent]) return;
      report_below(analysis, place, own.parent);
      break;
    default:  // reported elsewhere
      break;
  }
}

void find_never_ticked(TickAnalysis& analysis) {
  const Places& places = analysis.outline.places;
  for (PlaceIndex i = 1; i < places.size(); ++i) {
    if (places[i].is_idle && !places[places[i].parent].is_idle) look_at_idle(analysis, i);
  }
}

// ---- Roots that end -----------------------------------------------------------------------------

constexpr std::size_t kMaxShownSteps = 8;

std::string verb(Results results, const char* failure, const char* success) {
  if ((results & kFails) == 0) return success;
  return (results & kSucceeds) == 0 ? failure : std::string(success) + " or " + failure;
}

// What the engines do, and what espalier does.
std::string consequence(const ir::Tree& tree) {
  const std::string here =
      tree.as<ir::Ticking>().stays_stopped ? "so does espalier, by 'rootDone'" : "espalier restarts it, by 'rootDone'";
  return "the engine then logs an error and stops the agent's tree for good (" + here + ')';
}

std::string step_message(const TickAnalysis& analysis, const Step& step, bool is_last) {
  const std::string does = step.result == Result::failure ? " fails" : " succeeds";
  const bool has_children = !analysis.node(step.place).children().empty();
  if (!is_last || !has_children || step.result == Result::success) return analysis.name(step.place) + does;
  const bool is_priority = analysis.outline.opcode(step.place) == opcode::tick_priority;
  return analysis.name(step.place) +
         (is_priority ? " fails when no case holds" : " fails when its condition does not hold");
}

void add_way(const TickAnalysis& analysis, const std::vector<Step>& way, Finding& finding) {
  std::vector<text::Related> places;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const bool is_element = !analysis.node(way[i].place).name.empty();
    if (!is_element) continue;
    places.push_back({analysis.span(way[i].place), step_message(analysis, way[i], i + 1 == way.size())});
  }
  const std::size_t skipped = places.size() > kMaxShownSteps ? places.size() - kMaxShownSteps : 0;
  finding.related.insert(finding.related.end(), places.begin() + static_cast<std::ptrdiff_t>(skipped), places.end());
}

text::Claim claim_of_end(const TickAnalysis& analysis, Results results) {
  const std::string root = "the root " + analysis.name(0);
  if (!can(results, kSucceeds)) return analysis.claim(root + " fails", {{Happens::fails, analysis.span(0)}});
  if (!can(results, kFails)) return analysis.claim(root + " succeeds", {{Happens::succeeds, analysis.span(0)}});
  return analysis.claim(root + " ends", {{Happens::ends, analysis.span(0)}});
}

// That the root ends on the way that is reported, not on any other.
text::Claim claim_of_way(const TickAnalysis& analysis, const std::vector<Step>& way) {
  text::Claim claim = claim_of_end(analysis, bit(way.front().result));
  for (std::size_t i = 1; i < way.size(); ++i) {
    if (analysis.node(way[i].place).name.empty()) continue;
    const Happens happens = way[i].result == Result::failure ? Happens::fails : Happens::succeeds;
    claim.nodes.push_back({happens, analysis.span(way[i].place)});
  }
  return claim;
}

void report_root(TickAnalysis& analysis, Hosts hosts, Results results) {
  const bool by_host = hosts == Hosts::choose;
  Finding& finding = analysis.report(by_host ? rules::MBT_host_can_complete_root : rules::MBT_root_can_complete, 0,
                                     "the root " + analysis.name(0) + " can " + verb(results, "fail", "succeed") +
                                         (by_host ? ", depending on what the game's actions return; " : "; ") +
                                         consequence(analysis.tree()));
  for (const Result result : {Result::success, Result::failure}) {
    if ((results & bit(result)) == 0) continue;
    const std::vector<Step> way = analysis.outline.way(0, result, hosts);
    if (!finding.claim) finding.claim = claim_of_way(analysis, way);
    add_way(analysis, way, finding);
  }
}

void look_at_root(TickAnalysis& analysis) {
  const Outcome& outcome = analysis.outline.outcome(0);
  const auto is_faulty = [&](const Step& step) { return bool(analysis.is_faulty[step.place]); };
  if (!outcome.can(kRuns) && analysis.has_fault_below(0)) return;
  if (!outcome.can(kRuns)) {
    analysis
        .report(rules::MBT_root_completes, 0,
                "the root " + analysis.name(0) + " never runs: it " + verb(outcome.all(), "fails", "succeeds") +
                    " in its first update; " + consequence(analysis.tree()))
        .claim = claim_of_end(analysis, outcome.all());
    return;
  }
  for (const Hosts hosts : {Hosts::run, Hosts::choose}) {
    unsigned results = analysis.outline.outcome(0, hosts).all() & (kFails | kSucceeds);
    for (const Result result : {Result::success, Result::failure}) {
      if ((results & bit(result)) == 0) continue;
      const std::vector<Step> way = analysis.outline.way(0, result, hosts);
      if (std::any_of(way.begin(), way.end(), is_faulty)) results &= ~static_cast<unsigned>(bit(result));
    }
    if (results == 0) continue;
    report_root(analysis, hosts, static_cast<Results>(results));
    return;
  }
}

}  // namespace

void analyse_results(TickAnalysis& analysis) {
  find_never_ticked(analysis);
  look_at_root(analysis);
}

}  // namespace espalier::lint

// Roots that fail, updates that take too many runs, and places where agents cannot be saved. See analysis.h.
#include <algorithm>
#include <iterator>

#include "lint/rule/analysis.h"
#include "lint/rule/lengths.h"
#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"

namespace espalier::lint {
namespace {

constexpr PlaceIndex kRoot = 1;  // after the rule_file
constexpr std::size_t kMaxShownPlaces = 8;

text::Claim claim_of_failure(const RuleAnalysis& analysis) {
  return analysis.claim("the root " + analysis.name(kRoot) + " fails", {{Happens::fails, analysis.span(kRoot)}});
}

text::Claim claim_of_run_away(const RuleAnalysis& analysis) {
  return analysis.claim("the update is stopped as a run-away", {{Happens::runs_away, analysis.span(kRoot)}});
}

// ---- Failure ------------------------------------------------------------------------------------

// The rule by which the root can fail.
PlaceIndex fails_by(const RuleOutline& outline) {
  PlaceIndex place = kRoot;
  for (;;) {
    const std::span<const PlaceIndex> children = outline.places[place].children;
    if (outline.asks(place) || children.empty()) return place;
    PlaceIndex below = children.back();
    if (outline.goes_on(place) == Result::success) {
      for (std::size_t i = children.size(); i-- > 0;) {
        const bool fails = (outline.answers[children[i]].real & kFails) != 0;
        if (fails && !outline.places[children[i]].is_idle) below = children[i];
      }
    }
    place = below;
  }
}

std::string how_it_fails(const RuleAnalysis& analysis, PlaceIndex place) {
  const RuleOutline& outline = analysis.outline;
  if (outline.answers[place].real == kFails) return analysis.name(place) + " always fails";
  const bool by_itself =
      outline.opcode(place) == opcode::rule_action && (outline.node(place).as<ir::Rule>().results & kFails) != 0;
  return analysis.name(place) + (by_itself ? " can fail" : " fails when its conditions do not hold");
}

std::string how_to_go_on(const RuleOutline& outline) {
  switch (outline.opcode(kRoot)) {
    case opcode::rule_choice:
      return "end it with 'success', or set doNotFail=\"true\"";
    case opcode::rule_result:
    case opcode::rule_yield:
      return "put it in a 'choice' that ends with 'success'";
    default:
      return "set doNotFail=\"true\", or put it in a 'choice' that ends with 'success'";
  }
}

void look_at_failing(RuleAnalysis& analysis) {
  const RuleOutline& outline = analysis.outline;
  const RuleAnswers& root = outline.answers[kRoot];
  if (root.mended == kFails) {
    analysis
        .report(rules::DRA_root_fails, kRoot,
                "the root " + analysis.name(kRoot) + " always fails, which stops the agent", how_to_go_on(outline))
        .claim = claim_of_failure(analysis);
    return;
  }
  if ((root.real & kFails) == 0 || root.real == kFails) return;
  const PlaceIndex place = fails_by(outline);
  if (outline.answers[place].fault != RuleFault::none) return;
  Finding& finding =
      analysis.report(rules::DRA_root_can_fail, kRoot,
                      "the root " + analysis.name(kRoot) + " can fail, which stops the agent", how_to_go_on(outline));
  finding.claim = claim_of_failure(analysis);
  if (place == kRoot) return;
  finding.claim->nodes.push_back({Happens::fails, analysis.span(place)});
  finding.related.push_back({analysis.span(place), how_it_fails(analysis, place)});
}

void look_at_leaf(RuleAnalysis& analysis) {
  const Opcode opcode = analysis.outline.opcode(kRoot);
  if (opcode == opcode::rule_action) {
    analysis.report(
        rules::DRA_root_is_a_leaf, kRoot,
        "the root " + analysis.name(kRoot) + " is entered only once: it has a first run again only after a jump",
        "put it in a 'sequence', where it is entered in each round");
  } else if (opcode == opcode::rule_yield) {
    analysis.report(rules::DRA_root_is_a_leaf, kRoot,
                    "the root " + analysis.name(kRoot) + " skips one update, then succeeds at once in all others",
                    "put it in a 'sequence', where it skips an update in each round");
  }
}

// ---- Runs in an update --------------------------------------------------------------------------

std::string at_most(const RuleOutline& outline) { return std::to_string(outline.tree.as<ir::Ruling>().run_limit); }

constexpr const char* kPause =
    "end the update between its rules with 'yield', or raise 'runAwayLimit' in espalier.json";

bool look_at_every_update(RuleAnalysis& analysis) {
  const RunsTo shortest = shortest_update(analysis.outline);
  Runs runs = kNoRuns;
  for (const Result result : {Result::running, Result::failure, Result::success}) {
    const Runs own = shortest[static_cast<std::size_t>(result)];
    if (own == kNoRuns) continue;
    if (!is_too_long(shortest, analysis.outline.tree.as<ir::Ruling>().run_limit, result)) return false;
    runs = runs == kNoRuns ? own : std::min(runs, own);
  }
  if (runs == kNoRuns) return false;
  analysis
      .report(rules::DRA_run_away, kRoot,
              "every update of this tree takes at least " + std::to_string(runs) +
                  " runs of rules, and is stopped at " + at_most(analysis.outline) + " as a run-away",
              kPause)
      .claim = claim_of_run_away(analysis);
  return true;
}

void look_at_longest_update(RuleAnalysis& analysis) {
  const RunsTo longest = longest_update(analysis.outline);
  Runs runs = kNoRuns;
  for (const Result result : {Result::running, Result::failure, Result::success}) {
    if (is_too_long(longest, analysis.outline.tree.as<ir::Ruling>().run_limit, result)) {
      runs = std::max(runs, longest[static_cast<std::size_t>(result)]);
    }
  }
  if (runs == kNoRuns) return;
  analysis
      .report(rules::DRA_long_update, kRoot,
              "an update of this tree can take " + std::to_string(runs) +
                  " runs of rules if all its actions end at once; it is stopped at " + at_most(analysis.outline) +
                  " as a run-away",
              kPause)
      .claim = claim_of_run_away(analysis);
}

// ---- Saving -------------------------------------------------------------------------------------

bool can_end_an_update(const RuleOutline& outline, PlaceIndex place) {
  if (place == kRoot && !outline.tree.as<ir::Ruling>().is_used) return true;
  return !outline.is_list(place) && (outline.answers[place].real & kRuns) != 0;
}

}  // namespace

bool analyse_rule_root(RuleAnalysis& analysis) {
  look_at_failing(analysis);
  look_at_leaf(analysis);
  if (look_at_every_update(analysis)) return true;
  look_at_longest_update(analysis);
  return false;
}

void find_unsaved(RuleAnalysis& analysis) {
  const RuleOutline& outline = analysis.outline;
  for (PlaceIndex place = kRoot; place < outline.places.size(); ++place) {
    if (outline.places[place].is_idle || !outline.id(place).empty()) continue;
    if (!can_end_an_update(outline, place)) continue;
    const text::Span span = analysis.span(place);
    UnsavedPlaces& of_file = analysis.unsaved[span.file];
    of_file.all.push_back(span);
    if (of_file.first.contains(span)) continue;
    if (of_file.first.size() > kMaxShownPlaces) {  // one more than those that are related
      if (of_file.first.rbegin()->first <= span) continue;
      of_file.first.erase(std::prev(of_file.first.end()));
    }
    const std::string name = analysis.name(place);
    of_file.first.try_emplace(
        span, UnsavedPlace{name, analysis.claim("the update ends at " + name, {{Happens::runs, span}})});
  }
}

void report_unsaved(Unsaved& unsaved, text::Findings& findings) {
  for (auto& [file, places] : unsaved) {
    std::sort(places.all.begin(), places.all.end());
    const auto count = std::unique(places.all.begin(), places.all.end()) - places.all.begin();
    const auto& [first, unsaved_place] = *places.first.begin();
    const std::string& name = unsaved_place.name;
    const std::string message =
        count == 1 ? name + ", where an update can end, has no id"
                   : std::to_string(count) + " rules where an update can end have no id; the first is " + name;
    Finding& finding = findings.add(rules::DRA_cannot_save, first, message + ": an agent there cannot be saved",
                                    "if agents are saved, give each of them an id");
    finding.claim = unsaved_place.claim;
    for (auto place = std::next(places.first.begin()); place != places.first.end(); ++place) {
      if (finding.related.size() == kMaxShownPlaces) break;
      finding.related.push_back({place->first, place->second.name + " has no id either"});
    }
  }
}

}  // namespace espalier::lint

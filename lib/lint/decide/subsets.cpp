// The subset rule: a group should accept only when one of its children will. Only preconditions are considered, neither
// answers of the host's functions nor time. See analysis.h.
#include <algorithm>

#include "lint/decide/analysis.h"
#include "lint/decide/masks.h"
#include "lint/decide/preconditions.h"
#include "rules/decider.h"
#include "runtime/format/opcodes/decide.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

constexpr std::size_t kMaxRelated = 3;

// Limits against files made to be slow: each group may take the steps that an ordinary one needs, and hard ones share
// the rest.
constexpr std::size_t kStepsOfGroup = 4096;
constexpr std::size_t kStepsOfWord = 32;
constexpr std::size_t kMoreStepsOfGroup = 1'000'000;
constexpr std::size_t kMoreStepsOfTree = 4'000'000;

bool is_bound(const DecideOutline& outline, PlaceIndex place) {
  const Opcode opcode = outline.places[place].node->opcode;
  const bool is_group = opcode != opcode::decide_behavior && !outline.is_reference(place);
  return is_group && place != outline.root() && !outline.decider(place).delegates;
}

// Adds the part of a child's preconditions that does not hold.
void add_refusal(Finding& finding, const DecideAnalysis& analysis, PlaceIndex child, const Preconditions& asked,
                 const std::vector<logic::Literal>& witness) {
  const std::string asks = analysis.name(child) + " asks for ";
  for (const WantedListInfo& info : kWantedLists) {
    const ir::WantedList& list = analysis.outline.decider(child).*info.list;
    const auto holds = [&](const ir::Wanted& word) { return asked.holds(word, info.is_of_stimuli, witness); };
    if (info.is_any) {
      if (list.words.empty() || std::any_of(list.words.begin(), list.words.end(), holds)) continue;
      finding.related.push_back({list.span, asks + "one of these"});
      return;
    }
    const auto failing = std::find_if_not(list.words.begin(), list.words.end(), holds);
    if (failing == list.words.end()) continue;
    finding.related.push_back({failing->span, asks + "this"});
    return;
  }
}

void report_breach(DecideAnalysis& analysis, PlaceIndex group, const Preconditions& asked,
                   const std::vector<logic::Literal>& witness) {
  const bool decides = !analysis.outline.decider(group).decide.empty();
  const std::string delegating = std::string("give it delegate=\"true\"") + (decides ? " in place of 'decide'" : "");
  Finding& finding = analysis.report(
      rules::DEC_subset_rule, group,
      analysis.name(group) + " may accept while no child of it can: " + asked.state(witness),
      "let a child accept in this case, add preconditions to " + analysis.name(group) + ", or " + delegating);
  finding.claim = text::Claim{analysis.name(group) + " accepts, and none of its children does",
                              analysis.tree().name,
                              {{text::Happens::accepts_alone, analysis.outline.span(group)}}};
  for (const PlaceIndex child : analysis.outline.places[group].children) {
    if (finding.related.size() < kMaxRelated) add_refusal(finding, analysis, child, asked, witness);
  }
}

// Does one of its children accept whenever it does, as its masks show? False: it may.
bool surely_has_accepting_child(const DecideOutline& outline, PlaceIndex group) {
  if (!fits_masks(outline.tree)) return false;
  const WantedMasks masks = masks_of(outline.decider(group));
  const std::span<const PlaceIndex> children = outline.places[group].children;
  return std::any_of(children.begin(), children.end(),
                     [&](PlaceIndex child) { return surely_implies(masks, masks_of(outline.decider(child))); });
}

// Returns the steps that it took.
std::size_t look_at_group(DecideAnalysis& analysis, PlaceIndex group, const std::vector<PlaceIndex>& with_children,
                          std::size_t budget) {
  Preconditions asked(analysis.outline, with_children, budget);
  std::vector<logic::Function> breach;
  breach.reserve(with_children.size());
  for (const PlaceIndex place : with_children) {
    breach.push_back(place == group ? asked.of(place) : asked.diagrams.negation(asked.of(place)));
  }
  const logic::Satisfied satisfied = asked.diagrams.satisfy(breach);
  if (satisfied.answer == logic::Answer::yes) report_breach(analysis, group, asked, satisfied.witness);
  if (satisfied.answer == logic::Answer::unknown) {
    analysis.report(rules::DEC_subset_rule_undecided, group,
                    "cannot decide whether " + analysis.name(group) +
                        " may accept while no child of it can: there are too many cases",
                    "use fewer flags and stimuli in one group, or move some of its children into groups");
  }
  return asked.diagrams.steps();
}

}  // namespace

void analyse_subsets(DecideAnalysis& analysis) {
  const DecideOutline& outline = analysis.outline;
  std::size_t more = kMoreStepsOfTree;
  for (PlaceIndex group = 0; group < outline.places.size(); ++group) {
    if (!is_bound(outline, group) || surely_has_accepting_child(outline, group)) continue;
    std::vector<PlaceIndex> with_children = outline.places[group].children;
    with_children.push_back(group);
    std::size_t words = 0;
    for (const PlaceIndex place : with_children) words += word_count(outline.decider(place));
    const std::size_t own = kStepsOfGroup + kStepsOfWord * words;
    const std::size_t steps = look_at_group(analysis, group, with_children, own + std::min(more, kMoreStepsOfGroup));
    more -= steps > own ? steps - own : 0;
  }
}

}  // namespace espalier::lint

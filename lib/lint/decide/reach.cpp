// Deciders that are never reached, preconditions that always hold, and unused declarations. See analysis.h.
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "lint/decide/analysis.h"
#include "lint/decide/masks.h"
#include "lint/decide/preconditions.h"
#include "lint/facts.h"
#include "lint/fewest.h"
#include "rules/decider.h"
#include "runtime/format/opcodes/decide.h"
#include "text/names.h"

namespace espalier::lint {

using text::quote;

namespace {

// ---- Reach --------------------------------------------------------------------------------------

// Limits on the work: what a group may take, and for each of its children; beyond them nothing is reported.
constexpr std::size_t kReachSteps = 50'000;
constexpr std::size_t kReachStepsOfChild = 5'000;

void report_never_reached(DecideAnalysis& analysis, PlaceIndex place, PlaceIndex above) {
  const std::string name = analysis.name(above);
  Finding finding =
      never_reached(rules::DEC_never_reached, analysis.outline.span(place), analysis.name(place),
                    blockers_from(analysis.outline, above, kFails), "never reached unless " + name + " fails");
  finding.hint = "move it above " + name + ", or give " + name + " a precondition";
  analysis.findings.add(std::move(finding));
}

// It accepts whenever its preconditions hold, and its function of `decide` accepts, if it has one.
bool accepts_by_itself(const ir::Decider& decider) { return decider.every_us == 0 && !decider.delegates; }

// Is each of them reached in one of two simple states, in which none above it accepts? False: it may be.
bool are_surely_reached(const DecideOutline& outline, const std::vector<PlaceIndex>& children) {
  if (!fits_masks(outline.tree)) return false;
  std::vector<WantedMasks> above;
  const auto is_reached_in = [&](const WantedMasks& masks, const DecideState& state) {
    return holds(masks, state) &&
           std::none_of(above.begin(), above.end(), [&](const WantedMasks& other) { return holds(other, state); });
  };
  for (const PlaceIndex place : children) {
    const ir::Decider& decider = outline.decider(place);
    const WantedMasks masks = masks_of(decider);
    if (!above.empty() && !is_reached_in(masks, fewest(masks)) && !is_reached_in(masks, most(masks))) return false;
    if (accepts_by_itself(decider)) above.push_back(masks);
  }
  return true;
}

void look_below(DecideAnalysis& analysis, const std::vector<PlaceIndex>& children) {
  const DecideOutline& outline = analysis.outline;
  if (are_surely_reached(outline, children)) return;
  Preconditions asked(outline, children, kReachSteps + kReachStepsOfChild * children.size());
  struct Above {
    PlaceIndex place;
    logic::Function refuses;
  };
  std::unordered_map<std::string_view, std::size_t> askers;
  for (const PlaceIndex place : children) ++askers[outline.decider(place).decide];
  std::set<logic::Function> refusals;
  std::vector<Above> above;
  for (const PlaceIndex place : children) {
    const logic::Function holds = asked.accepting(place);
    std::vector<logic::Function> reached = {holds};
    for (const Above& other : above) reached.push_back(other.refuses);
    if (!above.empty() && asked.diagrams.satisfy(reached).answer == logic::Answer::no) {
      Finding& finding =
          analysis.report(rules::DEC_reached_after_failures, place,
                          analysis.name(place) + " is reached only when others fail: whenever its preconditions " +
                              (!asked.asks(outline.decider(place).decide) ? "" : "and its function of 'decide' ") +
                              "hold, a decider above it accepts");
      const auto suffice = [&](const std::vector<Above>& some) {
        std::vector<logic::Function> all = {holds};
        for (const Above& other : some) all.push_back(other.refuses);
        return asked.diagrams.satisfy(all).answer == logic::Answer::no;
      };
      for (const Above& other : fewest(above, suffice)) {
        finding.related.push_back({outline.span(other.place), outline.name(other.place) + " accepts before it"});
      }
    }
    // One whose function nobody else asks may always refuse, and of two that accept alike the first is enough.
    const ir::Decider& decider = outline.decider(place);
    if (!accepts_by_itself(decider) || (!decider.decide.empty() && askers.at(decider.decide) == 1)) continue;
    asked.ask(decider.decide);
    const logic::Function refuses = asked.diagrams.negation(asked.accepting(place));
    if (refusals.insert(refuses).second) above.push_back({place, refuses});
  }
}

// ---- Lists --------------------------------------------------------------------------------------

const ir::Wanted* find_word(const ir::WantedList& list, std::uint32_t index, bool present) {
  for (const ir::Wanted& word : list.words) {
    if (word.index == index && word.present == present) return &word;
  }
  return nullptr;
}

void look_at_any(DecideAnalysis& analysis, const ir::Decider& decider, const WantedListInfo& any) {
  const auto& names = [&](const ir::Wanted& word) {
    return any.is_of_stimuli ? analysis.deciding().stimuli[word.index].name
                             : analysis.tree().variables[word.index].name;
  };
  const ir::WantedList& list = decider.*any.list;
  const ir::WantedList& all = any.is_of_stimuli ? decider.stimuli_all : decider.flags_all;
  for (const ir::Wanted& word : list.words) {
    if (word.present && find_word(list, word.index, false) != nullptr) {
      analysis.findings.add(rules::DEC_always_holds, list.span,
                            quote(any.attribute) + " always holds: " + quote(names(word)) + " is either set or not",
                            "remove the attribute, or one of the two words");
      return;
    }
  }
  for (const ir::Wanted& word : list.words) {
    const ir::Wanted* same = find_word(all, word.index, word.present);
    if (same == nullptr) continue;
    const std::string other = any.is_of_stimuli ? "'stimuliAll'" : "'flagsAll'";
    analysis.findings
        .add(rules::DEC_any_without_effect, word.span,
             quote(any.attribute) + " has no effect: it holds whenever " + other + " holds",
             "remove it, or the word from " + other)
        .related.push_back({same->span, "required here"});
    return;
  }
}

// ---- Unused -------------------------------------------------------------------------------------

template <typename Look>
void for_each_decider(const DecideOutline& outline, const Look& look) {
  for (const DecidePlace& place : outline.places) {
    if (const auto* own = place.node->as_if<ir::PlacedDecider>()) look(*own->decider);
  }
}

void find_unchecked(DecideAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  const std::vector<ir::Stimulus>& stimuli = analysis.deciding().stimuli;
  std::vector<bool> is_checked[2] = {std::vector<bool>(tree.variables.size()), std::vector<bool>(stimuli.size())};
  for_each_decider(analysis.outline, [&](const ir::Decider& decider) {
    for (const WantedListInfo& info : kWantedLists) {
      for (const ir::Wanted& word : (decider.*info.list).words)
        is_checked[info.is_of_stimuli ? 1 : 0][word.index] = true;
    }
  });
  for (std::size_t i = 0; i < tree.variables.size(); ++i) {
    if (is_checked[0][i]) continue;
    analysis.findings.add(rules::DEC_flag_never_checked, tree.variables[i].span,
                          "flag " + quote(tree.variables[i].name) + " is never used: no precondition checks it");
  }
  for (std::size_t i = 0; i < stimuli.size(); ++i) {
    if (is_checked[1][i]) continue;
    analysis.findings.add(rules::DEC_stimulus_never_checked, stimuli[i].span,
                          "stimulus " + quote(stimuli[i].name) + " is never used: no precondition checks it");
  }
}

// What only an unused shared decider uses counts as used: one cause is one finding.
void find_unreferenced(DecideAnalysis& analysis) {
  const ir::Nodes& nodes = analysis.outline.tree.nodes;
  std::unordered_set<std::string_view> behaviors;
  std::vector<bool> is_referenced(nodes.shared_count());
  for_each_decider(analysis.outline, [&](const ir::Decider& decider) { behaviors.insert(decider.behavior); });
  for (const DecidePlace& place : analysis.outline.places) {
    if (const auto* share = place.node->as_if<ir::DeciderShare>()) is_referenced[share->shared] = true;
  }
  for (const ir::DeclaredBehavior& behavior : analysis.deciding().declared_behaviors) {
    if (behaviors.count(behavior.name) != 0) continue;
    analysis.findings.add(rules::DEC_behavior_never_used, behavior.span,
                          "behaviour " + quote(behavior.name) + " is never used: no decider has it");
  }
  for (std::size_t i = 0; i < nodes.shared_count(); ++i) {
    if (is_referenced[i]) continue;
    const ir::Node& shared = nodes.shared(i);
    analysis.findings.add(rules::DEC_shared_never_referenced, shared.span,
                          "shared decider " + quote(shared.name) + " is never used: no 'DeciderRef' names it",
                          "name it in a 'DeciderRef', or remove it with what only it uses");
  }
}

}  // namespace

void analyse_reach(DecideAnalysis& analysis) {
  for (const DecidePlace& group : analysis.outline.places) {
    if (group.node->opcode != opcode::decide_prioritized) continue;
    const auto accepting = std::find_if(group.children.begin(), group.children.end(),
                                        [&](PlaceIndex child) { return !can(analysis.outline.gives(child), kFails); });
    const PlaceIndex blocked = first_blocked(analysis.outline, group.own);
    if (blocked != kNoPlace) report_never_reached(analysis, blocked, *accepting);
    look_below(analysis, {group.children.begin(), accepting});  // `accepting` may be intended for failures
  }
}

void analyse_lists(DecideAnalysis& analysis) {
  for_each_decider(analysis.outline, [&](const ir::Decider& decider) {
    for (const WantedListInfo& info : kWantedLists) {
      if (info.is_any) look_at_any(analysis, decider, info);
    }
  });
}

void analyse_unused(DecideAnalysis& analysis) {
  find_unchecked(analysis);
  find_unreferenced(analysis);
}

}  // namespace espalier::lint

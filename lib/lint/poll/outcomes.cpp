// What follows from the results that nodes can give. See analysis.h; the results are those of outline.h.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/poll/built.h"
#include "lint/facts.h"
#include "lint/poll/analysis.h"
#include "lint/poll/outline.h"
#include "lint/poll/sure_runs.h"
#include "rules/btcpp.h"
#include "text/names.h"

namespace espalier::lint {

namespace {

bool is_guarded(const WrittenNode& node) {
  return node.script(Hook::skip_if) != nullptr || node.script(Hook::while_true) != nullptr;
}

class OutcomeCheck {
 public:
  OutcomeCheck(const PollAnalysis& analysis, const PollOutline& outline, SureRuns& runs, SureRuns& certain_runs)
      : analysis_(analysis),
        outline_(outline),
        runs_(runs),
        certain_runs_(certain_runs),
        is_idle_(outline.places.size()) {}

  void check() {
    for (PlaceIndex place = 0; place < outline_.places.size(); ++place) check(place);
  }

 private:
  // What is below a place that is never ticked is not judged.
  void check(PlaceIndex place) {
    const WrittenNode& node = outline_.node(place);
    const std::span<const PlaceIndex> children = outline_.children(place);
    const std::optional<Hook> never = never_begins(node);
    const PlaceIndex blocked = is_idle_[place] || never ? kNoPlace : first_blocked(outline_, place);
    if (blocked != kNoPlace) report_blocked(blocked, children[outline_.places[blocked].number - 1], place);
    if (!is_idle_[place] && never && !children.empty()) report_below(children[0], place, *never);
    for (const PlaceIndex child : children) is_idle_[child] = is_idle_[place] || never || child >= blocked;
    if (!is_idle_[place] && !never) check_node(place);
  }

  // ---- Never ticked

  void report_blocked(PlaceIndex place, PlaceIndex blocker, PlaceIndex row) {
    const std::vector<Blocker> blockers = blockers_from(outline_, blocker, outline_.goes_on_after(row));
    Finding finding =
        never_reached(rules::BTC_never_ticked, outline_.span(place), outline_.name(place), blockers, "never ticked");
    finding.related.front().message = blockers.front().name + ' ' + blockers.front().why;
    analysis_.findings.add(std::move(finding));
  }

  void report_below(PlaceIndex place, PlaceIndex parent, Hook condition) {
    analysis_.report(
        rules::BTC_never_ticked, outline_.span(place),
        never_reached_because(outline_.name(place), "never ticked",
                              quote(name_of(condition)) + " of " + outline_.name(parent) + " never lets it begin"),
        {}, {outline_.span(parent), "the condition is here"});
  }

  // ---- Other findings

  void check_node(PlaceIndex place) {
    const WrittenNode& node = outline_.node(place);
    const std::span<const PlaceIndex> children = outline_.children(place);
    const Built built = is_guess(node) ? built::none : node.built();
    if (built == built::reactive_sequence || built == built::reactive_fallback) check_reactive(place);
    if ((built == built::if_then_else || built == built::while_do_else) && !children.empty() &&
        can(outline_.gives(children[0]), ir::kSkips)) {
      analysis_.report(rules::BTC_skippable_condition, outline_.span(children[0]),
                       outline_.name(children[0]) + " can be skipped, and then " + quote(node.id) + " throws",
                       "a condition must succeed or fail here");
    }
    if ((built == built::repeat || built == built::retry) && children.size() == 1) check_loop(place, children[0]);
    check_superfluous(node);
  }

  void check_reactive(PlaceIndex place) {
    for (const PlaceIndex child : outline_.children(place)) check_restarts(place, child);
    if (report_several(place, certain_runs_, rules::BTC_reactive_several_async)) return;
    static_cast<void>(report_several(place, runs_, rules::BTC_reactive_several_maybe_async));
  }

  // Two children that run according to `runs`, which would halt each other.
  bool report_several(PlaceIndex place, SureRuns& runs, Rule rule) {
    const WrittenNode* first = nullptr;
    for (const PlaceIndex number : outline_.children(place)) {
      const WrittenNode& child = outline_.node(number);
      if (!can(outline_.gives(number), kRuns) || !runs.surely_runs(child)) continue;
      if (first == nullptr) {
        // What runs once never runs again while the other child does, and a decorator of the host's may be there to
        // interrupt it.
        const bool is_gate = child.built() == built::none && !child.is_leaf();
        if (child.built() != built::run_once && !is_gate) first = &child;
        continue;
      }
      if (is_guarded(*first) && is_guarded(child)) continue;  // perhaps they never run together
      const std::string can_run = rule == rules::BTC_reactive_several_async ? "can" : "may";
      const std::string both = first->name == child.name ? "two children " + quote(child.name) + " " + can_run +
                                                               " run: the later one is halted when the other runs again"
                                                         : quote(first->name) + " and " + quote(child.name) + " " +
                                                               can_run + " both run: " + quote(child.name) +
                                                               " is halted when " + quote(first->name) + " runs again";
      analysis_.report(rule, child.span, both, hint_for(*first, child),
                       {first->span, quote(first->name) + " " + can_run + " run"});
      return true;
    }
    return false;
  }

  static std::string hint_for(const WrittenNode& first, const WrittenNode& second) {
    const auto may_be_sync = [](const WrittenNode& node) {
      return node.built() == built::none && node.declaration->kind == NodeKind::action;
    };
    const std::string hint = "keep one child that runs, or use a 'Sequence' or 'Fallback' for them";
    return may_be_sync(first) || may_be_sync(second)
               ? hint + "; if an action never returns RUNNING, declare it in espalier.json with \"as\": \"sync\""
               : hint;
  }

  // A Sequence that can be halted in its middle begins again at its first child.
  void check_restarts(PlaceIndex parent, PlaceIndex place) {
    const WrittenNode& child = outline_.node(place);
    const bool may_be_halted = outline_.places[place].number > 0;
    if (!may_be_halted || child.built() != built::sequence || !child.is_of_library() || child.is_leaf()) return;
    const std::span<const PlaceIndex> later = outline_.children(place).subspan(1);
    const bool has_middle = std::any_of(later.begin(), later.end(),
                                        [&](PlaceIndex each) { return runs_.surely_runs(outline_.node(each)); });
    if (!has_middle) return;
    analysis_.report(
        rules::BTC_restarts_when_halted, child.span,
        "if " + outline_.name(parent) + " halts this 'Sequence', it restarts at its first child the next time",
        "a 'SequenceWithMemory' resumes where it was");
  }

  void check_loop(PlaceIndex place, PlaceIndex child) {
    const WrittenNode& node = outline_.node(place);
    const bool is_repeat = node.built() == built::repeat;
    if (literal_number(node, is_repeat ? "num_cycles" : "num_attempts") != -1.0) return;
    const Results given = outline_.gives(child);
    if (can(given, kRuns) || !can(given, is_repeat ? kSucceeds : kFails)) return;
    if (node.script(Hook::while_true) != nullptr || analysis_.project.ticks_exactly_once) return;
    analysis_.report(
        rules::BTC_runs_away, node.span,
        outline_.name(place) + " loops over a child that is never running: the update does not end while it " +
            (is_repeat ? "succeeds" : "fails"),
        "let the child run for some time, or limit the number; a program that calls tickExactlyOnce() has \"tick\": "
        "\"exactlyOnce\" in espalier.json");
  }

  void check_superfluous(const WrittenNode& node) {
    const bool is_plain = node.built() == built::sequence || node.built() == built::fallback;
    if (!is_plain || !node.is_of_library() || node.has_attributes || node.children().size() != 1) return;
    analysis_.report(rules::BTC_superfluous_composite, node.span,
                     "this " + quote(node.id) + " has one child, and does nothing");
  }

  const PollAnalysis& analysis_;
  const PollOutline& outline_;
  SureRuns& runs_;             // if models are right
  SureRuns& certain_runs_;     // in any case
  std::vector<bool> is_idle_;  // of each place: it is never ticked, which has been reported
};

}  // namespace

void analyse_outcomes(const PollAnalysis& analysis) {
  PollOutlines outlines(analysis.project);
  SureRuns runs(analysis.project, RunsBy::models);
  SureRuns certain_runs(analysis.project, RunsBy::program);
  for (const WrittenTree& tree : analysis.project.trees) {
    if (const PollOutline* const outline = outlines.find(tree))
      OutcomeCheck(analysis, *outline, runs, certain_runs).check();
  }
}

}  // namespace espalier::lint

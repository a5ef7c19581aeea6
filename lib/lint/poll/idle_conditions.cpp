// Conditions that fail whenever they begin anew, such as Nav2's GoalUpdated: below a reactive parent they never
// succeed, as it resets them at each tick. See analysis.h.
#include <algorithm>
#include <vector>

#include "ir/poll/built.h"
#include "lint/poll/analysis.h"
#include "lint/poll/sure_runs.h"
#include "rules/btcpp.h"

namespace espalier::lint {
namespace {

// Is a child of it never ticked again before it was reset? Such a condition begins anew each time.
bool is_forgetful(const WrittenNode& node) {
  if (node.is_subtree() || node.declaration->kind == NodeKind::decorator) return true;
  switch (node.built()) {
    case built::sequence:
    case built::fallback:
    case built::async_sequence:
    case built::async_fallback:
    case built::sequence_with_memory:
    case built::reactive_sequence:
    case built::reactive_fallback:
    case built::parallel:
    case built::parallel_all:
    case built::switch_case:
    case built::pipeline_sequence:
    case built::recovery_node:
    case built::nonblocking_sequence:
      return node.is_of_library() || node.declaration->has_as;
    default:
      return false;
  }
}

class IdleCheck {
 public:
  explicit IdleCheck(const PollAnalysis& analysis)
      : analysis_(analysis),
        project_(analysis.project),
        runs_(analysis.project, RunsBy::framework),
        by_tree_(analysis.project) {}

  void check(const WrittenNode& node) {
    const bool is_reactive = node.built() == built::reactive_sequence || node.built() == built::reactive_fallback;
    if (!is_reactive || !is_forgetful(node)) return;
    const WrittenNode* last = nullptr;  // that runs: those before it have a later sibling that does
    for (const WrittenNode& child : node.children()) {
      if (runs_.surely_runs(child)) last = &child;
    }
    for (const WrittenNode& child : node.children()) {
      if (last == nullptr || &child == last) break;
      for (const WrittenNode* condition : conditions_in(child)) report(*condition, node, *last);
    }
  }

 private:
  using Conditions = std::vector<const WrittenNode*>;

  // Those that fail whenever the node is ticked from idle.
  Conditions conditions_in(const WrittenNode& node) {
    if (node.is_subtree()) {
      if (node.tree == nullptr || !node.tree->is_sound()) return {};
      const Conditions* const known = by_tree_.find(*node.tree, [&] { return conditions_in(node.tree->root()); });
      return known == nullptr ? Conditions() : *known;
    }
    if (node.is_leaf()) return fails_from_idle(node) ? Conditions{&node} : Conditions();
    Conditions all;
    if (!is_forgetful(node)) return all;
    for (const WrittenNode& child : node.children()) {
      const Conditions more = conditions_in(child);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  bool fails_from_idle(const WrittenNode& node) const {
    const Declaration* const known = node.built() == built::none ? project_.known(node) : nullptr;
    return known != nullptr && known->fails_from_idle;
  }

  void report(const WrittenNode& condition, const WrittenNode& parent, const WrittenNode& later) {
    analysis_.report(rules::BTC_never_succeeds, condition.span,
                     quote(condition.name) + " never succeeds: it fails whenever it starts again, and " +
                         quote(parent.name) + " resets it at each tick while " + quote(later.name) + " runs",
                     "as the first child of a 'WhileDoElse' it is ticked again without a reset",
                     {parent.span, "this resets it"});
  }

  const PollAnalysis& analysis_;
  const WrittenProject& project_;
  SureRuns runs_;
  OfTrees<Conditions> by_tree_;
};

}  // namespace

void analyse_idle_conditions(const PollAnalysis& analysis) {
  IdleCheck check(analysis);
  for_each_node(analysis.project, [&](const WrittenNode& node) { check.check(node); });
}

}  // namespace espalier::lint

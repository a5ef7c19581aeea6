// Conditions that fail whenever they begin anew, such as Nav2's GoalUpdated: below a reactive parent they never
// succeed, as it resets them at each tick. See project.h.
#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/project.h"
#include "dialects/btcpp/sure_runs.h"
#include "rules/btcpp.h"

namespace espalier::dialects::btcpp {
namespace {

// Is a child of it never ticked again before it was reset? Such a condition begins anew each time.
bool is_forgetful(const ReadNode& node) {
  if (node.is_subtree() || node.declaration->kind == NodeKind::decorator) return true;
  switch (node.built()) {
    case Built::sequence:
    case Built::fallback:
    case Built::async_sequence:
    case Built::async_fallback:
    case Built::sequence_with_memory:
    case Built::reactive_sequence:
    case Built::reactive_fallback:
    case Built::parallel:
    case Built::parallel_all:
    case Built::switch_case:
    case Built::pipeline_sequence:
    case Built::recovery_node:
    case Built::nonblocking_sequence:
      return node.declaration->row != nullptr || node.declaration->has_as;
    default:
      return false;
  }
}

class IdleCheck {
 public:
  IdleCheck(const ReadProject& project, Reporter& reporter)
      : project_(project), reporter_(reporter), runs_(project, true) {}

  void check(const ReadNode& node) {
    for (const ReadNode& child : node.children) check(child);
    const bool is_reactive = node.built() == Built::reactive_sequence || node.built() == Built::reactive_fallback;
    if (!is_reactive || !is_forgetful(node)) return;
    std::size_t end = node.children.size();  // those before it have a later sibling that runs
    while (end > 0 && !runs_.surely_runs(node.children[end - 1])) --end;
    for (std::size_t i = 0; i + 1 < end; ++i) {
      for (const ReadNode* condition : conditions_in(node.children[i]))
        report(*condition, node, node.children[end - 1]);
    }
  }

 private:
  using Conditions = std::vector<const ReadNode*>;

  // Those that fail whenever the node is ticked from idle.
  Conditions conditions_in(const ReadNode& node) {
    if (node.is_subtree()) return conditions_in(project_.tree_of(node));
    if (node.children.empty()) return fails_from_idle(node) ? Conditions{&node} : Conditions();
    Conditions all;
    if (!is_forgetful(node)) return all;
    for (const ReadNode& child : node.children) {
      const Conditions more = conditions_in(child);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }
  Conditions conditions_in(const ReadTree* tree) {
    if (tree == nullptr || tree->root == nullptr || tree->has_errors || depth_ > kMaxDepth) return {};
    const auto [known, is_new] = by_tree_.try_emplace(tree);
    if (is_new) {
      ++depth_;
      Conditions conditions = conditions_in(*tree->root);
      --depth_;
      by_tree_[tree] = std::move(conditions);
    }
    return by_tree_[tree];
  }

  bool fails_from_idle(const ReadNode& node) const {
    if (node.built() != Built::none) return false;
    if (node.declaration->is_declared) return node.declaration->fails_from_idle;
    const Declaration* const known = project_.nodes.find_known(node.id);
    return known != nullptr && known->fails_from_idle;
  }

  void report(const ReadNode& condition, const ReadNode& parent, const ReadNode& later) {
    reporter_.report(rules::BTC_never_succeeds, condition.element.span(),
                     quote(condition.name) + " never succeeds: it fails whenever it begins anew, and " +
                         quote(parent.name) + " resets it at each tick while " + quote(later.name) + " runs",
                     "as the first child of a 'WhileDoElse' it is ticked again without a reset",
                     {parent.element.span(), "this resets it"});
  }

  const ReadProject& project_;
  Reporter& reporter_;
  SureRuns runs_;
  std::map<const ReadTree*, Conditions> by_tree_;
  std::uint32_t depth_ = 0;  // of subtrees in one another
};

}  // namespace

void check_idle_conditions(const ReadProject& project, Reporter& reporter) {
  IdleCheck check(project, reporter);
  for (const ReadTree& tree : project.trees) {
    if (tree.root != nullptr && !tree.has_errors) check.check(*tree.root);
  }
}

}  // namespace espalier::dialects::btcpp

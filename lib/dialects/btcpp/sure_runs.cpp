// Nodes that run. See sure_runs.h.
#include "dialects/btcpp/sure_runs.h"

#include <algorithm>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/node_checks.h"

namespace espalier::dialects::btcpp {
namespace {

// Whatever its children are.
bool runs_by_itself(const ReadNode& node) {
  switch (node.built()) {
    case Built::none:
      return node.declaration->is_declared;
    case Built::async_sequence:
    case Built::async_fallback:
    case Built::sequence_with_memory:
      return node.children.size() > 1;
    case Built::keep_running:
    case Built::repeat:
    case Built::retry:
    case Built::delay:
    case Built::loop:
    case Built::wait_value_update:
    case Built::rate_controller:
      return true;
    default:
      return false;
  }
}

}  // namespace

Outcomes results_of_host(const Declaration& declaration, const std::vector<Outcomes>& children) {
  if (declaration.results != 0) return declaration.results;
  if (!children.empty()) {
    const bool can_be_skipped =
        std::all_of(children.begin(), children.end(), [](Outcomes child) { return (child & kSkipped) != 0; });
    return kCompleted | kRunning | (can_be_skipped ? kSkipped : 0);
  }
  if (declaration.kind == NodeKind::decorator) return kCompleted | kRunning;
  if (declaration.kind == NodeKind::condition || declaration.is_sync) return kCompleted;
  return kCompleted | kRunning;
}

bool SureRuns::surely_runs(const ReadNode& node) {
  if (node.is_subtree()) return surely_runs(project_.tree_of(node));
  if (!node.children.empty()) {
    return runs_by_itself(node) || std::any_of(node.children.begin(), node.children.end(),
                                               [&](const ReadNode& each) { return surely_runs(each); });
  }
  if (node.built() == Built::sleep) return literal_number(node, "msec") != 0.0;
  if (node.built() != Built::none) return false;
  if (node.is_explicit || node.declaration->is_declared)
    return (results_of_host(*node.declaration, {}) & kRunning) != 0;
  const Declaration* const known = knows_framework_ ? project_.nodes.find_known(node.id) : nullptr;
  return known != nullptr && (results_of_host(*known, {}) & kRunning) != 0;
}

bool SureRuns::surely_runs(const ReadTree* tree) {
  if (tree == nullptr || tree->root == nullptr || depth_ > kMaxDepth) return false;
  const auto [known, is_new] = by_tree_.try_emplace(tree, false);
  if (is_new) {
    ++depth_;
    const bool runs = surely_runs(*tree->root);
    --depth_;
    by_tree_[tree] = runs;
  }
  return by_tree_[tree];
}

}  // namespace espalier::dialects::btcpp

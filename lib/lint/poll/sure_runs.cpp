// Nodes that run. See sure_runs.h.
#include "lint/poll/sure_runs.h"
#include "ir/poll/built.h"

#include <algorithm>

namespace espalier::lint {

namespace {

// Whatever its children are.
bool runs_by_itself(const WrittenNode& node, RunsBy by) {
  switch (node.built()) {
    case built::none:
      return by == RunsBy::program ? node.declaration->by == DeclaredBy::program : node.declaration->is_declared();
    case built::async_sequence:
    case built::async_fallback:
    case built::sequence_with_memory:
      return node.children().size() > 1;
    case built::keep_running:
    case built::repeat:
    case built::retry:
    case built::delay:
    case built::loop:
    case built::wait_value_update:
    case built::rate_controller:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool SureRuns::surely_runs(const WrittenNode& node) {
  if (node.is_subtree()) {
    if (node.tree == nullptr || !node.tree->has_root()) return false;
    const bool* const runs = runs_.find(*node.tree, [&] { return surely_runs(node.tree->root()); });
    return runs != nullptr && *runs;
  }
  if (!node.is_leaf()) {
    const auto children = node.children();
    return runs_by_itself(node, by_) ||
           std::any_of(children.begin(), children.end(), [&](const WrittenNode& each) { return surely_runs(each); });
  }
  if (node.built() == built::sleep) return literal_number(node, "msec") != 0.0;
  if (node.built() != built::none) return false;
  if (by_ == RunsBy::program && node.declaration->by != DeclaredBy::program) return false;
  const bool is_known = node.is_explicit || (node.declaration->is_declared() && node.declaration->gives_kind);
  const bool may_be_of_framework = by_ == RunsBy::framework;
  const Declaration* const known = is_known ? node.declaration : may_be_of_framework ? project_.known(node) : nullptr;
  return known != nullptr && ir::can(results_of_host(*known), ir::kRuns);
}

}  // namespace espalier::lint

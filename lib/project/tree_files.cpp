// The files of trees. See tree_files.h.
#include "project/tree_files.h"

#include <algorithm>
#include <memory>

#include "ir/poll/expand.h"

namespace espalier::project {
namespace {

using TreeFiles = std::set<text::FileId>;

TreeFiles files_of(const ir::Tree& tree) {
  TreeFiles files = {tree.span.file};
  for (const ir::Node& node : ir::nodes_from(tree.root())) {
    files.insert(node.span.file);
    if (const auto* leaf = node.as_if<ir::Leaf>()) files.insert(leaf->behavior_span.file);
    if (const auto* state = node.as_if<ir::Transitions>()) {
      for (const ir::Transition& transition : state->transitions) files.insert(transition.span.file);
    }
  }
  for (const ir::Variable& variable : tree.variables) files.insert(variable.span.file);
  for (const ir::Signal& signal : tree.signals) files.insert(signal.span.file);
  for (const ir::Condition& condition : tree.conditions) files.insert(condition.span.file);
  return files;
}

}  // namespace

TreeFiles files_of_trees_with(const TreeFiles& files, const ir::Project& project) {
  TreeFiles all;
  if (files.empty()) return all;
  for (const ir::Tree& tree : project.trees) {
    TreeFiles of_tree;
    ir::poll::with_nodes(tree, std::make_shared<ir::Names>(),
                         [&](const ir::Tree& whole) { of_tree = files_of(whole); });
    const bool has_part =
        std::any_of(files.begin(), files.end(), [&](text::FileId file) { return of_tree.count(file) != 0; });
    if (has_part) all.insert(of_tree.begin(), of_tree.end());
  }
  return all;
}

}  // namespace espalier::project

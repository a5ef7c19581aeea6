// What nodes call, and names of trees. See tree.h.
#include "ir/tree.h"

#include <algorithm>

#include "runtime/format/opcodes/store.h"
#include "runtime/format/records.h"

namespace espalier::ir {

std::string_view behavior_of(const Node& node) {
  if (const auto* leaf = node.as_if<Leaf>()) return leaf->behavior;
  if (const auto* rule = node.as_if<Rule>()) return rule->behavior;
  if (const auto* place = node.as_if<PlacedDecider>()) return place->decider->behavior;
  if (const auto* polled = node.as_if<PolledNode>()) {
    return polled->is_condition ? std::string_view() : std::string_view(polled->host.string());
  }
  const auto* behavior = node.as_if<Behavior>();
  return behavior != nullptr && node.opcode != opcode::store_condition ? behavior->name.string() : std::string_view();
}

std::string_view own_name(const TreeHead& tree) {
  const std::string_view name = tree.name;
  const std::size_t own = tree.file.size() + layout::kAfterFileBytes;
  const bool has_file = !tree.file.empty() && name.size() > own && name.starts_with(tree.file) &&
                        name.substr(tree.file.size()).starts_with(layout::kAfterFile);
  return has_file ? name.substr(own) : name;
}

void tell_apart(Project& project) {
  std::map<std::string, std::size_t> counts;
  for (Tree& tree : project.trees) {
    tree.name = std::string(own_name(tree));
    ++counts[tree.name];
  }
  bool is_any_shared = false;
  for (Tree& tree : project.trees) {
    if (counts[tree.name] == 1 || tree.file.empty()) continue;
    tree.name = tree.file + std::string(layout::kAfterFile) + tree.name;
    is_any_shared = true;
  }
  if (!is_any_shared) return;
  std::stable_sort(project.trees.begin(), project.trees.end(),
                   [](const Tree& a, const Tree& b) { return a.name < b.name; });
}

}  // namespace espalier::ir

// The nodes of synchronized trees, and those of all trees that an agent runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/store/tree.h"

namespace espalier::report {

inline const std::uint32_t* store_node(const Asset& asset, std::uint32_t word) {
  return array<std::uint32_t>(asset, layout::SectionId::nodes) + word;
}

inline std::uint32_t word_of(const Asset& asset, const std::uint32_t* node) {
  return static_cast<std::uint32_t>(node - store_node(asset, 0));
}

// Calls `visit(instance, node, level)` for each node of each tree that an agent runs, in order; the node of a slot
// comes before the nodes of the tree in it. The agent's own tree has level 0.
template <typename Visit>
void visit_nodes(const Tree& tree, const void* block, const Visit& visit) {
  struct Level {
    StoreInstance instance;
    const std::uint32_t* next;
  };
  auto* bytes = static_cast<unsigned char*>(const_cast<void*>(block));
  const StoreInstance whole = StoreInstance::of(tree, bytes);
  std::vector<Level> levels = {{whole, whole.root()}};
  while (!levels.empty()) {
    const StoreInstance instance = levels.back().instance;
    const std::uint32_t* node = levels.back().next;
    if (node == instance.end()) {
      levels.pop_back();
      continue;
    }
    levels.back().next = next_node(node);
    visit(instance, node, levels.size() - 1);
    if (!instance.has_child(node)) continue;
    const StoreInstance child = instance.child(node);
    levels.push_back({child, child.root()});
  }
}

}  // namespace espalier::report

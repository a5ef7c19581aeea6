// The nodes of two versions of a tree in pairs, by what they are and where they stand.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/pictures/outline.h"

namespace espalier::report {

enum class NodeChange : char { same = 's', changed = 'c', added = 'a', removed = 'r', moved = 'm' };

// By node of each version. A node that is below one that is moved is not moved itself.
struct NodePairs {
  std::vector<std::uint32_t> new_of_old = {};  // kNoParent: it has no partner
  std::vector<std::uint32_t> old_of_new = {};
  std::vector<NodeChange> old_changes = {};  // same, changed, removed, moved
  std::vector<NodeChange> new_changes = {};  // same, changed, added, moved
  bool are_same() const;
};

[[nodiscard]] NodePairs pair_nodes(const PictureTree& before, const PictureTree& after);

}  // namespace espalier::report

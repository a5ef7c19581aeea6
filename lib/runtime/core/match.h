// Finds the nodes of one version of a tree in another version, when an agent is moved.
#pragma once
#include "format/node.h"
#include "format/records.h"

namespace espalier {

// The child of the new parent that corresponds to this child of the old parent. If the old child is the n-th child
// that `is_old` accepts, it is the n-th one that `is_new` accepts. kNone if there is none.
template <typename IsOld, typename IsNew>
std::uint32_t same_child(const NodeWords& from, std::uint32_t old_parent, std::uint32_t child, const NodeWords& to,
                         std::uint32_t parent, const IsOld& is_old, const IsNew& is_new) {
  std::uint32_t rank = 0;
  for (std::uint32_t word = from.first_child(old_parent); word != child; word = from.end_of(word)) {
    if (is_old(word)) ++rank;
  }
  for (std::uint32_t word = to.first_child(parent); word != to.end_of(parent); word = to.end_of(word)) {
    if (is_new(word) && rank-- == 0) return word;
  }
  return layout::kNone;
}

}  // namespace espalier

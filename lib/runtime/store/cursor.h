// Where the next update of an agent of trees that store their results can begin, so that it does not pass all that is
// done.
#pragma once
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/nodes.h"
#include "store/tree.h"

namespace espalier {

// A node of the agent's own tree whose parents are all running, and do nothing as long as a child of theirs goes on
// running: see passes_on(). Its number is in the last two bytes before the agent's first instance; 0 is the root, where
// an update can always begin. If slots take these bytes, each update begins there.
class StoreCursor {
 public:
  StoreCursor(const Tree& tree, void* agent) : StoreCursor(parts_of(*tree.asset, tree_record(tree)), agent) {}
  StoreCursor(const layout::Part* parts, void* agent) {
    const std::uint32_t offset = offset_of(parts);
    place_ = offset != 0 ? static_cast<unsigned char*>(agent) + offset : nullptr;
  }

  // Where it is in an agent's block; 0: slots take its place.
  static std::uint32_t offset_of(const layout::Part* parts) {
    const std::uint32_t begin = instance_offset(parts);
    const bool is_free = end_bits(part_of<EngineId::store, PartKind::slots>(parts)) / 8 + 2 <= begin;
    return is_free ? begin - 2 : 0;
  }

  std::uint32_t number() const { return place_ != nullptr ? load_u16(place_) : 0; }
  void set(const std::uint32_t* node) const {
    if (place_ != nullptr) store_u16(place_, node_number(node));
  }
  void clear() const {
    if (place_ != nullptr) store_u16(place_, 0);
  }

  // Is this node, whose child is running, only a way to that child?
  static bool passes_on(const std::uint32_t* node) {
    return store_row(opcode_of(node)).is_way &&
           !(opcode_of(node) == opcode::store_repeat && has_flag(node, kEachUpdate));
  }

 private:
  unsigned char* place_;
};

}  // namespace espalier

// The memory of nodes that tick their children in order: which one is ticked, and how many were skipped, or another
// number up to that of its children.
#pragma once
#include "format/node.h"
#include "poll/tree.h"

namespace espalier {

// A place is the number of a child, counted from the first one as nodes are; of the end that of the node after the
// last one.
inline std::uint32_t place_of(const std::uint32_t* node, const std::uint32_t* child) {
  return static_cast<std::uint32_t>(child - node) / kPolledWords - 1;
}
// Null: the end, or, only with a damaged block, no child.
inline const std::uint32_t* child_at_place(const std::uint32_t* node, std::uint32_t place) {
  const std::size_t words = (std::size_t{place} + 1) * kPolledWords;
  return words < node[kPolledExtentWord] && words_to_parent(node + words) == words ? node + words : nullptr;
}

class Places {
 public:
  Places(unsigned char* memory, const std::uint32_t* node)
      : memory_(memory), is_narrow_(place_bytes(nodes_within(node)) == 1) {}

  std::uint32_t place() const { return load(0); }
  std::uint32_t skips() const { return load(1); }
  void set_place(std::uint32_t place) const { store(0, place); }
  void set_skips(std::uint32_t skips) const { store(1, skips); }
  void set(std::uint32_t place, std::uint32_t skips) const {
    store(0, place);
    store(1, skips);
  }

 private:
  std::uint32_t load(std::size_t nth) const { return is_narrow_ ? memory_[nth] : load_u16(memory_ + 2 * nth); }
  void store(std::size_t nth, std::uint32_t number) const {
    if (is_narrow_) {
      memory_[nth] = static_cast<unsigned char>(number);
    } else {
      store_u16(memory_ + 2 * nth, number);
    }
  }

  unsigned char* const memory_;
  const bool is_narrow_;
};

}  // namespace espalier

// How much a node remembers.
#pragma once
#include "poll/nodes.h"
#include "poll/tree.h"

namespace espalier {

// How many bytes a node has in the part poll_memory. Numbers in it are not aligned. `node_count`: nodes_within().
constexpr std::uint32_t memory_bytes(Opcode opcode, std::uint32_t child_count, std::uint32_t node_count) {
  const PollShape& shape = shape_of(opcode);
  return shape.places * place_bytes(node_count) + shape.bytes + (child_count * shape.child_bits + 7) / 8;
}
inline std::uint32_t memory_bytes(const std::uint32_t* node, const Polled& polled) {
  return memory_bytes(opcode_of(node), polled.child_count, nodes_within(node));
}

}  // namespace espalier

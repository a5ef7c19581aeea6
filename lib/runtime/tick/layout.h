// How much agent state a node of the engine tick has, from what it looks like. Used by whoever lays out agents, checks
// or runs them, so that all three agree.
#pragma once
#include <cstdint>

#include "format/node.h"
#include "format/records.h"

namespace espalier {

// A parallel keeps one bit for each branch that has begun and has no result yet, followed by these bits.
enum class ParallelBit : std::uint8_t {
  entering,  // its first update: branches after the current one have not begun
  some_succeeded,
  some_failed,
  count
};

// Bytes of a parallel with so many branches.
constexpr std::uint32_t parallel_bytes(std::uint32_t branch_count) {
  return (branch_count + static_cast<std::uint32_t>(ParallelBit::count) + 7) / 8;
}

// A branch needs a cursor only when there is more than one place to be.
constexpr std::uint32_t branch_bytes(Opcode child, std::uint32_t cursor_bytes) {
  return opcode_info(child).children == Children::none ? 0 : cursor_bytes;
}

// Bytes of a node's own state. The heads of its children are right.
inline std::uint32_t node_agent_bytes(const std::uint32_t* node, std::uint32_t cursor_bytes) {
  switch (opcode_of(node)) {
    case Opcode::tick_parallel:
      return parallel_bytes(child_count(node));
    case Opcode::tick_branch:
      return branch_bytes(opcode_of(first_child(node)), cursor_bytes);
    case Opcode::tick_loop:
      return operand<OperandKind::count, Opcode::tick_loop>(node) > 0 ? 1 : 0;
    default:
      return info_of(node).agent_bytes;
  }
}

}  // namespace espalier

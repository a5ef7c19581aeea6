// The size of the agent state of a node of the engine tick. The compiler, the verifier and the engine all use these
// functions, so that they agree.
#pragma once
#include <cstdint>

#include "format/node.h"
#include "format/records.h"

namespace espalier {

// A parallel stores one bit for each branch, set if it has begun and has no result yet, followed by these bits.
enum class ParallelBit : std::uint8_t {
  entering,  // its first update: branches after the current one have not begun
  some_succeeded,
  some_failed,
  count
};

// The bytes of a parallel with this number of branches.
constexpr std::uint32_t parallel_bytes(std::uint32_t branch_count) {
  return (branch_count + static_cast<std::uint32_t>(ParallelBit::count) + 7) / 8;
}

// A branch needs a cursor only if more than one of its nodes can be present.
constexpr std::uint32_t branch_bytes(Opcode child, std::uint32_t cursor_bytes) {
  return opcode_info(child).children == Children::none ? 0 : cursor_bytes;
}

// The bytes of a node's own state. The headers of its children must be valid.
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

// The size of the agent state of a node of the engine tick. The compiler, the verifier and the engine all use these
// functions, so that they agree.
#pragma once
#include <cstdint>

#include "format/node.h"
#include "format/opcodes/tick.h"
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
inline std::uint32_t branch_bytes(Opcode child, std::uint32_t cursor_bytes) {
  return opcode_info(child).children == Children::none ? 0 : cursor_bytes;
}

// Sizes that depend on the tree.
struct StateSizes {
  std::uint32_t cursor_bytes;         // 2 or 4
  std::uint32_t states_offset;        // of the nodes' state in the block
  const std::uint32_t* memory_bytes;  // of each behaviour; null: they have no memory
};

// The bytes of a node's own state: of an action, its memory. The headers of its children must be valid.
inline std::uint32_t node_agent_bytes(const std::uint32_t* node, const StateSizes& sizes) {
  switch (opcode_of(node)) {
    case opcode::tick_action:
      return sizes.memory_bytes == nullptr
                 ? 0
                 : sizes.memory_bytes[operand<OperandKind::behavior, opcode::tick_action>(node)];
    case opcode::tick_parallel:
      return parallel_bytes(child_count(node));
    case opcode::tick_branch:
      return branch_bytes(opcode_of(first_child(node)), sizes.cursor_bytes);
    case opcode::tick_loop:
      return operand<OperandKind::count, opcode::tick_loop>(node) > 0 ? 1 : 0;
    default:
      return info_of(node).agent_bytes;
  }
}

// Where the state of a node begins, among the nodes' state, if what comes before it ends at `end`. Memory is at a
// multiple of 8 in the block; no other state is aligned.
inline std::uint32_t begin_of_state(const std::uint32_t* node, std::uint32_t end, const StateSizes& sizes) {
  if (opcode_of(node) != opcode::tick_action) return end;
  constexpr std::uint32_t kMask = layout::kAlignment - 1;
  return ((sizes.states_offset + end + kMask) & ~kMask) - sizes.states_offset;
}

}  // namespace espalier

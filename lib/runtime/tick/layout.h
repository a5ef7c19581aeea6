// How much agent state a node of the engine tick has, from what it looks like. Used by whoever lays out agents, checks
// or runs them, so that all three agree.
#pragma once
#include <cstdint>

#include "format/opcode.h"
#include "format/records.h"

namespace espalier {

// A parallel keeps one bit for each branch that has begun and has no result yet, and these behind them.
enum class ParallelBit : std::uint8_t {
  entering,  // its first update: branches behind the present one have not begun
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

// What decides the size of a node's own state where its row says `varies`.
struct StateShape {
  std::uint32_t branch_count = 0;      // tick_parallel
  std::uint32_t count = 0;             // tick_loop
  Opcode child = Opcode::tick_result;  // tick_branch
  std::uint32_t cursor_bytes = 2;      // of the tree
};

constexpr std::uint32_t node_agent_bytes(Opcode opcode, const StateShape& shape) {
  const OpcodeInfo& info = opcode_info(opcode);
  if (info.agent_bytes != varies) return info.agent_bytes;
  if (opcode == Opcode::tick_parallel) return parallel_bytes(shape.branch_count);
  if (opcode == Opcode::tick_branch) return branch_bytes(shape.child, shape.cursor_bytes);
  return shape.count > 0 ? 1 : 0;  // tick_loop
}

}  // namespace espalier

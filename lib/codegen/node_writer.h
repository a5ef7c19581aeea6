// The one writer of nodes: the words of each, from the opcode table and the project's node, and what its operands lead
// to. Engines say in which order nodes stand, and what only they know of them.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "codegen/pools.h"

namespace espalier::codegen {

// Writes one unit at the end of NODES.
class NodeWriter {
 public:
  // Gives an operand of a kind that only the node's engine knows.
  using EngineOperand = std::function<std::uint32_t(OperandKind)>;

  // `tree`: the only tree that uses the unit; layout::kNone: several may.
  NodeWriter(Pools& pools, std::uint32_t tree);

  // Writes the head and the operands of a node below the one that is open, if any. It is open until close(). Gives its
  // first word.
  std::uint32_t open(const ir::Node& node, const EngineOperand& engine_operand) {
    return open(node, node.opcode, engine_operand);
  }
  // The same of a node with this opcode in the place of `node`.
  std::uint32_t open(const ir::Node& node, Opcode opcode, const EngineOperand& engine_operand);
  // Closes the node that was opened last: all nodes below it are written.
  void close();
  // Byte offset of a node's agent state, of the engines whose nodes have it in their head.
  void set_state(std::uint32_t word, std::uint32_t offset_bytes) { sections_.nodes[word] |= offset_bytes << 16; }

  // Gives the operand of a condition that nodes of the unit read, whose variables are counted.
  std::uint32_t use_condition(std::uint32_t operand);

  // The unit's record. Nodes and words are counted here; other counts are the engine's.
  layout::Unit& unit() { return unit_; }
  std::uint32_t next_word() const { return count32(sections_.nodes.size()); }
  // Adds the record when all nodes are closed, and gives its index.
  std::uint32_t finish();

 private:
  struct OpenNode {
    std::uint32_t word;
    std::uint32_t child_count;  // so far
  };

  std::uint32_t operand(const ir::Node& node, OperandKind kind, std::uint32_t which,
                        const EngineOperand& engine_operand);

  Pools& pools_;
  Sections& sections_;
  layout::Unit unit_ = {};
  std::vector<OpenNode> open_;
};

}  // namespace espalier::codegen

// The writer of nodes: writes their words, from the opcode table and the nodes of the project, and the records that
// their operands refer to. The engines decide the order of nodes, and supply the operands that only they know.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codegen/pools.h"

namespace espalier::codegen {

// Writes one unit at the end of NODES.
class NodeWriter {
 public:
  // `tree`: the only tree that uses the unit; layout::kNone: several may.
  NodeWriter(Pools& pools, std::uint32_t tree);

  // Writes the head and the operands of a node, below the one that is open if any, with this opcode. It is open until
  // close(). Returns its first word. engine_operand(kind) returns the operands that only the node's engine knows.
  using EngineOperand = std::function<std::uint32_t(OperandKind kind)>;
  std::uint32_t open(const ir::Node& node, Opcode opcode, const EngineOperand& engine_operand);
  // Closes the node that was opened last: all nodes below it are written.
  void close();
  // Sets the high half of a node's first word, for the engines that do not number nodes there.
  void set_state(std::uint32_t word, std::uint32_t offset_bytes) { sections_.nodes[word] |= offset_bytes << 16; }
  void set_leaf(std::uint32_t word, std::uint32_t leaf) { sections_.nodes[word] |= leaf << 16; }

  // Returns the operand of a condition that nodes of the unit read, and counts its variables.
  std::uint32_t use_condition(std::uint32_t operand);

  // The unit's record. Nodes and words are counted here; the engine fills in all other counts.
  layout::Unit& unit() { return unit_; }
  std::uint32_t next_word() const { return count32(sections_.nodes.size()); }
  // Adds the record after all nodes were closed, and returns its index.
  std::uint32_t finish();

 private:
  struct OpenNode {
    std::uint32_t word;
    std::uint32_t child_count;  // so far
  };

  std::uint32_t open_head(const ir::Node& node, Opcode opcode);
  // `which`: the first operand of its kind, or the second, ... None: only the engine knows it.
  std::optional<std::uint32_t> operand(const ir::Node& node, OperandKind kind, std::uint32_t which);

  Pools& pools_;
  Sections& sections_;
  layout::Unit unit_ = {};
  std::vector<OpenNode> open_;  // nested
};

}  // namespace espalier::codegen

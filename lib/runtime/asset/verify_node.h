// What verifying a node has in common in all engines, by its row in opcodes.def. Each function returns null, or what is
// wrong.
#pragma once
#include "asset/view.h"

namespace espalier {

// Of a node of any content, with so many words to the end of its parent, or of its unit: its opcode, extent, flags, and
// its children: as many as it must have, each within it, of the kinds that may stand there, and numbered in order.
// What is in the children is not looked at.
const char* check_node(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id);

// May this node be the root of its unit? The others stand below one kind of node only.
const char* check_root(const std::uint32_t* node);

// An operand whose meaning is the same wherever it stands. Others are their engine's to check, and so are a condition's
// variables.
const char* check_operand(const Asset& asset, const std::uint32_t* node, std::uint32_t operand);

// A condition operand; `*variable_count` becomes as many as it reads, if it was fewer.
const char* check_condition_operand(const Asset& asset, std::uint32_t condition, std::uint32_t* variable_count);

// The places of a unit's nodes that know their parents. They are read front to back.
class NodePlaces {
 public:
  // Below `max_depth` nodes there may be none.
  NodePlaces(EngineId engine_id, std::uint32_t max_depth) : engine_id_(engine_id), max_depth_(max_depth) {}

  // The node at `word` of a unit of `unit_words`, whose nodes before it have been read: check_node(), and its parent.
  const char* read(const std::uint32_t* node, std::uint32_t word, std::uint32_t unit_words);
  // Of the node that was read last; null: it is the root.
  const std::uint32_t* parent() const { return parent_; }

 private:
  EngineId engine_id_;
  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0;
  const std::uint32_t* last_ = nullptr;
  const std::uint32_t* parent_ = nullptr;
};

}  // namespace espalier

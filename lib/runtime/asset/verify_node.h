// What verifying a node has in common in several engines. Each function returns null, or what is wrong.
#pragma once
#include "asset/view.h"

namespace espalier {

inline Opcode opcode_of(const std::uint32_t* node) { return static_cast<Opcode>(node[0] & 0xFF); }

// Has it an opcode, and one of the family of its unit?
const char* check_kind(const std::uint32_t* node, Family family);

// Are the bits of its flags those that its opcode has? Its opcode has been checked.
const char* check_flags(const std::uint32_t* node);

// A condition operand; `*variable_count` becomes as many as it reads, if it was fewer.
const char* check_condition_operand(const Asset& asset, std::uint32_t condition, std::uint32_t* variable_count);

// The places of a unit's nodes, where all are of one size and know their parents. They are read front to back.
class NodePlaces {
 public:
  // `parent_word` is that of the operand `parent`; below `max_depth` nodes there may be none.
  NodePlaces(std::uint32_t node_words, std::uint32_t parent_word, std::uint32_t max_depth)
      : node_words_(node_words), parent_word_(parent_word), max_depth_(max_depth) {}

  // The node at `word` of a unit of `unit_words`, whose nodes before it have been read.
  const char* read(const std::uint32_t* node, std::uint32_t word, std::uint32_t unit_words);
  // Of the node that was read last; null: it is the root.
  const std::uint32_t* parent() const { return parent_; }

 private:
  std::uint32_t node_words_;
  std::uint32_t parent_word_;
  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0;
  const std::uint32_t* parent_ = nullptr;
};

}  // namespace espalier

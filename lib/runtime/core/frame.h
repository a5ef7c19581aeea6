// Entering a unit: a tree's own, or one that a node of another unit refers to. All engines use these functions: a
// select_share or decide_share refers to a shared unit, a rule_subtree to the rules of another file, and a store_child
// to the tree of its slot.
#pragma once
#include "asset/view.h"
#include "format/node.h"

namespace espalier {

inline const std::uint32_t* nodes_of(const Asset& asset) {
  return array<std::uint32_t>(asset, layout::SectionId::nodes);
}

// The current unit of a walk, in one place where it is used.
struct Frame {
  std::uint32_t first_word = 0;  // its root, which contains all its nodes
  std::uint32_t end_word = 0;
  std::uint32_t leaf_base = 0;  // trees that select: number of leaves, and bytes of node state, before its own
  std::uint32_t state_base = 0;
};

inline Frame frame_of(const Asset& asset, std::uint32_t unit) {
  const layout::Unit& record = unit_record(asset, unit);
  return {record.first_word, record.first_word + record.word_count};
}

inline const std::uint32_t* unit_root(const Asset& asset, std::uint32_t unit) {
  return nodes_of(asset) + frame_of(asset, unit).first_word;
}

// The unit that a node with this opcode uses.
template <Opcode opcode>
std::uint32_t entered_unit(const Asset& asset, const std::uint32_t* node) {
  if constexpr (operand_word(InfoOf<opcode>::value, OperandKind::reference) != 0) {
    const std::uint32_t reference = operand<OperandKind::reference, opcode>(node);
    return array<layout::Reference>(asset, layout::SectionId::references)[reference].unit;
  } else {
    return operand<OperandKind::unit, opcode>(node);
  }
}

// Where the nodes of a unit are that are in NODE_WORDS, by number, from the unit's first word.
inline const std::uint32_t* node_words_of(const Asset& asset, const layout::Unit& unit) {
  return array<std::uint32_t>(asset, layout::SectionId::node_words) + unit.first_node_word;
}
inline const std::uint32_t* numbered_node(const Asset& asset, const layout::Unit& unit, std::uint32_t number) {
  return nodes_of(asset) + unit.first_word + node_words_of(asset, unit)[number];
}

}  // namespace espalier

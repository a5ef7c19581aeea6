// The layout of a node's words: its header, and its operands by kind. All code decodes nodes with these functions;
// opcodes.def has the table of nodes.
#pragma once
#include "format/opcode_info.h"

namespace espalier {

// ---- A node, by its first word in memory

// Valid for any content; is_opcode() (opcode.h) tests whether the opcode exists.
inline std::uint32_t opcode_number(const std::uint32_t* node) { return node[0] & 0xFF; }
inline Opcode opcode_of(const std::uint32_t* node) { return static_cast<Opcode>(opcode_number(node)); }
inline const OpcodeInfo& info_of(const std::uint32_t* node) { return opcode_info(opcode_of(node)); }
inline std::uint32_t flags_of(const std::uint32_t* node) { return node[0] >> 8 & 0xFF; }
inline bool has_flag(const std::uint32_t* node, std::uint32_t flag) { return (node[0] >> 8 & flag) != 0; }
// In the engines select and tick, except of a select_leaf: the offset of its agent state, relative to its unit's.
inline std::uint32_t state_offset_of(const std::uint32_t* node) { return node[0] >> 16; }
// Of a select_leaf: the ordinal of its leaf, relative to its unit's first.
inline std::uint32_t leaf_of(const std::uint32_t* node) { return node[0] >> 16; }
// In the other engines: its number in its unit, from 0 in the order of NODES.
inline std::uint32_t node_number(const std::uint32_t* node) { return node[0] >> 16; }
constexpr bool numbers_nodes(EngineId engine) { return engine != EngineId::select && engine != EngineId::tick; }
// Does NODE_WORDS list the nodes of its units by number? Nodes of deciders need no list: they all have the same size.
constexpr bool has_node_words(EngineId engine) { return engine == EngineId::rule || engine == EngineId::store; }

namespace detail {
constexpr std::uint32_t words_of_row(const OpcodeInfo& info) { return kNodeHeaderWords + info.operand_count; }
constexpr std::uint32_t extent_word_of_row(const OpcodeInfo& info) {
  const bool has_extent = info.operand_count > 0 && info.operands[info.operand_count - 1] == OperandKind::extent;
  return has_extent ? words_of_row(info) - 1 : 0;
}
}  // namespace detail

// The number of words of a node without its descendants.
template <Opcode opcode>
constexpr std::uint32_t own_words() {
  return detail::words_of_row(InfoOf<opcode>::value);
}
inline std::uint32_t own_words(Opcode opcode) { return detail::kOwnWords[static_cast<std::uint8_t>(opcode)]; }
inline std::uint32_t own_words(const std::uint32_t* node) { return detail::kOwnWords[opcode_number(node)]; }
inline bool has_extent(const std::uint32_t* node) { return detail::kExtentWords[opcode_number(node)] != 0; }
namespace detail {
// The word with the extent of nodes with these opcodes, where it is the same; else 0.
template <Opcode opcode, Opcode... others>
constexpr std::uint32_t extent_word() {
  constexpr std::uint32_t word = extent_word_of_row(InfoOf<opcode>::value);
  return ((extent_word_of_row(InfoOf<others>::value) == word) && ...) ? word : 0;
}
}  // namespace detail

// The number of words of the node and all its descendants. `opcodes`: those that it can have, if they are known, and
// all have an extent at the same place: that takes fewer instructions.
template <Opcode... opcodes>
std::uint32_t extent_of(const std::uint32_t* node) {
  if constexpr (sizeof...(opcodes) == 0) {
    const std::uint32_t word = detail::kExtentWords[opcode_number(node)];
    return word != 0 ? node[word] : own_words(node);
  } else {
    static_assert(detail::extent_word<opcodes...>() != 0);
    return node[detail::extent_word<opcodes...>()];
  }
}
// The first word after the node and its descendants: the next sibling, if there is one.
template <Opcode... opcodes>
const std::uint32_t* end_of(const std::uint32_t* node) {
  return node + extent_of<opcodes...>(node);
}
inline bool has_children(const std::uint32_t* node) { return extent_of(node) > own_words(node); }
// The next node in the order of NODES, which is preorder: its first child, if it has one.
inline const std::uint32_t* next_node(const std::uint32_t* node) { return node + own_words(node); }
inline const std::uint32_t* first_child(const std::uint32_t* parent) { return next_node(parent); }

// for (const std::uint32_t* child : children_of(node))
class ChildNodes {
 public:
  class Iterator {
   public:
    explicit Iterator(const std::uint32_t* node) : node_(node) {}
    const std::uint32_t* operator*() const { return node_; }
    void operator++() { node_ = end_of(node_); }
    bool operator!=(Iterator other) const { return node_ != other.node_; }

   private:
    const std::uint32_t* node_;
  };

  explicit ChildNodes(const std::uint32_t* parent) : parent_(parent) {}
  Iterator begin() const { return Iterator(first_child(parent_)); }
  Iterator end() const { return Iterator(end_of(parent_)); }

 private:
  const std::uint32_t* parent_;
};
inline ChildNodes children_of(const std::uint32_t* parent) { return ChildNodes(parent); }

inline std::uint32_t child_count(const std::uint32_t* parent) {
  std::uint32_t count = 0;
  for ([[maybe_unused]] const std::uint32_t* child : children_of(parent)) ++count;
  return count;
}
// The index of a child among its parent's children, from 0.
template <Opcode... children>
std::uint32_t child_index(const std::uint32_t* parent, const std::uint32_t* wanted) {
  std::uint32_t index = 0;
  for (const std::uint32_t* child = first_child(parent); child != wanted; child = end_of<children...>(child)) ++index;
  return index;
}
// The child with this index, which must exist.
template <Opcode... children>
const std::uint32_t* child_at(const std::uint32_t* parent, std::uint32_t index) {
  const std::uint32_t* child = first_child(parent);
  for (; index > 0; --index) child = end_of<children...>(child);
  return child;
}

// ---- Operands

// The index of a node's word with its first operand of a kind; 0 if it has none.
constexpr std::uint32_t operand_word(const OpcodeInfo& info, OperandKind kind) {
  for (std::uint32_t i = 0; i < kMaxOperands; ++i) {
    if (info.operands[i] == kind) return kNodeHeaderWords + i;
  }
  return 0;
}
inline std::uint32_t operand_word(Opcode opcode, OperandKind kind) { return operand_word(opcode_info(opcode), kind); }

// The operand of a kind, of a node that has one of these opcodes. `nth`: of several in a row, counted from 0.
template <OperandKind kind, Opcode opcode, Opcode... others>
std::uint32_t operand(const std::uint32_t* node, std::uint32_t nth = 0) {
  constexpr std::uint32_t word = operand_word(InfoOf<opcode>::value, kind);
  static_assert(word != 0, "nodes with this opcode have no such operand");
  static_assert(((operand_word(InfoOf<others>::value, kind) == word) && ...),
                "the operand stands elsewhere in one of them");
  return node[word + nth];
}

namespace detail {
// The word with the operand of this kind in all nodes of an engine that have one; 0 if it differs or there is none.
template <EngineId engine>
constexpr std::uint32_t operand_word(OperandKind kind) {
  std::uint32_t found = 0;
  for (const OpcodeRow& row : OpcodesOf<engine>::rows) {
    const std::uint32_t word = espalier::operand_word(row.info, kind);
    if (word == 0) continue;
    if (found != 0 && found != word) return 0;
    found = word;
  }
  return found;
}
}  // namespace detail

// The same, of any node of the engine that has such an operand.
template <OperandKind kind, EngineId engine>
std::uint32_t operand(const std::uint32_t* node) {
  constexpr std::uint32_t word = detail::operand_word<engine>(kind);
  static_assert(word != 0, "the engine has no such operand, or has it in several places");
  return node[word];
}

template <OperandKind kind, EngineId engine>
bool has_operand(const std::uint32_t* node) {
  constexpr std::uint32_t word = detail::operand_word<engine>(kind);
  static_assert(word != 0, "the engine has no such operand, or has it in several places");
  return info_of(node).operands[word - kNodeHeaderWords] == kind;
}

// Nodes that refer to their parents do so with their first operand.
inline constexpr std::uint32_t kParentWord = kNodeHeaderWords;

// The number of words from its parent's first word to its own; 0 if it is its unit's root.
inline std::uint32_t words_to_parent(const std::uint32_t* node) { return node[kParentWord]; }
inline bool is_root(const std::uint32_t* node) { return words_to_parent(node) == 0; }
inline const std::uint32_t* parent_of(const std::uint32_t* node) { return node - words_to_parent(node); }

// ---- Nodes by the index of their first word, counted from the first word of a unit or of the asset

class NodeWords {
 public:
  explicit NodeWords(const std::uint32_t* first) : first_(first) {}

  const std::uint32_t* operator[](std::uint32_t word) const { return first_ + word; }
  std::uint32_t word_of(const std::uint32_t* node) const { return static_cast<std::uint32_t>(node - first_); }

  Opcode opcode(std::uint32_t word) const { return opcode_of(first_ + word); }
  std::uint32_t first_child(std::uint32_t word) const { return word + own_words(opcode(word)); }
  std::uint32_t end_of(std::uint32_t word) const { return word + extent_of(first_ + word); }
  bool is_root(std::uint32_t word) const { return espalier::is_root(first_ + word); }
  std::uint32_t parent_of(std::uint32_t word) const { return word - words_to_parent(first_ + word); }
  // The child of `parent` that is the node `word` or contains it. `word` is a descendant of `parent`.
  std::uint32_t child_around(std::uint32_t parent, std::uint32_t word) const {
    std::uint32_t child = first_child(parent);
    while (end_of(child) <= word) child = end_of(child);
    return child;
  }
  // The child with this index; the first child if it does not exist, which happens only with a damaged block.
  std::uint32_t child_at(std::uint32_t parent, std::uint32_t index) const {
    const std::uint32_t first = first_child(parent);
    std::uint32_t child = first;
    for (; index > 0 && child < end_of(parent); --index) child = end_of(child);
    return child < end_of(parent) ? child : first;
  }

 private:
  const std::uint32_t* first_;
};

}  // namespace espalier

// The disassembler's view of a verified asset: nodes decoded with the opcode table, names of variables where the trees
// of a unit agree on them, debug data. Shared by the files that print.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/asset/view.h"
#include "runtime/format/kinds.h"

namespace espalier::codegen {

// ---- Nodes ----------------------------------------------------------------------------------------------------------

struct NodeView {
  std::uint32_t word = 0;    // its first word in NODES
  std::uint32_t extent = 0;  // in words
  Opcode opcode = kNoOpcode;
  std::uint32_t flags = 0;
  std::uint32_t agent_offset = 0;           // of its state, relative to its unit's; of a select_leaf its leaf
  const std::uint32_t* operands = nullptr;  // opcode_info(opcode).operand_count of them
  std::uint32_t own_words() const;          // without its descendants
};

NodeView node_at(const Asset& asset, std::uint32_t word);
// Its operand of this kind, or null.
const std::uint32_t* operand(const NodeView& node, OperandKind kind);
// The word in opcodes.def for an operand: "leaf_count".
std::string_view operand_name(Opcode opcode, std::uint32_t operand);
// Does the node's agent offset have a meaning?
bool has_agent_offset(const Asset& asset, const NodeView& node);
// Of a tick_action: bytes of its memory in the agent's block.
std::uint32_t memory_bytes_of(const Asset& asset, const NodeView& node);
// select: the unit that it stands for; null: it is no select_share.
const std::uint32_t* shared_unit(const NodeView& node);
// select: is it a leaf? The n-th of a tree, as visit_tree() finds them, has the number n.
bool is_leaf(const NodeView& node);

// The element of nodes that have another name in its place: "Priority", "SubTree"; empty: their name is that of the
// element.
std::string_view element_of(Opcode opcode);

// Calls visit(const NodeView&, depth) for the nodes of one unit in their order.
template <typename Visit>
void visit_unit(const Asset& asset, std::uint32_t unit, const Visit& visit) {
  std::vector<std::uint32_t> ends;
  const std::uint32_t end = unit_record(asset, unit).first_word + unit_record(asset, unit).word_count;
  for (std::uint32_t word = unit_record(asset, unit).first_word; word < end;) {
    while (!ends.empty() && ends.back() <= word) ends.pop_back();
    const NodeView node = node_at(asset, word);
    visit(node, ends.size());
    ends.push_back(word + node.extent);
    word += node.own_words();
  }
}

// The same for a whole tree: a shared unit's nodes follow each select_share that refers to it, one level deeper.
// leaf_base is the number of leaves before the node's unit. For rules and deciders, visits only the root's unit.
template <typename Visit>
void visit_tree(const Tree& tree, const Visit& visit) {
  struct Frame {
    std::uint32_t end;        // word after the node, or after the unit
    std::uint32_t resume;     // where to continue
    std::uint32_t leaf_base;  // there
  };
  const Asset& asset = *tree.asset;
  std::vector<Frame> frames;
  std::uint32_t leaf_base = 0;
  auto enter = [&](std::uint32_t unit, std::uint32_t resume) {
    frames.push_back({unit_record(asset, unit).first_word + unit_record(asset, unit).word_count, resume, leaf_base});
    return unit_record(asset, unit).first_word;
  };
  std::uint32_t word = enter(tree_record(tree).unit, 0);
  for (;;) {
    while (word == frames.back().end) {
      word = frames.back().resume;
      leaf_base = frames.back().leaf_base;
      frames.pop_back();
      if (frames.empty()) return;
    }
    const NodeView node = node_at(asset, word);
    visit(node, frames.size() - 1, leaf_base);
    const std::uint32_t next = word + node.extent;
    if (const std::uint32_t* const shared = shared_unit(node)) {
      word = enter(*shared, next);
      leaf_base += *operand(node, OperandKind::leaf);
    } else {
      word += node.own_words();
      frames.push_back({next, next, leaf_base});
    }
  }
}

// ---- Names ----------------------------------------------------------------------------------------------------------

// The names of variables in conditions: those of a tree, or "v3" if there is no tree, or if other relevant trees use
// another name.
struct VariableNames {
  const Asset* asset = nullptr;
  std::uint32_t tree = layout::kNone;
  std::vector<std::uint32_t> unequal = {};  // variables with other names in other trees, in ascending order
  std::string name(std::uint32_t variable) const;
};

// For each unit, the names of the first tree that uses it, as far as all that use it agree.
std::vector<VariableNames> names_by_unit(const Asset& asset);

std::string condition_text(const VariableNames& names, std::uint32_t condition);

// ---- Records --------------------------------------------------------------------------------------------------------

// Row `index` of the section table; the header.
const layout::Header& header_of(const Asset& asset);
const layout::Section& section_at(const Asset& asset, std::uint32_t index);
// The record of a tree that stores.
const layout::StoreTree& store_record(const Tree& tree);

// The scopes of trees that tick.
std::uint32_t scope_count(const Asset& asset);
std::string_view scope_name(const Asset& asset, std::uint32_t scope);

// ---- Text -----------------------------------------------------------------------------------------------------------

// `text` in double quotes, on one line: '"' and '\' are escaped with '\', bytes of hidden characters and invalid UTF-8
// are written as \xHH.
void append_quoted(std::string& out, std::string_view text);
std::string quoted_text(std::string_view text);
void append_number(std::string& out, std::uint64_t number);
// Bytes as pairs of hexadecimal digits.
void append_hex(std::string& out, const unsigned char* bytes, std::size_t count);
// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace espalier::codegen

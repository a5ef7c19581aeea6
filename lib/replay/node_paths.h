// The ways from the root of a tree to its nodes, and the paths that name them: "Sequence[2]", "patrol/LuaGate".
//
// A path is some parts of a way in a row; after a subtree, parts of what is below it may be left out. A part is a name,
// an ID or a kind; with a number it is the n-th among the siblings of that kind or ID, from 1.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/format/kinds.h"

namespace espalier::replay {

// A node at one of its places: a unit that is stored once may be used at several.
struct PlacedNode {
  static constexpr std::uint32_t kRoot = 0xFFFFFFFF;

  std::uint32_t parent = kRoot;  // among the nodes of the tree; of a root: kRoot
  std::uint32_t word = 0;        // in NODES
  std::uint32_t number = 0;      // select: of its leaf; rule: of the rule
  std::string_view kind = {};    // of its element: "Sequence"
  std::string_view id = {};      // of what the host does, or of a subtree; else empty
  std::string_view name = {};    // its own; may be empty
  std::uint32_t kind_number = 1;
  std::uint32_t id_number = 1;
  bool is_subtree = false;  // what is below it is another tree
  bool is_only = true;      // no sibling has the same written part without its number
};

class NodePaths {
 public:
  // Of a tree whose asset has names. Trees that may run in its slots are below it.
  explicit NodePaths(const Tree& tree);

  // Parents need not come before their children.
  const std::vector<PlacedNode>& nodes() const { return nodes_; }

  // How well a path fits a node. Of several nodes, those that it fits best are meant.
  enum class Fit : std::uint8_t {
    none,
    below_subtree,       // parts below a subtree are left out, and it ends at a node above
    ends_below_subtree,  // the same, and it ends at the node
    above,               // it ends at a node above
    ends,                // it ends at the node
    whole,               // it is the whole way
  };
  Fit fit(const PlacedNode& node, const std::vector<std::string_view>& parts) const;

  // The whole way, in kinds and IDs: "Loop/Selector/LuaGate[2]".
  std::string path_of(const PlacedNode& node) const;
  // The same of the first place of a node; empty: it is not a node of the tree.
  std::string path_of(std::uint32_t word) const;

 private:
  const PlacedNode* begin_of(const PlacedNode& last, const std::vector<std::string_view>& parts, bool* is_in_row) const;
  void add_units(const Tree& tree, std::uint32_t parent, std::uint32_t depth);
  void add_rules(const Tree& tree);
  void add_deciders(const Tree& tree);
  std::uint32_t add(const Tree& tree, std::uint32_t word, std::uint32_t parent);
  void number_siblings();

  const Tree tree_;
  std::vector<PlacedNode> nodes_;
  std::map<std::uint32_t, std::uint32_t> by_word_;  // the first place
};

// "a/b" as its parts. Empty: one of them is empty.
std::vector<std::string_view> parts_of_path(std::string_view path);

}  // namespace espalier::replay

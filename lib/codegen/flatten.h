// Trees that select to units: identical subtrees are found and stored once, nodes are written in preorder with their
// extents.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/sections.h"

namespace espalier::codegen {

// Two subtrees are the same when they were written in the same place and mean the same: a block that several references
// bring in, as far as their trees give its names one meaning.
class Flattener {
 public:
  Flattener(Sections& sections, ConditionPool& conditions) : sections_(sections), conditions_(conditions) {}
  // Takes in a tree, which must outlive the flattener. Gives its number for unit_of().
  std::uint32_t add(const ir::Tree& tree);
  // Writes all units, once, when all trees are in.
  void write();
  // The unit of the root of the tree that was added as number `tree`.
  std::uint32_t unit_of(std::uint32_t tree) const { return subtrees_[roots_[tree]].unit; }

 private:
  struct Subtree {
    const ir::Node* node;
    std::uint32_t condition;  // operand
    std::vector<layout::Transition> transitions;
    std::vector<std::uint32_t> children;  // subtrees
    std::uint32_t use_count = 0;          // in different subtrees, and as roots
    std::uint32_t word_count = 0;         // all below, nothing shared
    std::uint32_t node_count = 0;
    std::uint32_t unit = layout::kNone;
    bool is_root = false;
  };
  class UnitWriter;

  std::uint32_t intern(const ir::Node& node, const std::vector<std::uint32_t>& operands);
  std::string key_of(const Subtree& subtree);
  bool is_stored_once(const Subtree& subtree) const;
  void write_units_below(std::uint32_t subtree);

  Sections& sections_;
  ConditionPool& conditions_;
  std::vector<Subtree> subtrees_;  // children before parents
  std::vector<std::uint32_t> roots_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::vector<bool> is_written_;
};

}  // namespace espalier::codegen

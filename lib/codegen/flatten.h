// Trees to units: identical subtrees are found and stored once, nodes are written in preorder with their extents.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/tree.h"
#include "runtime/layout.h"

namespace espalier::codegen {

// Where a node came from, for the debug sections.
struct Origin {
  std::uint32_t word = 0;  // first word of the node in NODES
  const std::string* name = nullptr;
  text::Span span;
};

// The sections that hold the nodes of all trees.
struct Flat {
  std::vector<std::uint32_t> nodes;
  std::vector<layout::Unit> units;
  std::vector<layout::Transition> transitions;
  std::vector<layout::Condition> conditions;
  std::vector<layout::Test> tests;
  std::vector<Origin> origins;  // points into the project
};

// Conditions of all trees, equal ones once.
class ConditionPool {
 public:
  explicit ConditionPool(Flat& flat) : flat_(flat) {}
  // As an operand: 0 is always true, else 1 + index.
  std::uint32_t add(const ir::Condition& condition);

 private:
  Flat& flat_;
  std::unordered_map<std::string, std::uint32_t> operands_;  // by the bytes of the tests
};

// Two subtrees are the same when they were written in the same place and mean the same: a block that several references
// bring in, as far as their trees give its names one meaning.
class Flattener {
 public:
  Flattener(Flat& flat, ConditionPool& conditions) : flat_(flat), conditions_(conditions) {}
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

  Flat& flat_;
  ConditionPool& conditions_;
  std::vector<Subtree> subtrees_;  // children before parents
  std::vector<std::uint32_t> roots_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::vector<bool> is_written_;
};

}  // namespace espalier::codegen

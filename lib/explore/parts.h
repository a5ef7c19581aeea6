// Which parts of a tree a slice leaves out: the same for all engines. A part is a node with all below it, or several
// that follow one another in a list that goes on as if they were one, such as the branches of a parallel. It matters to
// the rest only by its results, and by what it writes that something outside looks at. See slice.h.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "explore/slice.h"
#include "ir/results.h"

namespace espalier::explore {

// A node, by its number in the order of the file, and what makes a difference to the rest of the tree.
struct SlicedNode {
  std::uint32_t word = 0;   // in the asset
  std::uint32_t count = 1;  // of nodes, with those below
  std::uint32_t parent = 0;
  ir::Results results = 0;
  bool is_needed = false;  // it is in no part that is left out
  bool has_timer = false;
  bool may_fail = false;                                 // an update may end with an error here
  std::set<std::uint32_t> looked_at = {}, written = {};  // by numbers that the engine gives
};

// Nodes that one node stands for.
struct SlicedPart {
  std::uint32_t first = 0;
  std::uint32_t count = 0;        // with those below
  std::uint32_t child_count = 1;  // of their parent's children
  std::uint32_t end() const { return first + count; }
};

struct PartRules {
  // Does this list go on after several children as after one that gives what they give together?
  std::function<bool(std::uint32_t parent)> joins = {};
  // May the node be one of these children?
  std::function<bool(std::uint32_t node)> may_join = {};
  // Is there room for a node that stands for them?
  std::function<bool(const SlicedPart& part)> has_room = {};
};

class Parts {
 public:
  // Fills in how many nodes each has below it.
  void count();
  void find(const PartRules& rules, const SliceQuestion& question);

  std::vector<SlicedNode> nodes = {};  // the parents' words of all must be known
  const std::vector<SlicedPart>& all() const { return parts_; }
  bool is_left_out(std::uint32_t node) const { return is_left_out_[node]; }
  // What the nodes of a part give together.
  ir::Results results_of(const SlicedPart& part) const;
  // What the nodes that are left look at.
  std::set<std::uint32_t> looked_at() const;

 private:
  void find_again(const PartRules& rules);
  SlicedPart part_at(std::uint32_t first, const PartRules& rules, const std::vector<bool>& has_needed) const;

  std::vector<SlicedPart> parts_;
  std::vector<bool> is_left_out_;
};

}  // namespace espalier::explore

// References resolved: the children of an element as a tree sees them, with blocks in the place of references.
// Before anything is resolved, cycles are cut and the size of the result is known.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "dialects/selection/blocks.h"
#include "dialects/selection/reporter.h"
#include "runtime/format/records.h"

namespace espalier::dialects::selection {

// Limits on what references may expand to. An asset counts states as nodes.
inline constexpr std::uint64_t kMaxNodes = layout::kMaxNodes;
inline constexpr std::uint64_t kMaxExpandedElements = std::uint64_t{1} << 20;  // brought in by one tree's references
inline constexpr std::uint32_t kMaxReferenceDepth = 1000;                      // references within references
// The engine keeps room for so many while it loads a tree, and writes past its end when there are more.
inline constexpr std::uint64_t kMaxPortableNodes = 1024;

struct Children {
  std::vector<Placed> placed;       // those that may stand here
  bool is_incomplete = false;       // a fault that has been reported has taken nodes, states or transitions away
  bool may_lack_variables = false;  // or variables
};

class Expander {
 public:
  Expander(World& world, Library& own, Reporter& reporter) : world_(world), own_(own), reporter_(reporter) {}

  // What becomes of `element` and all that it refers to. Reports cycles; `what` and `span` name the tree when it is too
  // large. To be called before children().
  void check_tree(const Element& element, std::string_view name, Span span);
  // The same for blocks that no reference brings in: only cycles are of interest.
  void check_unused(std::deque<Block>& blocks);

  // The children of an element, by the kind it is read as. Reports what may not stand there and what cannot be
  // resolved.
  [[nodiscard]] Children children(const Placed& parent);
  // An element of its kind holds nothing; what it holds is reported.
  void expect_no_children(const Placed& placed);

  // Blocks that no reference brings in are checked one by one: a reference in them is looked up and no more. Of global
  // ones it is unknown which tree they are meant for.
  void stop_resolving(bool is_global) {
    resolves_ = false;
    is_global_ = is_global;
  }

 private:
  struct Size {
    std::uint64_t nodes = 0;
    std::uint64_t states = 0;
    std::uint64_t elements = 0;
  };
  struct Step;  // of a walk along references
  [[nodiscard]] Block* find(std::string_view name) const;
  Size walk(const std::vector<Element>& references);
  void add_size(std::vector<Step>& steps, const Element& reference, const Size& size);
  void report_cycle(const std::vector<Step>& steps, std::size_t first, const Element& last);
  void append(const Element& parent, Kind place, UseIndex use, Children& children);
  void append_reference(const Placed& reference, Kind place, Children& children);
  void reject(const Placed& child, Kind place, Children& children);
  [[nodiscard]] Kind read_as(const Placed& child, Kind place);  // reports an unknown element
  void report_unresolved(const Placed& reference, const Attribute& name);

  World& world_;
  Library& own_;
  Reporter& reporter_;
  Element largest_;  // of the references that the last walk began with: what brings in the most
  Size largest_size_;
  std::unordered_set<std::size_t> cut_;    // references that close a cycle, by their elements' hash values
  std::unordered_set<const Block*> once_;  // in a tree that is too large: blocks that have been brought in
  bool is_too_large_ = false;
  bool is_too_deep_ = false;
  bool resolves_ = true;
  bool is_global_ = false;
};

}  // namespace espalier::dialects::selection

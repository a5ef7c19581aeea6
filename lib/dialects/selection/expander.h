// Blocks, the named pieces that references include, and references, which are resolved: the children of an element with
// blocks in place of references. Before anything is resolved, cycles are cut and the size of the result is computed. A
// library is one scope of blocks: the global one, or that of a tree.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialects/reading/use_order.h"
#include "dialects/selection/elements.h"
#include "ir/node_lists.h"
#include "runtime/format/records.h"
#include "text/name_index.h"

namespace espalier::dialects::selection {

// ---- Blocks -------------------------------------------------------------------------------------

// How much an element contains; counts stop at more than any limit.
struct Size {
  std::uint64_t nodes = 0;
  std::uint64_t states = 0;
  std::uint64_t elements = 0;  // all, including nodes, states and references
  void add(const Size& more);
};

// The content of an element with its references unresolved: enough to compute the expanded size without building it.
struct Outline {
  Size size;
  std::vector<Element> references;  // those that may be resolved
};
[[nodiscard]] Outline outline_of(const Element& element);

struct Block {
  Element element;
  std::string_view name;
  bool is_used = false;
  std::optional<Outline> made = {};

  const Outline& outline();  // made by the first call
};

class Library {
 public:
  // Adds the blocks of a `Blocks` element and reports its faults. `scope` is for messages: "this tree".
  void add(const Placed& blocks, std::string_view scope, Reporter& reporter);
  // Adds a block that is in a wrong place, which is reported elsewhere; references to it are not reported.
  void add_stray(const Element& block);
  [[nodiscard]] Block* find(std::string_view name) const;
  std::deque<Block>& all() { return blocks_; }  // including unnamed and duplicate ones
  // The names of all blocks so far.
  [[nodiscard]] text::NameIndex& names();

 private:
  std::deque<Block> blocks_;
  std::unordered_map<std::string_view, Block*> by_name_;
  text::NameIndex names_;
};

// What all trees of a project share.
struct World {
  std::vector<const text::XmlDocument*> files;  // all; others may be reading them
  Library global;
  bool is_partial = false;                                           // other files may have more blocks
  bool may_lack_blocks = false;                                      // a file that cannot be read may contain some
  std::shared_ptr<ir::Names> names = std::make_shared<ir::Names>();  // in the trees that a thread reads

  // Is there a block of this name in a wrong place, which has been reported?
  bool is_stray(std::string_view name) { return block_names().stray.contains(name); }
  // Has any tree a block of this name?
  bool is_of_a_tree(std::string_view name) { return block_names().own.contains(name); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  using Names = std::unordered_set<std::string, Hash, std::equal_to<>>;
  struct BlockNames {
    Names stray;
    Names own;
  };
  // Of all files, read from documents of its own at the first call: few projects have references that need them.
  const BlockNames& block_names();
  std::optional<BlockNames> block_names_;
};

// The trees of a file with the root element `root`. Reports faults around them.
[[nodiscard]] std::vector<Element> trees_of(const Element& root, World& world, Reporter& reporter);

// ---- References ---------------------------------------------------------------------------------

// Limits on the expansion of references. An asset counts states as nodes.
inline constexpr std::uint64_t kMaxNodes = layout::kMaxNodes;
inline constexpr std::uint64_t kMaxExpandedElements = std::uint64_t{1} << 20;  // from the references of one tree
inline constexpr std::uint32_t kMaxReferenceDepth = 1000;                      // references within references
// The engine has room for this many nodes while it loads a tree, and writes past the end if there are more.
inline constexpr std::uint64_t kMaxPortableNodes = 1024;

struct Children {
  std::vector<Placed> placed;       // those that are allowed here
  bool is_incomplete = false;       // nodes, states or transitions are missing because of a reported fault
  bool may_lack_variables = false;  // the same for variables
};

class Expander {
 public:
  Expander(World& world, Library& own, Reporter& reporter) : world_(world), own_(own), reporter_(reporter) {}

  // Reports cycles of references in the tree, and its expanded size if that is too large. `name` and `span` are the
  // tree's, for messages. Call this before children().
  void check_tree(const Element& element, std::string_view name, Span span);
  // Reports cycles among blocks that no reference includes.
  void check_unused(std::deque<Block>& blocks);

  // The children of an element, by the kind it is read as. Reports unexpected elements and unresolved references.
  [[nodiscard]] Children children(const Placed& parent);
  // Reports the children of an element that may not have any.
  void expect_no_children(const Placed& placed);

  // For blocks that no reference includes: references in them are looked up but not expanded. It is not known which
  // tree a global block is for.
  void stop_resolving(bool is_global) {
    resolves_ = false;
    is_global_ = is_global;
  }

 private:
  [[nodiscard]] Block* find(std::string_view name) const;
  [[nodiscard]] std::vector<Block*> reached_from(const std::vector<Element>& references) const;
  Size measure(Block& block, const std::unordered_map<const Block*, Size>& known);
  Size walk(const std::vector<Element>& references);
  void report_cycle(const std::vector<CycleStep>& steps);
  // Appends the children of `parent` that are allowed in `place`: the row of `parent`, or of the element that refers to
  // it.
  void append(const Element& parent, const ElementRow& place, UseIndex use, Children& children);
  void append_reference(const Placed& reference, const ElementRow& place, Children& children);
  void report_misplaced(const Placed& child, const ElementRow& place, Children& children);
  void report_unresolved(const Placed& reference, const Attribute& name);

  World& world_;
  Library& own_;
  Reporter& reporter_;
  Element largest_;  // the root reference of the last walk that includes the most
  Size largest_size_;
  std::unordered_set<std::size_t> cut_;    // references that close a cycle, by hash of the element
  std::unordered_set<const Block*> once_;  // in a tree that is too large: blocks already brought in
  bool is_too_large_ = false;
  bool is_too_deep_ = false;
  bool resolves_ = true;
  bool is_global_ = false;
};

}  // namespace espalier::dialects::selection

// Blocks: named pieces that references include. A library is one scope of blocks: the global one, or that of a tree.
#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialects/selection/elements.h"
#include "text/name_index.h"

namespace espalier::dialects::selection {

// The content of an element with its references unresolved: enough to compute the expanded size without building it.
struct Outline {
  std::uint64_t nodes = 0;
  std::uint64_t states = 0;
  std::uint64_t elements = 0;       // all, including nodes, states and references
  std::vector<Element> references;  // those that may be resolved
};
[[nodiscard]] Outline outline_of(const Element& element);

struct Block {
  Element element;
  std::string_view name;
  bool is_used = false;
  std::optional<Outline> outline = {};  // made on demand
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
  std::vector<const text::XmlDocument*> files;
  Library global;
  std::unordered_set<std::string_view> own_names;  // of blocks of any tree
  bool is_partial = false;                         // other files may have more blocks
  bool may_lack_blocks = false;                    // a file that cannot be read may contain some

  // Is there a block of this name in a wrong place, which has been reported?
  bool is_stray(std::string_view name);

 private:
  std::optional<std::unordered_set<std::string_view>> stray_names_;
};

}  // namespace espalier::dialects::selection

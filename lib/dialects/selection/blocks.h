// Blocks: the named pieces that references bring in. A library is one scope of them: the global one, or a tree's own.
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialects/selection/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects::selection {

// What an element holds, with nothing resolved: enough to tell how large it becomes without building it.
struct Outline {
  std::uint64_t nodes = 0;
  std::uint64_t states = 0;
  std::uint64_t elements = 0;       // all, those two and references included
  std::vector<Element> references;  // those that can be resolved
};
[[nodiscard]] Outline outline_of(const Element& element);

struct Block {
  Element element;
  std::string_view name;
  bool is_used = false;
  std::optional<Outline> outline = {};  // made when it is asked for
};

class Library {
 public:
  // Takes in what a `Blocks` element holds, and says what is wrong with it. `scope` is for messages: "this tree".
  void add(const Element& blocks, std::string_view scope, Reporter& reporter);
  // A block that stands where none may, which has been reported: known, so that its references are not reported too.
  void add_stray(const Element& block);
  [[nodiscard]] Block* find(std::string_view name) const;
  std::deque<Block>& all() { return blocks_; }  // those without a name, and the second of one name, too
  // Of all blocks that were taken in by then.
  [[nodiscard]] text::NameIndex& names();

 private:
  std::deque<Block> blocks_;
  std::unordered_map<std::string_view, Block*> by_name_;
  text::NameIndex names_;
};

// What all trees of a project share.
struct World {
  std::span<const text::XmlDocument* const> files;
  Library global;
  std::unordered_set<std::string_view> own_names;  // blocks of any tree
  bool is_partial = false;                         // other files may have more blocks
  bool may_lack_blocks = false;                    // a file that cannot be read may hold some

  // Is there a block of this name where no block is seen? That it is not found there has been reported.
  bool is_stray(std::string_view name);

 private:
  std::optional<std::unordered_set<std::string_view>> stray_names_;
};

}  // namespace espalier::dialects::selection

// Something of each tree, worked out when it is first asked for: it may follow from the trees that the tree uses.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/poll/written.h"

namespace espalier::ir::poll {

template <typename Value>
class OfTrees {
 public:
  explicit OfTrees(const WrittenProject& project)
      : project_(project), values_(project.trees.size()), is_asked_(project.trees.size()) {}

  // Null within what `make` itself asks for, of a tree that contains itself, and of one that is too deep in others.
  template <typename Make>
  const Value* find(const WrittenTree& tree, const Make& make) {
    const std::size_t number = project_.number_of(tree);
    if (!is_asked_[number] && depth_ <= kMaxDepth) {
      is_asked_[number] = true;
      ++depth_;
      values_[number].emplace(make());
      --depth_;
    }
    return values_[number] ? &*values_[number] : nullptr;
  }

 private:
  const WrittenProject& project_;
  std::vector<std::optional<Value>> values_;
  std::vector<bool> is_asked_;
  std::uint32_t depth_ = 0;  // of subtrees in one another
};

}  // namespace espalier::ir::poll

// The nodes of one tree: a list, what they hold, and their names, each once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/draft.h"
#include "ir/node.h"

namespace espalier::ir {

// Copies share their nodes, which never change.
class Nodes {
 public:
  Nodes() = default;
  // The nodes of a tree, and of its shared deciders if it has any.
  explicit Nodes(Draft root, std::vector<Draft> shared = {});

  // Those of the root first. Each part's parents come before their children.
  std::span<const Node> all() const;
  bool empty() const { return lists_ == nullptr; }
  const Node& root() const { return all().front(); }
  std::size_t shared_count() const;
  const Node& shared(std::size_t number) const;
  std::uint32_t index_of(const Node& node) const { return static_cast<std::uint32_t>(&node - all().data()); }

 private:
  struct Lists;
  std::shared_ptr<const Lists> lists_;
};

}  // namespace espalier::ir

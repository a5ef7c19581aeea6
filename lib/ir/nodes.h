// The nodes of one tree, and of its shared deciders if it has any.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "ir/node_lists.h"

namespace espalier::ir {

// Copies share their nodes, which never change. Drafts make them: see draft.h.
class Nodes {
 public:
  Nodes() = default;
  explicit Nodes(std::shared_ptr<const NodeLists> lists) : lists_(std::move(lists)) {}

  // Those of the root first. Each part's parents come before their children.
  std::span<const Node> all() const {
    return lists_ == nullptr ? std::span<const Node>() : std::span<const Node>(lists_->nodes);
  }
  const Node& root() const { return lists_->nodes.front(); }
  std::size_t shared_count() const { return lists_ == nullptr ? 0 : lists_->shared.size(); }
  const Node& shared(std::size_t number) const { return lists_->nodes[lists_->shared[number]]; }

 private:
  std::shared_ptr<const NodeLists> lists_;
};

}  // namespace espalier::ir

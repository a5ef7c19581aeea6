// Nodes of a tree, in one list with parents before children. A node knows how many nodes are below it, so that its
// children are found without pointers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "ir/payload.h"

namespace espalier::ir {

// The children of a node, from the first to the last. A node has an `extent`.
template <typename Node>
class ChildrenOf {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = const Node;
    using difference_type = std::ptrdiff_t;
    using pointer = const Node*;
    using reference = const Node&;

    iterator() = default;
    explicit iterator(const Node* node) : node_(node) {}
    reference operator*() const { return *node_; }
    pointer operator->() const { return node_; }
    iterator& operator++() {
      node_ += node_->extent;
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    const Node* node_ = nullptr;
  };

  ChildrenOf(const Node* first, const Node* end) : first_(first), end_(end) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(end_); }
  bool empty() const { return first_ == end_; }
  // These take time proportional to the number of children.
  std::size_t size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }
  const Node& operator[](std::size_t number) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(number)); }
  const Node& front() const { return *first_; }
  const Node& back() const { return (*this)[size() - 1]; }

 private:
  const Node* first_;
  const Node* end_;
};

// Stays where it is: its children come after it.
struct Node {
  Opcode opcode = kNoOpcode;
  std::uint8_t flags = 0;    // as in opcodes.def, except those of kind `number` and `group`
  bool is_doubtful = false;  // an attribute of it is misspelt, which has been reported
  std::uint8_t kind = 0;     // of its payload: kKindOf
  Span span;                 // of the element's name
  // Of the element; empty if the node has none, such as a tick_branch. For a node that selects, or a decider, its own
  // name; for a decide_share, the name of its decider.
  const std::string& name;
  // tick_state: its name; rules: the full id; nodes that store: their `name`, unless a payload has it. Else empty.
  const std::string& label;
  const void* payload = nullptr;
  std::uint32_t extent = 1;  // nodes from this one to the last one below it
  std::uint32_t rise = 0;    // nodes from its parent to this one; 0: it has no parent

  Node(const std::string& its_name, const std::string& its_label) : name(its_name), label(its_label) {}
  Node(Node&&) = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  ChildrenOf<Node> children() const { return {this + 1, this + extent}; }
  bool is_leaf() const { return extent == 1; }

  // The payload, which must be of this kind.
  template <typename Kind>
  const Kind& as() const {
    if (const Kind* own = as_if<Kind>()) return *own;
    throw std::bad_variant_access();
  }
  // The same; null if it is of another kind.
  template <typename Kind>
  const Kind* as_if() const {
    return kind == kKindOf<Kind> ? static_cast<const Kind*>(payload) : nullptr;
  }
};
static_assert(sizeof(Node) == 48 || sizeof(void*) != 8);

// A node and all below it, parents before children.
inline std::span<const Node> nodes_from(const Node& node) { return {&node, node.extent}; }

// Each is of a Node, or of a Draft.

template <typename AnyNode>
const Decider& decider_of(const AnyNode& node) {
  return *node.template as<PlacedDecider>().decider;
}

// None if it is always true or never read.
template <typename AnyNode>
std::optional<ConditionIndex> condition_of(const AnyNode& node) {
  if (const Guard* guard = node.template as_if<Guard>()) return guard->condition;
  if (const Leaf* leaf = node.template as_if<Leaf>()) return leaf->condition;
  return std::nullopt;
}

}  // namespace espalier::ir

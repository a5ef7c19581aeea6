// Nodes while their tree is read: everything about them can still change. They are appended in the order in which they
// are read, and linked; when the tree is complete, they are laid out, parents before children.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ir/node_lists.h"
#include "ir/nodes.h"

namespace espalier::ir {

// The members are those of Node.
class Draft {
 public:
  Draft(NodeLists& lists, Opcode its_opcode, std::string_view its_name, Span its_span)
      : opcode(its_opcode),
        span(its_span),
        lists_(&lists),
        name_(&lists.names->intern(its_name)),
        label_(&lists.names->intern({})) {}

  Opcode opcode;
  std::uint8_t flags = 0;
  bool is_doubtful = false;
  Span span;

  const std::string& name() const { return *name_; }
  const std::string& label() const { return *label_; }
  void set_label(std::string_view label) { label_ = &lists_->names->keep(label); }

  // Replaces the payload. The reference stays valid as long as the tree's nodes.
  template <typename Given, typename Kind = std::decay_t<Given>>
  Kind& set(Given&& payload) {
    Kind& own = lists_->add(std::forward<Given>(payload));
    kind_ = kKindOf<Kind>;
    payload_ = &own;
    return own;
  }
  // The payload, which must be of this kind.
  template <typename Kind>
  Kind& as() const {
    if (Kind* const own = as_if<Kind>()) return *own;
    throw std::bad_variant_access();
  }
  // The same; null if it is of another kind.
  template <typename Kind>
  Kind* as_if() const {
    return kind_ == kKindOf<Kind> ? static_cast<Kind*>(payload_) : nullptr;
  }

  // Becomes the last child. A draft is a child of one other, once.
  void add(Draft& child) {
    (last_child_ == nullptr ? first_child_ : last_child_->next_) = &child;
    last_child_ = &child;
    ++child_count_;
  }
  std::uint32_t child_count() const { return child_count_; }
  // Null if there is none.
  Draft* first_child() const { return first_child_; }
  Draft* last_child() const { return last_child_; }
  Draft* next_sibling() const { return next_; }

 private:
  friend class Drafts;

  std::uint8_t kind_ = 0;
  std::uint32_t child_count_ = 0;
  NodeLists* lists_;
  const std::string* name_;
  const std::string* label_;
  void* payload_ = nullptr;
  Draft* first_child_ = nullptr;
  Draft* last_child_ = nullptr;
  Draft* next_ = nullptr;
};

// Those of one tree. They are valid until they are laid out.
class Drafts {
 public:
  Drafts() : Drafts(std::make_shared<Names>()) {}
  // Trees that one thread reads may have the same names.
  explicit Drafts(std::shared_ptr<Names> names) : lists_(std::make_shared<NodeLists>(std::move(names))) {}

  // For payloads.
  const Text& text(std::string_view text) { return lists_->names->of(text); }
  Draft& make(Opcode opcode = kNoOpcode, std::string_view name = {}, Span span = {}) {
    return drafts_.add(*lists_, opcode, name, span);
  }
  // The root with all below it, and the shared deciders with all below them. Other drafts are dropped. Afterwards there
  // are none.
  Nodes lay_out(const Draft& root, const std::vector<Draft*>& shared = {});

 private:
  void lay_out(const Draft& draft, std::uint32_t parent);

  std::shared_ptr<NodeLists> lists_;
  StableList<Draft> drafts_;
};

}  // namespace espalier::ir

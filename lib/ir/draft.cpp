// Lays out drafts. See draft.h.
#include "ir/draft.h"

#include <utility>

namespace espalier::ir {

Nodes Drafts::lay_out(const Draft& root, const std::vector<Draft*>& shared) {
  lists_->nodes.reserve(drafts_.size());
  lay_out(root, 0);
  for (const Draft* const each : shared) {
    const auto begin = static_cast<std::uint32_t>(lists_->nodes.size());
    lists_->shared.push_back(begin);
    lay_out(*each, begin);
  }
  drafts_ = {};
  return Nodes(std::exchange(lists_, std::make_shared<NodeLists>(lists_->names)));
}

void Drafts::lay_out(const Draft& draft, std::uint32_t parent) {
  const auto index = static_cast<std::uint32_t>(lists_->nodes.size());
  Node& node = lists_->nodes.emplace_back(*draft.name_, *draft.label_);
  node.opcode = draft.opcode;
  node.flags = draft.flags;
  node.is_doubtful = draft.is_doubtful;
  node.kind = draft.kind_;
  node.span = draft.span;
  node.payload = draft.payload_;
  node.rise = index - parent;
  // Depth is limited by the readers.
  for (const Draft* child = draft.first_child(); child != nullptr; child = child->next_sibling())
    lay_out(*child, index);
  node.extent =
      static_cast<std::uint32_t>(lists_->nodes.size()) - index;  // there was room for all, so it has not moved
}

}  // namespace espalier::ir

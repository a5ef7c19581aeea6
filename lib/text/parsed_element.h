// Elements as they were parsed, without the tree of a document: names and structure, no attributes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/xml.h"

namespace espalier::text {

// Cheap to copy; valid while what was parsed lives. It is walked like an Element.
class ParsedElement {
 public:
  ParsedElement() = default;
  ParsedElement(const ParsedXml& parsed, std::uint32_t item) : parsed_(&parsed), item_(item) {}
  static ParsedElement root(const ParsedXml& parsed) { return first(parsed, 0, parsed.items.size()); }

  explicit operator bool() const { return parsed_ != nullptr; }
  std::string_view name() const {
    const std::string_view tag = parsed_->text.substr(parsed_->items[item_].begin + 1);
    return tag.substr(0, tag.find_first_of(" \t\r\n/>"));
  }
  ParsedElement first_child() const { return first(*parsed_, item_ + 1, parsed_->items[item_].next); }
  ParsedElement next_sibling() const {
    const std::uint32_t parent = parsed_->items[item_].parent;
    const std::size_t end = parent == kNoItem ? parsed_->items.size() : parsed_->items[parent].next;
    return first(*parsed_, parsed_->items[item_].next, end);
  }

 private:
  // The first element among the items from `item` to `end` that are not in one another.
  static ParsedElement first(const ParsedXml& parsed, std::size_t item, std::size_t end) {
    while (item < end && parsed.items[item].kind != Item::Kind::element) {
      item = std::max<std::size_t>(item + 1, parsed.items[item].next);
    }
    return item < end ? ParsedElement(parsed, static_cast<std::uint32_t>(item)) : ParsedElement();
  }

  const ParsedXml* parsed_ = nullptr;
  std::uint32_t item_ = 0;
};

}  // namespace espalier::text

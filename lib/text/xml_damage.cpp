// Findings that damage to a file explains. See xml.h.
#include <algorithm>

#include "text/xml.h"

namespace espalier::text {

const Item& XmlDocument::item_of(const char* name) const {
  const std::uint32_t begin = offset_of(name) - 1;
  return *std::partition_point(parsed_->items.begin(), parsed_->items.end(),
                               [&](const Item& item) { return item.begin < begin; });
}

std::uint32_t ParsedXml::innermost(std::uint32_t offset) const {
  const auto next =
      std::partition_point(items.begin(), items.end(), [&](const Item& item) { return item.begin <= offset; });
  if (next == items.begin()) return kNoItem;
  auto index = static_cast<std::uint32_t>(next - items.begin()) - 1;
  while (index != kNoItem && items[index].end <= offset) index = items[index].parent;
  return index;
}

bool XmlDocument::holds_damage(std::uint32_t begin, std::uint32_t end) const {
  const auto next = std::partition_point(parsed_->damage.begin(), parsed_->damage.end(),
                                         [&](const Replaced& each) { return each.end <= begin; });
  return next != parsed_->damage.end() && next->begin < end;
}

bool XmlDocument::may_come_of_damage(Span place) const {
  const auto is_noted = [&](std::uint32_t index) {
    return index != kNoItem && std::binary_search(parsed_->damaged_items.begin(), parsed_->damaged_items.end(), index);
  };
  if (!is_damaged() || place.file != file_) return false;
  const std::uint32_t offset = place_in_repaired(parsed_->repaired.replaced, place.begin);
  const std::uint32_t index = parsed_->innermost(offset);
  if (index == kNoItem) return false;
  const Item& item = parsed_->items[index];
  if (item.kind != Item::Kind::element) return is_noted(item.parent);
  if (offset >= item.tag_end) return holds_damage(item.begin, item.end);
  if (holds_damage(item.begin, item.tag_end)) return true;
  // In a cut file even the meaning of an attribute can depend on what is missing around it.
  const std::size_t name_end = parsed_->text.find_first_of(" \t\r\n/>", item.begin);
  if (offset > name_end) return is_cut() && is_noted(item.parent);
  return holds_damage(item.begin, item.end) || is_noted(item.parent);
}

bool XmlDocument::is_in_attribute(Span place) const {
  const std::uint32_t offset = place_in_repaired(parsed_->repaired.replaced, place.begin);
  const std::uint32_t index = parsed_->innermost(offset);
  if (place.file != file_ || index == kNoItem || parsed_->items[index].kind != Item::Kind::element) return false;
  return offset < parsed_->items[index].tag_end &&
         offset > parsed_->text.find_first_of(" \t\r\n/>", parsed_->items[index].begin);
}

std::vector<std::string_view> XmlDocument::damaged_text() const {
  std::vector<std::string_view> result;
  std::uint32_t last = kNoItem;
  for (const Replaced& each : parsed_->damage) {
    Span written{file_, each.source_begin, each.source_end};
    const std::uint32_t index = parsed_->innermost(each.begin);
    const bool is_in_tag = index != kNoItem && parsed_->items[index].kind == Item::Kind::element &&
                           each.begin < parsed_->items[index].tag_end;
    if (is_in_tag && index == last) continue;
    if (is_in_tag) written = span(parsed_->items[index].begin, parsed_->items[index].tag_end);
    last = is_in_tag ? index : last;
    result.push_back(parsed_->source->text().substr(written.begin, written.end - written.begin));
  }
  return result;
}

}  // namespace espalier::text

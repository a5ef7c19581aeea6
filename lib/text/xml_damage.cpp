// What damage to a file explains. See xml.h.
#include <algorithm>

#include "text/xml.h"

namespace espalier::text {

const Item& XmlDocument::item_of(const char* name) const {
  const std::uint32_t begin = offset_of(name) - 1;
  return *std::partition_point(items_.begin(), items_.end(), [&](const Item& item) { return item.begin < begin; });
}

std::uint32_t XmlDocument::innermost(std::uint32_t offset) const {
  const auto next =
      std::partition_point(items_.begin(), items_.end(), [&](const Item& item) { return item.begin <= offset; });
  if (next == items_.begin()) return kNoItem;
  auto index = static_cast<std::uint32_t>(next - items_.begin()) - 1;
  while (index != kNoItem && items_[index].end <= offset) index = items_[index].parent;
  return index;
}

bool XmlDocument::holds_damage(std::uint32_t begin, std::uint32_t end) const {
  const auto next =
      std::partition_point(damage_.begin(), damage_.end(), [&](const Replaced& each) { return each.end <= begin; });
  return next != damage_.end() && next->begin < end;
}

void XmlDocument::note_damage() {
  for (const Replaced& each : replaced_) {
    if (each.is_damage) damage_.push_back(each);
  }
  for (const Replaced& each : damage_) {
    const std::uint32_t index = innermost(each.begin);
    if (index == kNoItem) continue;
    const Item& item = items_[index];
    const bool is_element = item.kind == Item::Kind::element;
    const bool is_in_tag =
        is_element && (each.begin < item.tag_end || (item.end_tag != 0 && each.begin >= item.end_tag));
    if (is_element) damaged_items_.push_back(index);
    if (!is_element || is_in_tag) damaged_items_.push_back(item.parent);
  }
  std::sort(damaged_items_.begin(), damaged_items_.end());
}

bool XmlDocument::may_come_of_damage(Span place) const {
  const auto is_noted = [&](std::uint32_t index) {
    return index != kNoItem && std::binary_search(damaged_items_.begin(), damaged_items_.end(), index);
  };
  if (!is_damaged() || place.file != file_) return false;
  const std::uint32_t offset = place_in_repaired(replaced_, place.begin);
  const std::uint32_t index = innermost(offset);
  if (index == kNoItem) return false;
  const Item& item = items_[index];
  if (item.kind != Item::Kind::element) return is_noted(item.parent);
  if (offset >= item.tag_end) return holds_damage(item.begin, item.end);
  if (holds_damage(item.begin, item.tag_end)) return true;
  const std::size_t name_end = text_.find_first_of(" \t\r\n/>", item.begin);
  return offset <= name_end && (holds_damage(item.begin, item.end) || is_noted(item.parent));
}

bool XmlDocument::is_in_attribute(Span place) const {
  const std::uint32_t offset = place_in_repaired(replaced_, place.begin);
  const std::uint32_t index = innermost(offset);
  if (place.file != file_ || index == kNoItem || items_[index].kind != Item::Kind::element) return false;
  return offset < items_[index].tag_end && offset > text_.find_first_of(" \t\r\n/>", items_[index].begin);
}

std::vector<std::string_view> XmlDocument::damaged_text() const {
  std::vector<std::string_view> result;
  std::uint32_t last = kNoItem;
  for (const Replaced& each : damage_) {
    Span written{file_, each.source_begin, each.source_end};
    const std::uint32_t index = innermost(each.begin);
    const bool is_in_tag =
        index != kNoItem && items_[index].kind == Item::Kind::element && each.begin < items_[index].tag_end;
    if (is_in_tag && index == last) continue;
    if (is_in_tag) written = span(items_[index].begin, items_[index].tag_end);
    last = is_in_tag ? index : last;
    result.push_back(source_->text().substr(written.begin, written.end - written.begin));
  }
  return result;
}

}  // namespace espalier::text

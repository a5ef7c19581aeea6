// Findings that damage to a file explains. See xml.h.
#include <algorithm>

#include "text/characters.h"
#include "text/xml.h"

namespace espalier::text {
namespace {

// The end of the attribute with this place, in a tag of a well-formed text whose attributes are in [begin, end).
std::uint32_t end_of_attribute(std::string_view text, std::uint32_t place, std::size_t begin, std::uint32_t end) {
  char quote = '\0';
  for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
    const char c = text[i];
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
      if (i >= place) return i;
    }
  }
  return end;
}

}  // namespace

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

// Of an item: is there damage before it in its parent's content, which may have been markup around the item?
bool XmlDocument::is_after_damage(const Item& item) const {
  const std::vector<std::uint32_t>& noted = parsed_->damaged_items;
  return item.parent != kNoItem && std::binary_search(noted.begin(), noted.end(), item.parent) &&
         holds_damage(parsed_->items[item.parent].begin, item.begin);
}

bool XmlDocument::may_come_of_damage(Span place, Cause cause) const {
  if (!is_damaged() || place.file != file_) return false;
  const std::uint32_t offset = place_in_repaired(parsed_->repaired.replaced, place.begin);
  const std::uint32_t index = parsed_->innermost(offset);
  if (index == kNoItem) return false;
  const Item& item = parsed_->items[index];
  // A text that damage follows may be longer.
  if (item.kind != Item::Kind::element) return holds_damage(item.begin, item.end + 1) || is_after_damage(item);
  if (offset >= item.tag_end) return holds_damage(item.begin, item.end);
  if (cause == Cause::content && holds_damage(item.begin, item.end)) return true;
  // What follows an attribute does not change it.
  const std::size_t name_end = parsed_->text.find_first_of(" \t\r\n/>", item.begin);
  if (offset > name_end) {
    if (holds_damage(item.begin, offset) || !holds_damage(offset, item.tag_end))
      return holds_damage(item.begin, offset);
    return holds_damage(item.begin, end_of_attribute(parsed_->text, offset, name_end, item.tag_end));
  }
  return holds_damage(item.begin, cause == Cause::start_tag ? item.tag_end : item.end) || is_after_damage(item);
}

bool XmlDocument::is_within_sound(std::string_view name, Span place) const {
  std::uint32_t index = parsed_->innermost(place_in_repaired(parsed_->repaired.replaced, place.begin));
  while (index != kNoItem && !is_sound(parsed_->items[index], name)) index = parsed_->items[index].parent;
  return place.file == file_ && index != kNoItem;
}

bool XmlDocument::has_sound_section(std::string_view name) const {
  const std::vector<Item>& items = parsed_->items;
  const Item* const root = root_item();
  if (root == nullptr) return false;
  for (auto i = static_cast<std::uint32_t>(root - items.data()) + 1; i < root->next; i = items[i].next) {
    if (is_sound(items[i], name)) return true;
  }
  return false;
}

bool XmlDocument::is_sound(const Item& item, std::string_view name) const {
  const std::size_t begin = item.begin + 1;
  const char after = parsed_->text[begin + name.size()];
  return item.kind == Item::Kind::element && parsed_->text.substr(begin, name.size()) == name &&
         (is_space(after) || after == '/' || after == '>') && !holds_damage(item.begin, item.end);
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

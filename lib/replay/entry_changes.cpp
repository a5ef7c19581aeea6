// Looks at what was written since the last time. See entry_changes.h.
#include "replay/entry_changes.h"

#include <espalier/polling.h>

#include <algorithm>
#include <cstring>

#include "replay/names.h"
#include "runtime/poll/tree.h"

namespace espalier::replay {

std::string_view own_name(std::string_view name) {
  if (name.size() > 1 && name[0] == '@') name.remove_prefix(1);
  return name;
}

std::string text_of(const espalier_value& value) {
  if (value.kind == ESPALIER_VALUE_TEXT) return {value.text, value.text_bytes};
  if (value.kind == ESPALIER_VALUE_WHOLE) return std::to_string(value.whole);
  if (value.kind == ESPALIER_VALUE_UNSIGNED) return std::to_string(static_cast<std::uint64_t>(value.whole));
  return value.kind == ESPALIER_VALUE_NONE ? "none" : number_text(value.real);
}

namespace {

bool are_equal(const espalier_value& a, const espalier_value& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == ESPALIER_VALUE_TEXT)
    return std::string_view(a.text, a.text_bytes) == std::string_view(b.text, b.text_bytes);
  return a.kind == ESPALIER_VALUE_REAL ? std::memcmp(&a.real, &b.real, sizeof a.real) == 0 : a.whole == b.whole;
}

}  // namespace

EntryChanges::EntryChanges(const Tree& tree, const void* block)
    : tree_(tree), block_(block), seen_(agent_bytes(tree) / sizeof(std::uint64_t) + 1) {
  std::memcpy(seen_.data(), block, agent_bytes(tree));
  const PollTreeView view(tree);
  const std::size_t count = view.entry_count();
  ranges_ = {Range{offset_bytes(view.part<PartKind::entries>()), count * sizeof(std::uint64_t)},
             Range{offset_bytes(view.part<PartKind::entry_types>()), count * sizeof(EntryTypes)},
             Range{offset_bytes(view.part<PartKind::texts>()), count * view.record.text_bytes}};
}

std::string EntryChanges::key_of(std::uint32_t entry) const {
  const PollTreeView view(tree_);
  const std::string path = espalier_entry_path(tree_, entry);
  return (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name));
}

void EntryChanges::take(const Changed& changed) {
  auto* const seen = reinterpret_cast<unsigned char*>(seen_.data());
  const auto* const now = static_cast<const unsigned char*>(block_);
  const bool is_same = std::all_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return std::memcmp(seen + range.first, now + range.first, range.size) == 0;
  });
  if (is_same) return;
  const std::uint32_t count = PollTreeView(tree_).entry_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    espalier_value before;
    espalier_value value;
    static_cast<void>(espalier_entry(tree_, seen_.data(), i, &before));
    static_cast<void>(espalier_entry(tree_, block_, i, &value));
    if (are_equal(before, value)) continue;
    const std::string text = text_of(value);
    if (text != text_of(before)) changed(key_of(i), text);
  }
  for (const Range& range : ranges_) std::memcpy(seen + range.first, now + range.first, range.size);
}

}  // namespace espalier::replay

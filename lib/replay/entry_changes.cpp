// Looks at what was written since the last time. See entry_changes.h.
#include "replay/entry_changes.h"

#include <espalier/polling.h>

#include <utility>

#include "replay/names.h"
#include "runtime/poll/tree.h"

namespace espalier::replay {

std::string text_of(const espalier_value& value) {
  if (value.kind == ESPALIER_VALUE_TEXT) return {value.text, value.text_bytes};
  return value.kind == ESPALIER_VALUE_NONE ? "none" : number_text(entry_number(value));
}

EntryChanges::EntryChanges(const Tree& tree, const void* block) : tree_(tree), block_(block) {
  const std::uint32_t count = PollTreeView(tree).entry_count();
  known_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) known_.push_back(look(i));
}

std::string EntryChanges::look(std::uint32_t entry) const {
  espalier_value value;
  static_cast<void>(espalier_entry(tree_, block_, entry, &value));
  return text_of(value);
}

std::string EntryChanges::key_of(std::uint32_t entry) const {
  const PollTreeView view(tree_);
  const std::string path = espalier_entry_path(tree_, entry);
  return (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name));
}

void EntryChanges::take(const Changed& changed) {
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    std::string value = look(i);
    if (value == known_[i]) continue;
    known_[i] = std::move(value);
    changed(key_of(i), known_[i]);
  }
}

}  // namespace espalier::replay

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
  const PollTreeView view(tree);
  const PollAgent agent(view, const_cast<void*>(block));
  known_.reserve(view.entry_count());
  for (std::uint32_t i = 0; i < view.entry_count(); ++i) known_.push_back(look(i, agent.entry(i).count));
}

EntryChanges::Known EntryChanges::look(std::uint32_t entry, std::uint32_t write_count) const {
  espalier_value value;
  static_cast<void>(espalier_entry(tree_, block_, entry, &value));
  return {write_count, text_of(value)};
}

std::string EntryChanges::key_of(std::uint32_t entry) const {
  const PollTreeView view(tree_);
  const std::string path = espalier_entry_path(tree_, entry);
  return (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name));
}

void EntryChanges::take(const Changed& changed) {
  const PollTreeView view(tree_);
  const PollAgent agent(view, const_cast<void*>(block_));
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    const std::uint32_t write_count = agent.entry(i).count;
    if (write_count == known_[i].write_count) continue;
    Known now = look(i, write_count);
    const bool is_other = now.value != std::exchange(known_[i], now).value;
    if (is_other) changed(key_of(i), now.value);
  }
}

}  // namespace espalier::replay

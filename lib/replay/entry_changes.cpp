// Looks at what was written since the last time. See entry_changes.h.
#include "replay/entry_changes.h"

#include <espalier/polling.h>

#include <cstring>
#include <utility>

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

EntryChanges::EntryChanges(const Tree& tree, const void* block) : tree_(tree), block_(block) {
  known_.resize(PollTreeView(tree).entry_count());
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    known_[i].value = text_of({});
    static_cast<void>(look(i, known_[i]));
  }
}

// Texts are made of numbers only if they are others.
bool EntryChanges::look(std::uint32_t entry, Known& known) const {
  espalier_value value;
  static_cast<void>(espalier_entry(tree_, block_, entry, &value));
  const bool is_text = value.kind == ESPALIER_VALUE_TEXT;
  std::uint64_t bits = 0;
  std::memcpy(&bits, value.kind == ESPALIER_VALUE_REAL ? static_cast<const void*>(&value.real) : &value.whole,
              sizeof bits);
  const auto kind = static_cast<std::uint32_t>(value.kind);
  if (known.kind == kind &&
      (is_text ? known.value == std::string_view(value.text, value.text_bytes) : known.bits == bits))
    return false;
  known.bits = bits;
  known.kind = kind;
  std::string text = text_of(value);
  if (text == known.value) return false;
  known.value = std::move(text);
  return true;
}

std::string EntryChanges::key_of(std::uint32_t entry) const {
  const PollTreeView view(tree_);
  const std::string path = espalier_entry_path(tree_, entry);
  return (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name));
}

void EntryChanges::take(const Changed& changed) {
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    if (look(i, known_[i])) changed(key_of(i), known_[i].value);
  }
}

}  // namespace espalier::replay

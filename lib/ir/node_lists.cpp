// Names, each once. See node_lists.h.
#include "ir/node_lists.h"

namespace espalier::ir {

// Of the name, or of the empty slot for it.
std::size_t Names::place_of(std::string_view name, const std::vector<const std::string*>& slots) {
  const std::size_t mask = slots.size() - 1;
  std::size_t place = std::hash<std::string_view>()(name) & mask;
  while (slots[place] != nullptr && *slots[place] != name) place = (place + 1) & mask;
  return place;
}

const std::string& Names::intern(std::string_view name) {
  static const std::string kNone;
  if (name.empty()) return kNone;
  if (2 * (count_ + 1) > slots_.size()) {
    constexpr std::size_t kLeast = 4;
    std::vector<const std::string*> larger(slots_.empty() ? kLeast : 2 * slots_.size());
    for (const std::string* const each : slots_) {
      if (each != nullptr) larger[place_of(*each, larger)] = each;
    }
    slots_ = std::move(larger);
  }
  const std::string*& slot = slots_[place_of(name, slots_)];
  if (slot == nullptr) {
    slot = &names_.add(name);
    ++count_;
  }
  return *slot;
}

}  // namespace espalier::ir

// Names, each once. See node_lists.h.
#include "ir/node_lists.h"

namespace espalier::ir {

// Of the name, or of the empty slot for it.
std::size_t Names::place_of(std::string_view name, const std::vector<Text>& slots) {
  const std::size_t mask = slots.size() - 1;
  std::size_t place = std::hash<std::string_view>()(name) & mask;
  while (!slots[place].empty() && slots[place] != name) place = (place + 1) & mask;
  return place;
}

const Text& Names::of(std::string_view name) {
  static const Text kNone;
  if (name.empty()) return kNone;
  if (2 * (count_ + 1) > slots_.size()) {
    constexpr std::size_t kLeast = 4;
    std::vector<Text> larger(slots_.empty() ? kLeast : 2 * slots_.size());
    for (Text& each : slots_) {
      if (!each.empty()) larger[place_of(each, larger)] = std::move(each);
    }
    slots_ = std::move(larger);
  }
  Text& slot = slots_[place_of(name, slots_)];
  if (slot.empty()) {
    slot = name;
    ++count_;
  }
  return slot;
}

}  // namespace espalier::ir

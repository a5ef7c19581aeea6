// The words of answers. See results.h.
#include "explore/results.h"

namespace espalier::explore {

std::string_view name_of(Compared result) {
  constexpr std::string_view kNames[] = {"same", "different", "added", "removed", "undecided"};
  return kNames[static_cast<std::size_t>(result)];
}

std::string_view name_of(Truth result) {
  constexpr std::string_view kNames[] = {"holds", "fails", "undecided"};
  return kNames[static_cast<std::size_t>(result)];
}

}  // namespace espalier::explore

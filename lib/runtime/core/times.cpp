// Where the times of a current behaviour are. See times.h.
#include "core/times.h"

namespace espalier {

Times times_of_current(const Tree& tree, void* agent, std::uint32_t behavior) {
  if (!keeps_times(*tree.asset, behavior)) return Times(nullptr);
  const std::uint32_t offset = times_offset(tree);
  return Times(offset == 0 ? nullptr : static_cast<unsigned char*>(agent) + offset);
}

}  // namespace espalier

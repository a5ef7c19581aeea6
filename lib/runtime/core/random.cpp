// Random orders.
#include "core/random.h"

namespace espalier {

void shuffle(unsigned char* generator, unsigned char* order, std::uint32_t count, const Watcher* watcher) {
  for (std::uint32_t i = 0; i < count; ++i) order[i] = static_cast<unsigned char>(i);
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const auto other = static_cast<std::uint32_t>(next_below(generator, std::uint64_t{i} + 1, watcher));
    const unsigned char kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

}  // namespace espalier

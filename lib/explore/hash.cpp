// XXH3. See hash.h.
#include "explore/hash.h"

#define XXH_INLINE_ALL  // otherwise a library to link
#include <xxhash.h>

namespace espalier::explore {

Hash hash_of(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.low64, hash.high64};
}

std::uint64_t short_hash_of(const void* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace espalier::explore

// XXH3. See content_hash.h.
#include "project/content_hash.h"

#define XXH_INLINE_ALL  // otherwise a library to link
#include <xxhash.h>

namespace espalier::project {

ContentHash content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string text_of(const ContentHash& hash) {
  std::string text;
  for (const std::uint64_t half : {hash.high, hash.low}) {
    for (unsigned bits = 64; bits > 0; bits -= 4) text += "0123456789abcdef"[half >> (bits - 4) & 15];
  }
  return text;
}

}  // namespace espalier::project

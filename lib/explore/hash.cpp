// XXH3. See hash.h.
#include "explore/hash.h"

#define XXH_INLINE_ALL  // otherwise a library to link
#include <xxhash.h>

#include <cstddef>
#include <cstring>

namespace espalier::explore {
namespace {

// Most of a state is room that nothing uses, such as that of texts: lanes of zeros are not hashed, but told by their
// places.
constexpr std::size_t kLaneBytes = 32;
constexpr std::size_t kLanesAtOnce = 64;
constexpr std::size_t kShortBytes = 240;  // up to here XXH3 takes less time than to find such lanes

// A part of a row: its lanes that are not zero, its last bytes that are no lane, and the hash of the part before it.
struct Packed {
  std::uint64_t lanes = 0;  // a bit for each
  std::uint64_t size = 0;   // of the part, in bytes
  unsigned char bytes[kLanesAtOnce * kLaneBytes + sizeof(Hash)];
};

bool is_zero(const unsigned char* lane) {
  std::uint64_t words[kLaneBytes / sizeof(std::uint64_t)];
  std::memcpy(words, lane, sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) == 0;
}

// `before`: null for the first part. Returns how many bytes of `packed` are used.
std::size_t pack(const unsigned char* bytes, std::size_t size, const Hash* before, Packed& packed) {
  packed.lanes = 0;
  packed.size = size;
  unsigned char* end = packed.bytes;
  const unsigned char* lane = bytes;
  for (std::size_t i = 0; i < size / kLaneBytes; ++i, lane += kLaneBytes) {
    if (is_zero(lane)) continue;
    std::memcpy(end, lane, kLaneBytes);
    packed.lanes |= std::uint64_t{1} << i;
    end += kLaneBytes;
  }
  const auto add = [&end](const void* rest, std::size_t rest_size) {
    std::memcpy(end, rest, rest_size);
    end += rest_size;
  };
  add(lane, size % kLaneBytes);
  if (before != nullptr) add(before, sizeof *before);
  return offsetof(Packed, bytes) + static_cast<std::size_t>(end - packed.bytes);
}

Hash long_hash_of(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.low64, hash.high64};
}

// `hash`: of the last part.
template <typename HashOf>
auto hash_packed(const void* bytes, std::size_t size, const HashOf& hash) {
  constexpr std::size_t kPartBytes = kLanesAtOnce * kLaneBytes;
  const auto* from = static_cast<const unsigned char*>(bytes);
  Packed packed;
  Hash before;
  const Hash* known = nullptr;
  for (; size > kPartBytes; size -= kPartBytes, from += kPartBytes) {
    before = long_hash_of(&packed, pack(from, kPartBytes, known, packed));
    known = &before;
  }
  return hash(&packed, pack(from, size, known, packed));
}

}  // namespace

Hash hash_of(const void* bytes, std::size_t size) {
  return size <= kShortBytes ? long_hash_of(bytes, size) : hash_packed(bytes, size, long_hash_of);
}

std::uint64_t short_hash_of(const void* bytes, std::size_t size) {
  if (size <= kShortBytes) return XXH3_64bits(bytes, size);
  return hash_packed(bytes, size,
                     [](const void* packed, std::size_t packed_size) { return XXH3_64bits(packed, packed_size); });
}

}  // namespace espalier::explore

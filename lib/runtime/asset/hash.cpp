// XXH64 over an asset. See hash.h.
#include "asset/hash.h"

#include <cstring>

#include "format/records.h"

namespace espalier {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5;
constexpr std::size_t kStripeBytes = 32;

std::uint64_t rotate(std::uint64_t value, unsigned bits) { return (value << bits) | (value >> (64 - bits)); }

std::uint64_t load64(const unsigned char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::uint32_t load32(const unsigned char* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return rotate(lane + input * kPrime2, 31) * kPrime1; }

// The four lanes that take in 32 bytes at a time.
struct Lanes {
  std::uint64_t lane[4] = {kPrime1 + kPrime2, kPrime2, 0, std::uint64_t{0} - kPrime1};

  void take(const unsigned char* stripe) {
    for (unsigned i = 0; i < 4; ++i) lane[i] = round(lane[i], load64(stripe + std::size_t{8} * i));
  }

  std::uint64_t merged() const {
    std::uint64_t hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
    for (std::uint64_t value : lane) hash = (hash ^ round(0, value)) * kPrime1 + kPrime4;
    return hash;
  }
};

std::uint64_t take_rest(std::uint64_t hash, const unsigned char* bytes, std::size_t size_bytes) {
  for (; size_bytes >= 8; bytes += 8, size_bytes -= 8) {
    hash = rotate(hash ^ round(0, load64(bytes)), 27) * kPrime1 + kPrime4;
  }
  if (size_bytes >= 4) {
    hash = rotate(hash ^ (load32(bytes) * kPrime1), 23) * kPrime2 + kPrime3;
    bytes += 4;
    size_bytes -= 4;
  }
  for (; size_bytes > 0; ++bytes, --size_bytes) hash = rotate(hash ^ (*bytes * kPrime5), 11) * kPrime1;
  return hash;
}

std::uint64_t avalanche(std::uint64_t hash) {
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t asset_hash(const void* bytes, std::size_t size_bytes) {
  // The header is exactly the first stripe, so that only that one needs its hash field cleared.
  static_assert(sizeof(layout::Header) == kStripeBytes);
  const unsigned char* data = static_cast<const unsigned char*>(bytes);
  unsigned char first[kStripeBytes];
  std::memcpy(first, data, sizeof first);
  std::memset(first + offsetof(layout::Header, hash), 0, sizeof(layout::Header::hash));
  Lanes lanes;
  lanes.take(first);
  std::size_t taken = kStripeBytes;
  for (; size_bytes - taken >= kStripeBytes; taken += kStripeBytes) lanes.take(data + taken);
  return avalanche(take_rest(lanes.merged() + size_bytes, data + taken, size_bytes - taken));
}

}  // namespace espalier

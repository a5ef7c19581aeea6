// SplitMix64 forwards, to try seeds, and backwards, to make one that gives a rare number. See seeds.h.
#include "explore/seeds.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "explore/world.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 53;
constexpr std::uint64_t kSmallSeeds = 1u << 22;
constexpr std::uint32_t kMaxRefused = 64;
constexpr std::uint64_t kMadeSeeds = 1u << 23;

constexpr std::uint64_t mixed(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

// x such that x ^ (x >> shift) is `value`.
constexpr std::uint64_t unshifted(std::uint64_t value, unsigned shift) {
  std::uint64_t result = value;
  for (unsigned done = shift; done < 64; done += shift) result = value ^ (result >> shift);
  return result;
}

// The inverse of mixed(). The factors are the inverses of its factors modulo 2^64.
constexpr std::uint64_t unmixed(std::uint64_t bits) {
  bits = unshifted(bits, 31) * 0x319642B2D24D8EC3;
  bits = unshifted(bits, 27) * 0x96DE1B173F119089;
  return unshifted(bits, 30);
}
static_assert(unmixed(mixed(0x123456789ABCDEF)) == 0x123456789ABCDEF);

// A draw, and what its generator's state is more than the seed.
struct Wanted {
  std::uint64_t offset;
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t width() const { return last - first; }
};

bool gives(std::uint64_t seed, const std::vector<Wanted>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const Wanted& draw) {
    const std::uint64_t bits = mixed(seed + draw.offset);
    return bits >= draw.first && bits <= draw.last;
  });
}

}  // namespace

std::optional<std::uint64_t> find_seed(std::span<const Draw> draws, const std::function<bool(std::uint64_t seed)>& fits,
                                       std::uint64_t* tried_count) {
  std::vector<Wanted> wanted;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (const Draw& draw : draws) {
    const std::uint64_t number = ++counts[{draw.agent, draw.side}];
    const std::uint64_t offset = (std::uint64_t{draw.agent} << 32) + number * kGamma;
    const Numbers& numbers = draw.numbers;
    if (numbers.first != 0 || numbers.last != kLastNumber) wanted.push_back({offset, numbers.first, numbers.last});
  }
  std::uint32_t refused = 0;
  const auto is_fit = [&](std::uint64_t seed) { return !fits || fits(seed) || (++refused, false); };
  if (wanted.empty()) return is_fit(1) ? std::optional<std::uint64_t>(1) : std::nullopt;
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.width() < b.width(); });
  for (std::uint64_t seed = 1; seed < kSmallSeeds && refused < kMaxRefused; ++seed, ++*tried_count) {
    if (gives(seed, wanted) && is_fit(seed)) return seed;
  }
  // Each number that the rarest draw may give is the one of some seed.
  const Wanted& rarest = wanted.front();
  for (std::uint64_t i = 0; i < kMadeSeeds && refused < kMaxRefused && i <= rarest.width(); ++i, ++*tried_count) {
    const std::uint64_t seed = unmixed(rarest.first + i) - rarest.offset;
    if (seed >= 1 && seed < kMaxSeed && gives(seed, wanted) && is_fit(seed)) return seed;
  }
  return std::nullopt;
}

}  // namespace espalier::explore

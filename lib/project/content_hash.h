// The hash by which contents are compared with those of earlier runs.
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::project {

// 128 bits of XXH3: different contents have different hashes but for a chance that does not occur. Contents can be made
// to collide on purpose.
struct ContentHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const ContentHash&, const ContentHash&) = default;
};

ContentHash content_hash(std::string_view bytes);

// 32 hexadecimal digits.
std::string text_of(const ContentHash& hash);

}  // namespace espalier::project

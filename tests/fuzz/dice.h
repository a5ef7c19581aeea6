// Numbers for the fuzzers, and how they fail.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fuzz {

// Deterministic numbers from the last bytes of the input.
struct Dice {
  std::uint64_t state;
  std::uint32_t below(std::uint32_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(((state >> 32) * count) >> 32);
  }
};

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void read_name(std::string_view name) { require(std::strlen(name.data()) == name.size()); }

}  // namespace fuzz

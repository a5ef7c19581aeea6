// The random numbers of an agent, as far as they matter: in which part of all numbers of 64 bits one is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace espalier::explore {

constexpr std::uint64_t kLastNumber = ~std::uint64_t{0};

// All numbers from the first to the last.
struct Numbers {
  std::uint64_t first = 0;
  std::uint64_t last = kLastNumber;

  bool meets(const Numbers& other) const { return first <= other.last && other.first <= last; }
  Numbers in(const Numbers& other) const { return {std::max(first, other.first), std::min(last, other.last)}; }
};

// Two versions of an agent get the same numbers, each from a generator of its own: the ones that one version has drawn
// and the other has not. A part of a state. If they become too many, both draw any numbers from then on; then a run may
// be explored that no seed shows.
struct NumbersAhead {
  static constexpr std::uint32_t kMax = 3;

  std::uint16_t is_lost = 0;  // they became too many
  std::uint16_t side = 0;     // that has drawn them
  std::uint32_t count = 0;
  Numbers numbers[kMax];  // those beyond `count` are zero

  bool has_next(std::size_t of) const { return count > 0 && side != of; }
  Numbers take() {
    const Numbers next = numbers[0];
    std::copy(numbers + 1, numbers + count, numbers);
    numbers[--count] = {0, 0};
    if (count == 0) side = 0;
    return next;
  }
  void add(std::size_t of, const Numbers& drawn) {
    if (is_lost != 0) return;
    is_lost = count == kMax ? 1 : 0;
    side = is_lost != 0 ? 0 : static_cast<std::uint16_t>(of);
    if (is_lost == 0) {
      numbers[count++] = drawn;
    } else {
      std::fill(numbers, numbers + count, Numbers{0, 0});
      count = 0;
    }
  }
};

}  // namespace espalier::explore

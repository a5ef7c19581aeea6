// A count that all agents change, from any thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace espalier {

#ifdef __GNUC__
// Where the processor has no atomic numbers of 16 bits (RISC-V): a half of a word that is exchanged as a whole. Blocks
// lie at multiples of 8 and end so.
class HalfWord {
 public:
  explicit HalfWord(std::uint16_t value) : value_(value) {}

  std::uint16_t load(std::memory_order) const { return half_of(__atomic_load_n(word(), __ATOMIC_ACQUIRE)); }
  std::uint16_t fetch_add(std::uint16_t change, std::memory_order) {
    std::uint32_t seen = __atomic_load_n(word(), __ATOMIC_RELAXED);
    while (!exchange(seen, static_cast<std::uint16_t>(half_of(seen) + change))) {
    }
    return half_of(seen);
  }
  std::uint16_t fetch_sub(std::uint16_t change, std::memory_order order) {
    return fetch_add(static_cast<std::uint16_t>(0 - change), order);
  }
  bool compare_exchange_weak(std::uint16_t& expected, std::uint16_t desired, std::memory_order, std::memory_order) {
    std::uint32_t seen = __atomic_load_n(word(), __ATOMIC_RELAXED);
    const bool is_done = half_of(seen) == expected && exchange(seen, desired);
    if (!is_done) expected = half_of(seen);
    return is_done;
  }

 private:
  using Word = std::uint32_t __attribute__((may_alias));

  Word* word() const { return reinterpret_cast<Word*>(reinterpret_cast<std::uintptr_t>(this) & ~std::uintptr_t{3}); }
  unsigned shift() const { return (reinterpret_cast<std::uintptr_t>(this) & 2) != 0 ? 16 : 0; }
  std::uint16_t half_of(std::uint32_t word) const { return static_cast<std::uint16_t>(word >> shift()); }
  // `seen` gets what the word is, if it is another.
  bool exchange(std::uint32_t& seen, std::uint16_t half) {
    const std::uint32_t changed = (seen & ~(0xFFFFu << shift())) | std::uint32_t{half} << shift();
    return __atomic_compare_exchange_n(word(), &seen, changed, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }

  [[maybe_unused]] std::uint16_t value_;
};
using Counter =
    std::conditional_t<std::atomic<std::uint16_t>::is_always_lock_free, std::atomic<std::uint16_t>, HalfWord>;
#else
using Counter = std::atomic<std::uint16_t>;
static_assert(Counter::is_always_lock_free);
#endif
static_assert(sizeof(Counter) == 2);

}  // namespace espalier

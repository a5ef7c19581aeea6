// The host's memory, taken piece by piece.
#pragma once
#include <cstddef>
#include <new>

namespace espalier::serving {

// Pieces begin at multiples of 8.
constexpr std::size_t room_of(std::size_t size_bytes) { return (size_bytes + 7) / 8 * 8; }

class Memory {
 public:
  explicit Memory(void* first) : next_(static_cast<unsigned char*>(first)) {}

  unsigned char* take(std::size_t size_bytes) {
    unsigned char* const taken = next_;
    next_ += room_of(size_bytes);
    return taken;
  }
  template <typename Thing>
  Thing* take_array(std::size_t count) {
    auto* const things = reinterpret_cast<Thing*>(take(count * sizeof(Thing)));
    for (std::size_t i = 0; i < count; ++i) new (things + i) Thing();
    return things;
  }

 private:
  unsigned char* next_;
};

}  // namespace espalier::serving

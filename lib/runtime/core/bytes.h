// Numbers in an agent's block, where nothing is aligned.
#pragma once
#include <cstdint>
#include <cstring>

namespace espalier {

template <typename Number>
Number load(const unsigned char* at) {
  Number number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}
template <typename Number>
void store(unsigned char* at, Number number) {
  std::memcpy(at, &number, sizeof number);
}

inline std::uint32_t load_u16(const unsigned char* at) { return load<std::uint16_t>(at); }
inline std::uint32_t load_u32(const unsigned char* at) { return load<std::uint32_t>(at); }
inline std::uint64_t load_u64(const unsigned char* at) { return load<std::uint64_t>(at); }
inline void store_u16(unsigned char* at, std::uint32_t number) { store(at, static_cast<std::uint16_t>(number)); }
inline void store_u32(unsigned char* at, std::uint32_t number) { store(at, number); }
inline void store_u64(unsigned char* at, std::uint64_t number) { store(at, number); }

}  // namespace espalier

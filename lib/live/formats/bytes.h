// Numbers and texts from bytes that may be anything: what is not there is 0 or empty, and tells so once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

namespace espalier::live {

class Bytes {
 public:
  explicit Bytes(std::string_view bytes, bool is_big_endian = false) : bytes_(bytes), is_big_endian_(is_big_endian) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  // Was more asked for than there is?
  bool is_short() const { return is_short_; }

  std::string_view take(std::uint64_t size) {
    if (size > left()) {
      is_short_ = true;
      at_ = bytes_.size();
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += static_cast<std::size_t>(size);
    return taken;
  }

  template <typename Number>
  Number number() {
    const std::string_view taken = take(sizeof(Number));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const std::size_t place = is_big_endian_ ? taken.size() - 1 - i : i;
      value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * place);
    }
    return static_cast<Number>(value);
  }
  std::uint8_t u8() { return number<std::uint8_t>(); }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  // A text after its size.
  std::string_view text() { return take(u32()); }
  // So that what follows begins at a multiple of `size` bytes.
  void align(std::size_t size) { take(std::min(left(), (size - at_ % size) % size)); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_big_endian_;
  bool is_short_ = false;
};

}  // namespace espalier::live

// Bytes that are written into a buffer of a fixed size: what does not fit is left out, and is_whole() says so.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/decimal.h"

namespace espalier::serving {

class Output {
 public:
  Output(char* bytes, std::size_t capacity_bytes) : bytes_(bytes), capacity_bytes_(capacity_bytes) {}

  void put(std::string_view piece) {
    if (char* const at = room(piece.size())) std::memcpy(at, piece.data(), piece.size());
  }
  void put_byte(unsigned byte) {
    if (char* const at = room(1)) *at = static_cast<char>(byte);
  }
  // As text.
  void put_number(std::uint64_t number) { put(NumberText(number).text()); }
  void put_little_endian(std::uint64_t number, unsigned size_bytes) {
    for (unsigned i = 0; i < size_bytes; ++i) put_byte(number >> 8 * i & 0xFF);
  }
  void put_big_endian(std::uint64_t number, unsigned size_bytes) {
    for (unsigned i = size_bytes; i-- > 0;) put_byte(number >> 8 * i & 0xFF);
  }
  // Leaves bytes free, to be written later. Null: there is no room.
  char* room(std::size_t size_bytes) {
    is_whole_ = is_whole_ && size_bytes <= capacity_bytes_ - used_bytes_;
    if (!is_whole_) return nullptr;
    char* const at = bytes_ + used_bytes_;
    used_bytes_ += size_bytes;
    return at;
  }
  // Forgets what was written after this.
  void rewind(std::size_t used_bytes) {
    used_bytes_ = used_bytes;
    is_whole_ = true;
  }

  bool is_whole() const { return is_whole_; }
  std::size_t used_bytes() const { return used_bytes_; }
  std::string_view written() const { return {bytes_, used_bytes_}; }

 private:
  char* bytes_;
  std::size_t capacity_bytes_;
  std::size_t used_bytes_ = 0;
  bool is_whole_ = true;
};

}  // namespace espalier::serving

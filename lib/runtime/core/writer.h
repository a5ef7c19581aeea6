// Text, written piece by piece to a function of the game. Nothing depends on the locale.
#pragma once
#include <espalier/espalier.hpp>

#include "core/decimal.h"

namespace espalier {

struct Writer {
  espalier_write write;
  void* user;

  const Writer& operator<<(std::string_view piece) const {
    if (!piece.empty()) write(user, piece.data(), piece.size());
    return *this;
  }
  const Writer& operator<<(std::uint64_t number) const { return *this << NumberText(number).text(); }
  const Writer& operator<<(double value) const { return *this << NumberText(value).text(); }
  // A string of an asset: on one line, and harmless on a terminal. Control characters become '?'.
  const Writer& name(std::string_view text) const {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    const char* const end = text.data() + text.size();
    for (const char* begin = text.data(); begin != end;) {
      const char* at = begin;
      while (at != end && !is_control(*at)) ++at;
      *this << std::string_view(begin, static_cast<std::size_t>(at - begin));
      if (at == end) break;
      *this << "?";
      begin = at + 1;
    }
    return *this;
  }
  // Microseconds as seconds.
  const Writer& seconds(std::uint64_t time_us) const {
    *this << time_us / 1000000;
    char digits[7] = {'.'};
    std::uint64_t rest = time_us % 1000000;
    std::size_t size = rest == 0 ? 0 : 7;
    for (std::size_t i = 6; i > 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
    while (size > 1 && digits[size - 1] == '0') --size;
    return *this << std::string_view(digits, size) << " s";
  }
  const Writer& indent(std::uint32_t depth) const {
    for (; depth > 0; --depth) *this << "  ";
    return *this;
  }
};

}  // namespace espalier

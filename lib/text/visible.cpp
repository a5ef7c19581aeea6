// Finds characters that a terminal would execute or hide. See visible.h.
#include "text/visible.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace espalier::text {
namespace {

struct HiddenRange {
  char32_t first, last;
};

// Controls; soft hyphen; marks of direction; fillers, joiners and separators of lines; noncharacters; tags.
constexpr std::array<HiddenRange, 13> kHidden = {{{0, 0x1F},
                                                  {0x7F, 0x9F},
                                                  {0xAD, 0xAD},
                                                  {0x61C, 0x61C},
                                                  {0x180E, 0x180E},
                                                  {0x200B, 0x200F},
                                                  {0x2028, 0x202E},
                                                  {0x2060, 0x206F},
                                                  {0x3164, 0x3164},
                                                  {0xFDD0, 0xFDEF},
                                                  {0xFEFF, 0xFEFF},
                                                  {0xFFF9, 0xFFFB},
                                                  {0xE0000, 0xE0FFF}}};

}  // namespace

// Eight bytes at a time: the highest bit of each tells whether it is outside.
std::size_t end_of_printable(std::string_view text, std::size_t begin) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr std::uint64_t kHighest = 0x80 * kEach;
  std::size_t at = begin;
  for (std::uint64_t bytes = 0; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const std::uint64_t above = ((bytes & ~kHighest) + kEach) | bytes;          // '~' and 1 are 0x7F
    const std::uint64_t below = ~((bytes & ~kHighest) + (0x80 - ' ') * kEach);  // no carry into the next byte
    if (((above | below) & kHighest) != 0) break;
  }
  while (at < text.size() && text[at] >= ' ' && text[at] <= '~') ++at;
  return at;
}

Character character_at(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t size_bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || size_bytes > text.size() - offset) return {};
  char32_t code = first & (0x7Fu >> size_bytes);
  for (std::size_t i = 1; i < size_bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool is_overlong = (size_bytes == 3 && code < 0x800) || (size_bytes == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return {};
  return {code, size_bytes, true};
}

bool is_hidden(char32_t code) {
  return std::any_of(kHidden.begin(), kHidden.end(),
                     [&](const HiddenRange& range) { return range.first <= code && code <= range.last; });
}

std::string name_of_hidden(Character character) {
  if (!character.is_valid) return "\xEF\xBF\xBD";
  char name[16];
  const int size = std::snprintf(name, sizeof name, "<U+%04X>", static_cast<unsigned>(character.code));
  return {name, static_cast<std::size_t>(size)};
}

std::string visible(std::string_view text) {
  if (end_of_printable(text, 0) == text.size()) return std::string(text);
  std::string result;
  result.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const Character character = character_at(text, offset);
    if (character.code == '\t') {
      result += ' ';
    } else if (!character.is_valid || is_hidden(character.code)) {
      result += name_of_hidden(character);
    } else {
      result += text.substr(offset, character.size_bytes);
    }
    offset += character.size_bytes;
  }
  return result;
}

}  // namespace espalier::text

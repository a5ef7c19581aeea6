// Positions. See positions.h.
#include "editor/positions.h"

#include <algorithm>

namespace espalier::editor {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
// A character of four bytes is two units of UTF-16.
std::uint32_t utf16_units(char first) { return static_cast<unsigned char>(first) >= 0xF0 ? 2 : 1; }

}  // namespace

Lines::Lines(std::string_view text) : text_(text), begins_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_break = text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'));
    if (is_break) begins_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t Lines::units(std::string_view piece, Encoding encoding) const {
  if (encoding == Encoding::utf8) return static_cast<std::uint32_t>(piece.size());
  std::uint32_t count = 0;
  for (const char c : piece) count += continues(c) ? 0 : utf16_units(c);
  return count;
}

LinePosition Lines::position(std::uint32_t offset, Encoding encoding) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto line = std::upper_bound(begins_.begin(), begins_.end(), offset) - begins_.begin() - 1;
  const std::uint32_t begin = begins_[static_cast<std::size_t>(line)];
  return {static_cast<std::uint32_t>(line), units(text_.substr(begin, offset - begin), encoding)};
}

std::uint32_t Lines::offset(const LinePosition& position, Encoding encoding) const {
  if (position.line >= begins_.size()) return static_cast<std::uint32_t>(text_.size());
  std::size_t at = begins_[position.line];
  std::size_t end = position.line + 1 < begins_.size() ? begins_[position.line + 1] : text_.size();
  while (end > at && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  for (std::uint32_t left = position.character; left > 0 && at < end;) {
    const std::uint32_t size = encoding == Encoding::utf8 ? 1 : utf16_units(text_[at]);
    if (size > left) break;
    left -= size;
    ++at;
    while (encoding == Encoding::utf16 && at < end && continues(text_[at])) ++at;
  }
  while (at > 0 && at < text_.size() && continues(text_[at])) --at;  // never within a character
  return static_cast<std::uint32_t>(at);
}

LinePosition Lines::end(Encoding encoding) const {
  return position(static_cast<std::uint32_t>(text_.size()), encoding);
}

}  // namespace espalier::editor

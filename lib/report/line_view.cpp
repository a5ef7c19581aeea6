// Source lines on a terminal. See line_view.h.
#include "report/line_view.h"

#include <algorithm>
#include <array>

namespace espalier::report {
namespace {

using text::Character;
using text::character_at;

struct Range {
  char32_t first, last;
};

bool is_in(const Range* begin, const Range* end, char32_t code) {
  return std::any_of(begin, end, [&](const Range& range) { return range.first <= code && code <= range.last; });
}

// Characters that terminals give no cell, and those that they give two; only the common blocks.
constexpr std::array<Range, 4> kCombining = {{{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 8> kWide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};

std::size_t width_of(char32_t code) {
  if (code < 0x300) return 1;
  if (is_in(kCombining.begin(), kCombining.end(), code)) return 0;
  return is_in(kWide.begin(), kWide.end(), code) ? 2 : 1;
}

// The text shown for one character, and the cells it takes; a tab is kept.
struct Cell {
  std::string text;
  std::size_t width = 1;
};

Cell cell_of(std::string_view line, std::size_t offset, Character character) {
  if (character.code == '\t') return {"\t", 1};
  if (character.is_valid && !text::is_hidden(character.code)) {
    return {std::string(line.substr(offset, character.size_bytes)), width_of(character.code)};
  }
  const std::string name = text::name_of_hidden(character);
  return {name, character.is_valid ? name.size() : 1};
}

// Is it shown as it is, in one cell, whatever comes next?
bool is_one_cell(char c) { return c >= ' ' && c < 0x7F; }

std::size_t previous(std::string_view line, std::size_t offset) {
  do {
    --offset;
  } while (offset > 0 && (static_cast<unsigned char>(line[offset]) & 0xC0) == 0x80);
  return offset;
}

// The byte range of the line that is shown. Reads no more characters than can be shown.
struct Window {
  std::size_t begin;
  std::size_t end;
};

Window window_around(std::string_view line, std::size_t at) {
  if (line.size() <= kMaxLineCharacters) return {0, line.size()};
  Window window{at, at};
  std::size_t count = 0;
  auto extend_left = [&](std::size_t limit) {
    for (; window.begin > 0 && count < limit; ++count) window.begin = previous(line, window.begin);
  };
  auto extend_right = [&](std::size_t limit) {
    for (; window.end < line.size() && count < limit; ++count) {
      window.end += is_one_cell(line[window.end]) ? 1 : character_at(line, window.end).size_bytes;
    }
  };
  extend_left(kMaxLineCharacters / 3);
  extend_right(kMaxLineCharacters);
  extend_left(kMaxLineCharacters);
  return window;
}

}  // namespace

void append_visible(std::string& to, std::string_view words) {
  if (text::end_of_printable(words, 0) == words.size()) {  // nearly always
    to += words;
  } else {
    to += visible(words);
  }
}

LineView view_line(std::string_view line, std::size_t begin_bytes, std::size_t length_bytes) {
  begin_bytes = std::min(begin_bytes, line.size());
  const std::size_t end_bytes = begin_bytes + std::min(length_bytes, line.size() - begin_bytes);
  const Window window = window_around(line, begin_bytes);
  LineView view;
  std::size_t mark_width = 0;
  if (window.begin > 0) {
    view.text = "...";
    view.indent = "   ";
  }
  for (std::size_t offset = window.begin; offset < window.end;) {
    const std::size_t end = text::end_of_printable(line.substr(0, window.end), offset);
    if (end > offset) {
      view.text += line.substr(offset, end - offset);
      view.indent.append(std::clamp(begin_bytes, offset, end) - offset, ' ');
      mark_width += std::clamp(end_bytes, offset, end) - std::clamp(begin_bytes, offset, end);
      offset = end;
      continue;
    }
    const Character character = character_at(line, offset);
    const Cell cell = cell_of(line, offset, character);
    view.text += cell.text;
    if (offset < begin_bytes) {
      view.indent += cell.text == "\t" ? cell.text : std::string(cell.width, ' ');
    } else if (offset < end_bytes) {
      mark_width += cell.width;
    }
    offset += character.size_bytes;
  }
  if (window.end < line.size()) view.text += "...";
  view.mark = "^" + std::string(std::max<std::size_t>(mark_width, 1) - 1, '~');
  return view;
}

}  // namespace espalier::report

// A source line made safe for a terminal, and the mark below a part of it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "text/visible.h"

namespace espalier::report {

struct LineView {
  std::string text;    // the line, or a window of it when it is long, with "..." for omitted parts
  std::string indent;  // precedes the mark on the line below: spaces, and a tab for every tab
  std::string mark;    // "^~~~", as wide as the part on a terminal
};

// Longer lines are shown in part. Only the window is processed, since a line may have many megabytes.
inline constexpr std::size_t kMaxLineCharacters = 160;

// Shows `line` with a mark under the `length_bytes` bytes from `begin_bytes` on; a part that extends past the line is
// marked up to the end of the line. Both ends must be at UTF-8 character boundaries.
LineView view_line(std::string_view line, std::size_t begin_bytes, std::size_t length_bytes);

using text::visible;

// Appends visible(words).
void append_visible(std::string& to, std::string_view words);

}  // namespace espalier::report

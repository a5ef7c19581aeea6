// A source line made fit for a terminal, and the mark that goes under a part of it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "text/visible.h"

namespace espalier::report {

struct LineView {
  std::string text;    // the line, or a window of it when it is long, with "..." for what is left out
  std::string indent;  // what stands before the mark on the line below: spaces, and a tab for every tab
  std::string mark;    // "^~~~", as wide as the part is on a terminal
};

// Lines wider than this are shown in part. A line may be an attribute of many megabytes: only the window is looked at.
inline constexpr std::size_t kMaxLineCharacters = 160;

// Shows `line` with a mark under the `length_bytes` bytes from `begin_bytes` on; a part that goes on past the line is
// marked up to its end. Both ends lie between characters of UTF-8.
LineView view_line(std::string_view line, std::size_t begin_bytes, std::size_t length_bytes);

using text::visible;

}  // namespace espalier::report

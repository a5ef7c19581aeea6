// Places as other programs count them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "text/source.h"

namespace espalier::report {

// Lines and columns count from 1, columns in characters (Unicode code points); the end is exclusive.
struct Region {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;
};

// Converts spans to regions. Counting continues from the previous place, so that a sequence of places in text order
// takes time linear in the text, even on one line of many megabytes.
class Regions {
 public:
  explicit Regions(const text::Sources& sources) : sources_(sources) {}
  Region of(text::Span span);

 private:
  std::uint32_t column(const text::Source& source, text::FileId file, std::uint32_t offset);

  const text::Sources& sources_;
  // A place whose column is known.
  text::FileId file_ = 0;
  std::uint32_t line_begin_ = 0;
  std::uint32_t offset_ = 0;
  std::uint32_t column_ = 1;
};

// A path as a URI: relative, or "file://" for an absolute one.
std::string uri_of(std::string_view path);

}  // namespace espalier::report

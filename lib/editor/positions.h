// Positions as editors count them: lines from 0, and characters of a line in units of UTF-8 or UTF-16.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "project/names.h"

namespace espalier::editor {

using project::Range;

enum class Encoding : std::uint8_t { utf8, utf16 };

struct LinePosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend bool operator==(const LinePosition&, const LinePosition&) = default;
};

// The lines of a text, which must outlive this.
class Lines {
 public:
  explicit Lines(std::string_view text);
  [[nodiscard]] LinePosition position(std::uint32_t offset, Encoding encoding) const;
  // A position beyond the end of its line is that end; one beyond the last line, the end of the text.
  [[nodiscard]] std::uint32_t offset(const LinePosition& position, Encoding encoding) const;
  [[nodiscard]] LinePosition end(Encoding encoding) const;
  // The number of units of a piece of the text.
  [[nodiscard]] std::uint32_t units(std::string_view piece, Encoding encoding) const;

 private:
  std::string_view text_;
  std::vector<std::uint32_t> begins_;
};

}  // namespace espalier::editor

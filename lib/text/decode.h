// Bytes of a file to UTF-8 text.
#pragma once
#include <string>
#include <string_view>

namespace espalier::text {

// What came of decoding. `error` is empty on success; else it says what is wrong, and `error_offset` is a byte offset into `text`,
// which holds what could be decoded before the fault.
struct Decoded {
  std::string text;      // UTF-8 without byte order mark, no NUL bytes
  std::string encoding;  // as found: "UTF-8", "UTF-16LE", "ISO-8859-1", ...
  bool byte_order_mark = false;
  std::string error;
  std::size_t error_offset = 0;
};

// By byte order mark, else by the XML declaration, else UTF-8 (XML 1.0, appendix F). Line endings are kept as they are.
[[nodiscard]] Decoded decode(std::string_view bytes);

}  // namespace espalier::text

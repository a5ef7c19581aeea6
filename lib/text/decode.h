// Bytes of a file to UTF-8 text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::text {

enum class DecodeFault : std::uint8_t {
  none,
  bad_bytes,      // bytes that mean nothing in the encoding, or NUL
  unsupported,    // the XML declaration names an encoding that is not known here
  contradiction,  // the XML declaration names another encoding than the bytes have
};

// What came of decoding. `error` is empty on success; else it says what is wrong, and [error_begin, error_end) is its
// place in `text`. The text is complete even then: what could not be decoded is U+FFFD in it, so that a finding can
// show its line.
struct Decoded {
  std::string text;      // UTF-8 without byte order mark, no NUL bytes
  std::string encoding;  // as found: "UTF-8", "UTF-16LE", "ISO-8859-1", ...
  bool byte_order_mark = false;
  bool has_forbidden = false;  // perhaps characters that XML forbids, control characters and the like
  DecodeFault fault = DecodeFault::none;
  std::string error;
  std::string hint;
  std::string replacement;  // of [error_begin, error_end), when that mends the fault; empty: none
  std::size_t error_begin = 0;
  std::size_t error_end = 0;
};

// By byte order mark, else by the XML declaration, else UTF-8 (XML 1.0, appendix F). Line endings are kept as they are.
[[nodiscard]] Decoded decode(std::string_view bytes);

}  // namespace espalier::text

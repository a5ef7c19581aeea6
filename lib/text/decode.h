// Decodes the bytes of a file to UTF-8 text, and encodes text as such bytes again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier::text {

enum class DecodeFault : std::uint8_t {
  none,
  bad_bytes,      // bytes that are not valid in the encoding, or NUL
  unsupported,    // the XML declaration names an encoding that is not supported
  contradiction,  // the XML declaration names a different encoding from that of the bytes
};

// The result of decoding. `error` is empty on success; otherwise it describes the fault, and [error_begin, error_end)
// is its place in `text`. The text is complete even then: bytes that could not be decoded become U+FFFD, so that a
// finding can show its line.
struct Decoded {
  std::string text;      // UTF-8 without byte order mark, no NUL bytes
  std::string encoding;  // as found: "UTF-8", "UTF-16LE", "ISO-8859-1", ...
  bool byte_order_mark = false;
  bool has_forbidden = false;  // may have characters that XML forbids, such as control characters
  DecodeFault fault = DecodeFault::none;
  std::string error;
  std::string hint;
  std::string replacement;  // of [error_begin, error_end), if that fixes the fault; empty: none
  std::size_t error_begin = 0;
  std::size_t error_end = 0;
};

// Chooses the encoding by byte order mark, else by XML declaration, else UTF-8 (XML 1.0, appendix F). Line endings are
// kept.
[[nodiscard]] Decoded decode(std::string_view bytes);

// The reverse: the bytes of a file of this encoding, which is named as in Decoded. Nothing if the encoding has no such
// character. `text` is valid UTF-8.
[[nodiscard]] std::optional<std::string> encode(std::string_view text, std::string_view encoding, bool byte_order_mark);

}  // namespace espalier::text

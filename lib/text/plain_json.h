// A fast reader of the plain part of JSON, in which nearly all lines of traces and declarations are written: printable
// ASCII, strings without escapes, numbers of at most 15 digits without exponent, little nesting.
#pragma once
#include <string_view>

#include "text/json.h"

namespace espalier::text {

// Reads `text` into `value`, whose memory is used again. False: the text is not plain, and may not be JSON at all;
// `value` is then in any state. parse_any_json() defines the result: where this returns true, it reads the same value.
[[nodiscard]] bool read_plain_json(std::string_view text, FileId file, JsonValue& value);

}  // namespace espalier::text

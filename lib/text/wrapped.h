// Text as lines of a width.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::text {

// `text` wrapped to lines of at most `width` characters, all except the first indented by `indent` spaces. Lines of
// `text` that begin with a space are kept as they are. Ends with a line break.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace espalier::text

// What changes in a text, in the unified format of diff(1), which patch(1) and git read.
#pragma once
#include <string>
#include <string_view>

namespace espalier::rewrite {

// "--- PATH", "+++ PATH" and the changed lines with three unchanged ones around them; empty if the texts are the same.
// `has_color`: with the colours of a terminal.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after, bool has_color);

}  // namespace espalier::rewrite

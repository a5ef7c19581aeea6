// Values of attributes as XML writes them.
#pragma once
#include <string>
#include <string_view>

namespace espalier::text {

// The same as escaped() of characters.h, for a value of any number of lines, in quotes of either kind.
std::string escaped_value(std::string_view value);

}  // namespace espalier::text

// XML in a raw string of C++ code: R"xml(<root>...)xml", which people cut out of a program with lines around it.
#pragma once
#include <cstddef>
#include <string_view>

namespace espalier::text {

struct RawString {
  std::size_t begin = std::string_view::npos;  // of R"xml( ; npos: there is none
  std::size_t xml = std::string_view::npos;    // of its first '<'
};

// The first raw string whose text begins with '<', in a text that begins with something else.
[[nodiscard]] RawString raw_string_of_xml(std::string_view text);

}  // namespace espalier::text

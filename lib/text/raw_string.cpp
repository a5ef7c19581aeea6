// XML in C++ code. See raw_string.h.
#include "text/raw_string.h"

namespace espalier::text {
namespace {

constexpr std::size_t kLongestDelimiter = 16;  // of C++
constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

RawString raw_string_of_xml(std::string_view text) {
  constexpr std::size_t kNowhere = std::string_view::npos;
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == kNowhere || text[first] == '<') return {};
  for (std::size_t at = text.find("R\"", first); at != kNowhere; at = text.find("R\"", at + 2)) {
    const std::size_t open = text.find_first_of("() \\\t\r\n\"", at + 2);
    if (open == kNowhere || text[open] != '(' || open - at - 2 > kLongestDelimiter) continue;
    const std::size_t xml = text.find_first_not_of(kBlanks, open + 1);
    if (xml != kNowhere && text[xml] == '<') return {at, xml};
  }
  return {};
}

}  // namespace espalier::text

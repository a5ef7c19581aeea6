// Values of attributes. See attribute_text.h.
#include "text/attribute_text.h"

#include "text/characters.h"

namespace espalier::text {

std::string escaped_value(std::string_view value) {
  std::string result;
  for (const char c : escaped(value)) {
    if (c == '\n') {
      result += "&#10;";
    } else if (c == '\t') {
      result += "&#9;";
    } else if (c == '\'') {
      result += "&apos;";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace espalier::text

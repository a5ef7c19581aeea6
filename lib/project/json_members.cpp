// Changes the text of an object of JSON. See json_members.h.
#include "project/json_members.h"

namespace espalier::project {

std::string with_member(const std::string& text, const text::JsonValue& object, std::string_view indent,
                        std::string_view member) {
  const std::size_t end = object.span.end - 1;  // at its '}'
  const std::size_t last = text.find_last_not_of(" \t\r\n", end - 1) + 1;
  const std::string_view closing = indent.substr(2);
  return text.substr(0, last) + (object.values.empty() ? "\n" : ",\n") + std::string(indent) + std::string(member) +
         '\n' + std::string(closing) + text.substr(end);
}

}  // namespace espalier::project

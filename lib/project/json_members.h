// Changes the text of an object of JSON and leaves the rest of it as it is written.
#pragma once
#include <string>
#include <string_view>

#include "text/json.h"

namespace espalier::project {

// The text with a further member at the end of `object`, which is part of it. `indent`: of its members.
[[nodiscard]] std::string with_member(const std::string& text, const text::JsonValue& object, std::string_view indent,
                                      std::string_view member);

}  // namespace espalier::project

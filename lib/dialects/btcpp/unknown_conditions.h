// Attributes that look like pre- or postconditions, and are none.
#pragma once
#include <string>
#include <string_view>

#include "text/xml.h"

namespace espalier::dialects::btcpp {

// Is an attribute that begins with '_' neither an editor's nor a note, but a script? The library ignores it.
[[nodiscard]] bool is_unknown_condition(const text::Attribute& attribute);
// What may be meant by it.
[[nodiscard]] std::string hint_for_condition(std::string_view name);

}  // namespace espalier::dialects::btcpp

// Expressions whose value can be read from the source.
#pragma once
#include <optional>
#include <string>

#include "cpp/program.h"

namespace espalier::cpp {

// Without parentheses around all of it, and without std::string(...) and std::move(...).
[[nodiscard]] Range bare(const Unit& unit, Range expression);

// A text made of literals and constants; nothing: it is computed. `body`: of the function in which it stands, whose
// constants are known too.
[[nodiscard]] std::optional<std::string> text_at(const Program& program, const Context& context, Range body,
                                                 Range expression);

// The same of a text, a number, true or false, as the library writes it into an attribute.
[[nodiscard]] std::optional<std::string> value_at(const Program& program, const Context& context, Range body,
                                                  Range expression);

// The value that a constant of the function gets before a place of it.
[[nodiscard]] std::optional<Range> local_constant(const Unit& unit, Range body, std::string_view name);

}  // namespace espalier::cpp

// The canonical layout of a tree's file: an element a line, indented by its depth; attributes in the order of the
// dialect's table. Names, values, comments and texts stay as they are, so that a tree means the same.
#pragma once
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "text/xml.h"

namespace espalier::rewrite {

inline constexpr std::size_t kIndent = 2;           // spaces for each level
inline constexpr std::size_t kLineLength = 120;     // in characters; longer start tags have an attribute a line
inline constexpr std::size_t kAttributeIndent = 4;  // of attributes on lines of their own, beyond that of the element

// Why a file cannot be formatted; empty if it can.
[[nodiscard]] std::string_view why_not_formatted(const text::ParsedXml& parsed);

// The text of such a file in canonical layout. Formatting it again gives the same text.
[[nodiscard]] std::string formatted(const text::ParsedXml& parsed, const dialects::ElementTable& table);

}  // namespace espalier::rewrite

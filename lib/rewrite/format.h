// The canonical layout of a tree's file: an element a line, indented by its depth; attributes in the order of the
// dialect's table. Names, values, comments and texts stay as they are, so that a tree means the same.
#pragma once
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "rewrite/layout.h"
#include "text/xml.h"

namespace espalier::rewrite {

// Why a file cannot be formatted; empty if it can.
[[nodiscard]] std::string_view why_not_formatted(const text::ParsedXml& parsed);

// The text of such a file in canonical layout. Formatting it again gives the same text.
[[nodiscard]] std::string formatted(const text::ParsedXml& parsed, const dialects::ElementTable& table,
                                    const Layout& layout);

}  // namespace espalier::rewrite

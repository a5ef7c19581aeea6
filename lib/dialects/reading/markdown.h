// The tables of a dialect's manual: every element and attribute of its element table, in Markdown.
#pragma once
#include <span>
#include <string>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {

[[nodiscard]] std::string write_markdown(const ElementTable& table, std::span<const ElementRow> declared = {});

}  // namespace espalier::dialects

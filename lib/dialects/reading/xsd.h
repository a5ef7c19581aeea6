// The XML schema of a dialect's element table, with its documentation.
#pragma once
#include <span>
#include <string>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {

// `declared`: rows besides the table's, of what a project declares. What the dialect's reader accepts without a finding
// is valid by the schema, in the usual spelling of names.
[[nodiscard]] std::string write_xsd(const ElementTable& table, std::span<const ElementRow> declared = {});

}  // namespace espalier::dialects

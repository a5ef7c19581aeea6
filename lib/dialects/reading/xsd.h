// The XML schema of a dialect's element table, with its documentation.
#pragma once
#include <span>
#include <string>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {

// `declared`: of what a project declares, rows besides the table's and in place of some (DeclaredRows). What the
// dialect's reader accepts without a finding is valid by the schema, in the usual spelling of names.
[[nodiscard]] std::string write_xsd(const ElementTable& table, std::span<const ElementRow> declared = {});

}  // namespace espalier::dialects

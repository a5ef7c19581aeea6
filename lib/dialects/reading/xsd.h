// The XML schema of a dialect's element table, with its documentation.
#pragma once
#include <span>
#include <string>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {

// `declared`: rows for a project's declarations, which add to or replace the table's (DeclaredRows). A document with
// the usual spelling of names that the dialect's reader accepts without a finding is valid by the schema.
[[nodiscard]] std::string write_xsd(const ElementTable& table, std::span<const ElementRow> declared = {});

}  // namespace espalier::dialects

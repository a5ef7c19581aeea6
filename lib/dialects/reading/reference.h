// What is made from element tables: the reference of an element, which `espalier explain` shows, the tables of a
// dialect's manual, and its XML schema. `declared`: rows for a project's declarations, which add to or replace the
// table's (DeclaredRows).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {

struct AttributeReference {
  std::string name;
  std::string value;      // "'any' or 'all'"
  std::string need;       // "required", "recommended", "one of these"; else empty
  std::string otherwise;  // the default; empty if there is none
  std::string doc;
};

struct ElementReference {
  std::string name;
  std::string doc;
  std::string holds;  // "nothing"; names are in '...'
  std::vector<AttributeReference> attributes;
  bool takes_parameters = false;
};

[[nodiscard]] ElementReference reference_of(const ElementTable& table, const ElementRow& row);
// Without those that are ignored, or that another engine reads.
[[nodiscard]] std::vector<AttributeReference> reference_of(std::span<const AttributeRow> rows);

// Every element and attribute of the table, in Markdown.
[[nodiscard]] std::string write_markdown(const ElementTable& table, std::span<const ElementRow> declared = {});

// The schema, with its documentation. A document with the usual spelling of names that the dialect's reader accepts
// without a finding is valid by it.
[[nodiscard]] std::string write_xsd(const ElementTable& table, std::span<const ElementRow> declared = {});

}  // namespace espalier::dialects

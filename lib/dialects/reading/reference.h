// The reference of an element, from its row: what the tables of the manual and `espalier explain` say about it.
#pragma once
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

}  // namespace espalier::dialects

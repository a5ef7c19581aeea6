// Looking up in element tables. See element_table.h.
#include "dialects/reading/element_table.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::dialects {

const ElementRow* ElementTable::find(std::string_view element) const {
  for (const ElementRow& row : elements) {
    if (row.name.size() == element.size() && is_same(row.name, element)) return &row;
  }
  return nullptr;
}

const ElementRow* ElementTable::find_in(const ElementRow& parent, std::string_view element) const {
  const ElementRow* first = nullptr;
  for (const ElementRow& row : elements) {
    if (row.name.size() != element.size() || !is_same(row.name, element)) continue;
    if (may_hold(parent, row)) return &row;
    if (first == nullptr) first = &row;
  }
  return first;
}

const ElementRow* ElementTable::first_in(const ElementRow& parent) const {
  for (const ElementRow& row : elements) {
    if (may_hold(parent, row) && row.written_for.empty()) return &row;
  }
  return nullptr;
}

std::vector<std::string_view> ElementTable::names_in(const ElementRow& parent) const {
  std::vector<std::string_view> names;
  for (const ElementRow& row : elements) {
    if (may_hold(parent, row) && row.written_for.empty()) names.push_back(row.name);
  }
  return names;
}

std::string_view ElementTable::meaning_of(std::string_view element) const {
  for (const Meaning& meaning : meanings) {
    if (text::equal_any_case(meaning.name, element)) return meaning.hint;
  }
  return {};
}

std::string ElementTable::owners_of(std::string_view attribute) const {
  constexpr std::size_t kMaxOwners = 3;
  std::vector<std::string_view> owners;
  for (const ElementRow& row : elements) {
    const bool is_new = std::find(owners.begin(), owners.end(), row.name) == owners.end();
    if (is_new && find_attribute(*this, row, attribute) != nullptr) owners.push_back(row.name);
  }
  if (owners.empty() || owners.size() > kMaxOwners) return {};
  return list_of(owners) + (owners.size() == 1 ? " has it" : " have it");
}

const AttributeRow* find_attribute(const ElementTable& table, const ElementRow& element, std::string_view attribute) {
  for (const AttributeRow& row : element.attributes) {
    if (row.name.size() == attribute.size() && table.is_same(row.name, attribute)) return &row;
  }
  return nullptr;
}

}  // namespace espalier::dialects

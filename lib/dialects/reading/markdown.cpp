// Tables of a manual. See markdown.h.
#include "dialects/reading/markdown.h"

#include <algorithm>

#include "dialects/reading/reference.h"

namespace espalier::dialects {
namespace {

std::string in_code(std::string_view name) { return '`' + std::string(name) + '`'; }

// The text of a cell, with bars escaped since they would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

// Changes 'words', as written in messages, to `words`.
std::string with_code(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '`');
  return text;
}

std::string attribute_line(const AttributeReference& row) {
  const std::string need = !row.need.empty() ? row.need : row.otherwise.empty() ? "" : in_code(row.otherwise);
  return "| " + in_code(row.name) + " | " + cell(with_code(row.value)) + " | " + need + " | " + cell(row.doc) + " |\n";
}

std::string attributes_of(const std::vector<AttributeReference>& rows) {
  std::string table = "| attribute | value | default | meaning |\n|---|---|---|---|\n";
  for (const AttributeReference& row : rows) table += attribute_line(row);
  return table;
}

std::string element_section(const ElementTable& table, const ElementRow& element) {
  const ElementReference row = reference_of(table, element);
  std::string section = "### `" + row.name + "`\n\n" + row.doc + ".\n\n";
  section += "Holds: " + with_code(row.holds) + ".\n\n";
  if (!element.attributes.empty()) section += attributes_of(row.attributes) + '\n';
  if (row.takes_parameters) section += "Other attributes are parameters for the host.\n\n";
  return section;
}

}  // namespace

std::string write_markdown(const ElementTable& table, std::span<const ElementRow> declared) {
  std::string text;
  for (const ElementRow& row : table.elements) text += element_section(table, row);
  for (const ElementRow& row : declared) text += element_section(table, row);
  if (!table.common.empty())
    text += "### Attributes of every node\n\n" + attributes_of(reference_of(table.common)) + '\n';
  text.pop_back();
  return text;
}

}  // namespace espalier::dialects

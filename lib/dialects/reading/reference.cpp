// The reference of an element and the tables of a manual. See reference.h.
#include "dialects/reading/reference.h"

#include <algorithm>

#include "dialects/reading/values.h"

namespace espalier::dialects {
namespace {

// " (exactly 1)"; empty if there may be any number.
std::string amount(const Content& content) {
  const std::string least = std::to_string(content.least);
  const std::string most = std::to_string(content.most);
  if (content.most == Content::kUnbounded) return content.least == 0 ? "" : " (at least " + least + ")";
  if (content.least == content.most) return " (exactly " + most + ")";
  return content.least == 0 ? " (at most " + most + ")" : " (" + least + " to " + most + ")";
}

// "'Flag', 'Stimulus'", or the names of groups if there are fewer groups than elements.
std::string what_it_holds(const ElementTable& table, const ElementRow& row) {
  const std::vector<std::string_view> names = table.names_in(row);
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + quote(name);
  std::size_t count = 0;
  std::string groups;
  for (std::size_t bit = 0; bit < table.group_names.size(); ++bit) {
    if ((row.content.groups >> bit & 1) == 0) continue;
    groups += (groups.empty() ? "" : " or ") + std::string(table.group_names[bit]);
    ++count;
  }
  return groups.empty() || count >= names.size() ? list : groups;
}

std::string content_of_row(const ElementTable& table, const ElementRow& row) {
  if (row.content.shape == Shape::raw) return "elements of its own";
  if (row.content.text) {
    const std::string value = describe(*row.content.text);
    return value.empty() ? "text" : "text: " + value;
  }
  if (row.content.groups == 0) return "nothing";
  std::string content = what_it_holds(table, row) + amount(row.content);
  if (row.content.shape == Shape::guarded) content += ", after an optional " + quote(row.content.guard);
  if (row.content.shape == Shape::each_once) content += ", each at most once";
  if (!row.content.required.empty()) content += "; " + quote(row.content.required) + " is required";
  return content;
}

std::string need_of_row(const AttributeRow& row) {
  switch (row.need) {
    case Need::required:
    case Need::taken_as_none:
      return "required";
    case Need::recommended:
      return "recommended";
    case Need::one_of:
      return "one of these";
    default:
      return {};
  }
}

// ---- The manual ---------------------------------------------------------------------------------

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
  std::string section = "### `" + row.name + "`\n\n" + row.doc + (row.doc.ends_with('?') ? "\n\n" : ".\n\n");
  section += "Holds: " + with_code(row.holds) + ".\n\n";
  if (!element.attributes.empty()) section += attributes_of(row.attributes) + '\n';
  if (row.takes_parameters) section += "Other attributes are its parameters.\n\n";
  return section;
}

}  // namespace

std::vector<AttributeReference> reference_of(std::span<const AttributeRow> rows) {
  std::vector<AttributeReference> attributes;
  for (const AttributeRow& row : rows) {
    if (row.need == Need::ignored || !row.read_elsewhere.empty()) continue;
    attributes.push_back({std::string(row.name), describe(row.value), need_of_row(row), std::string(row.otherwise),
                          std::string(row.doc)});
  }
  return attributes;
}

ElementReference reference_of(const ElementTable& table, const ElementRow& row) {
  return {std::string(row.name), std::string(row.doc), content_of_row(table, row), reference_of(row.attributes),
          row.takes_parameters};
}

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

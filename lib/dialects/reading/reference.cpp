// The reference of an element. See reference.h.
#include "dialects/reading/reference.h"

#include "dialects/reading/values.h"
#include "dialects/reading/wording.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

using text::quote;

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
  if (row.content.shape == Shape::raw) return "elements of the host";
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

}  // namespace espalier::dialects

// Elements of two versions. See elements.h.
#include "compiled/elements.h"

#include <algorithm>

#include "text/attribute_text.h"

namespace espalier::compiled {
namespace {

// Does the attribute name trees, with blanks between them?
bool names_trees(const text::Element& element, std::string_view attribute) {
  const std::string_view kind = element.name();
  if (attribute == "main_tree_to_execute") return true;
  if (kind == "ChildTree") return attribute == "default" || attribute == "accepts";
  if (attribute != "ID" && attribute != "name" && attribute != "id") return false;
  if (!element.parent()) return !holds_trees(element);
  return attribute == "ID" && (kind == "BehaviorTree" || kind == "SubTree" || kind == "SubTreePlus");
}

// Each of the names that is in the table becomes the other one.
std::string with_names(const std::string& value, const std::map<std::string, std::string>& names) {
  std::string all;
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find(' ', begin), value.size());
    const std::string own = value.substr(begin, end - begin);
    const auto other = names.find(own);
    all += other == names.end() ? own : other->second;
    if (end < value.size()) all += ' ';
    begin = end + 1;
  }
  return all;
}

std::string value_of(const text::Element& element, const text::Attribute& attribute,
                     const std::map<std::string, std::string>& names) {
  std::string value(attribute.value());
  return names.empty() || !names_trees(element, attribute.name()) ? value : with_names(value, names);
}

}  // namespace

bool holds_trees(const text::Element& root) { return root.name() == "root"; }

std::string word_of(const text::Element& element) {
  for (const std::string_view name : {"name", "ID", "id"}) {
    const text::Attribute attribute = element.attribute(name);
    if (attribute && !attribute.value().empty()) return std::string(attribute.value());
  }
  return std::string(element.name());
}

std::string text_in(const text::Element& element) {
  std::string all;
  for (const text::TextPiece& piece : element.text()) all += piece.text;
  return all.find_first_not_of(" \t\r\n") == std::string::npos ? std::string() : all;
}

std::size_t count_below(const text::Element& element) {
  std::size_t count = 0;
  for (const text::Element& child : element.children()) count += 1 + count_below(child);
  return count;
}

void end_tag(const text::Element& element, std::string& out) { out.append("</").append(element.name()).append(">\n"); }

void RenamedTrees::add(std::string before, std::string after) {
  before_[after] = before;
  after_[std::move(before)] = std::move(after);
}

std::string RenamedTrees::identity_of(const text::Element& element) const {
  for (const std::string_view name : {"ID", "name", "id"}) {
    if (const text::Attribute attribute = element.attribute(name)) return value_of(element, attribute, after_);
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> RenamedTrees::attributes_of(const text::Element& element) const {
  std::vector<std::pair<std::string, std::string>> attributes;
  for (const text::Attribute& attribute : element.attributes())
    attributes.emplace_back(attribute.name(), value_of(element, attribute, after_));
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

std::string RenamedTrees::own_text(const text::Element& element) const {
  std::string text(element.name());
  for (const auto& [name, value] : attributes_of(element)) text += '\0' + name + '\0' + value;
  return text + '\0' + text_in(element);
}

void RenamedTrees::begin_tag(const text::Element& element, bool with_new_names, std::string& out) const {
  out.append("<").append(element.name());
  for (const text::Attribute& attribute : element.attributes()) {
    const std::string value = value_of(element, attribute, with_new_names ? after_ : before_);
    out.append(" ").append(attribute.name()).append("=\"").append(text::escaped_value(value)).append("\"");
  }
  out += ">";
  out += text::escaped_value(text_in(element));
}

}  // namespace espalier::compiled

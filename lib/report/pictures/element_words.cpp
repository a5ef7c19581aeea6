// From elements to words. See element_words.h.
#include "report/pictures/element_words.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "text/names.h"
#include "text/visible.h"
#include "text/xml.h"

namespace espalier::report {
namespace {

using text::Attribute;
using text::Element;

// The elements of a file by where their names begin.
class File {
 public:
  explicit File(const text::Source& source) {
    text::Findings faults;  // they are among the findings
    document_ = text::XmlDocument::parse(source.path(), source.text(), own_, faults);
    if (document_ != nullptr && document_->root()) add(document_->root(), source);
  }
  Element at(std::uint32_t line, std::uint32_t column) const {
    const auto found = elements_.find({line, column});
    return found == elements_.end() ? Element() : found->second;
  }

 private:
  void add(const Element& element, const text::Source& source) {
    const text::Position at = source.position(element.span().begin);
    elements_.emplace(std::pair(at.line, at.column), element);
    for (Element child = element.first_child(); child; child = child.next_sibling()) add(child, source);
  }

  text::Sources own_;
  std::unique_ptr<text::XmlDocument> document_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Element> elements_;
};

std::string text_of(const Element& element) {
  std::string text;
  for (const text::TextPiece& piece : element.text()) text += piece.text;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return text::visible(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

std::string value_of(const Element& element, std::string_view name) {
  const Attribute attribute = element.attribute_any_case(name);
  return attribute ? text::visible(attribute.value()) : std::string();
}

// What is written in elements that are no nodes: where a state leads to, and what a rule asks and is given.
void add_inner_element(const Element& element, PictureNode& node) {
  const std::string_view name = text::local_name(element.name());
  if (name == "Transitions") {
    for (Element child = element.first_child(); child; child = child.next_sibling()) add_inner_element(child, node);
  } else if (name == "Transition") {
    const std::string event = value_of(element, "onEvent");
    const std::string to = value_of(element, event.empty() ? "state" : "to");
    node.rows.push_back({event.empty() ? "if " + value_of(element, "condition") : "on " + event, "→", to});
  } else if (name == "condition") {
    node.rows.push_back({"if", "", text_of(element)});
  } else if (name == "conditionMode") {
    node.rows.insert(node.rows.begin(), {"conditionMode", ":", text_of(element)});
  } else if (name == "parameter") {
    node.rows.push_back({value_of(element, "name"), ":", text_of(element)});
  }
}

bool is_name(std::string_view attribute) {
  return text::equal_any_case(attribute, "name") || text::equal_any_case(attribute, "id");
}

// `is_called_by_name`: names are what nodes act on, not their own, as in modular trees.
void take_words(const Element& element, bool is_called_by_name, PictureNode& node) {
  const std::string type = text::visible(text::local_name(element.name()));
  const bool is_reference = type == "Ref" || type == "DeciderRef";
  if (!is_reference) node.type = type;
  if (node.name == node.type || (is_called_by_name && node.kind != "state")) node.name.clear();
  // What programs call leaves by is not in the element.
  std::vector<PictureRow> rows;
  for (PictureRow& row : node.rows) {
    if (node.kind == "leaf" && row.label == "behavior") rows.push_back(std::move(row));
  }
  node.rows = std::move(rows);
  for (const Attribute& attribute : element.attributes()) {
    const std::string name = text::visible(attribute.name());
    const std::string value = text::visible(attribute.value());
    if (name.starts_with('_')) {
      node.tags.push_back(name + ": " + value);
    } else if (is_name(name) && (!is_called_by_name || node.kind == "state")) {
      if (node.name.empty()) node.name = value;
      if (node.name != value) node.rows.push_back({name, ":", value});
    } else if (name == "condition") {
      node.rows.insert(node.rows.begin(), {"if", "", value});
    } else if (!value.empty()) {
      node.rows.push_back({name, ":", value});
    }
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) add_inner_element(child, node);
}

// Of a node that polls: its hooks as they are written; and of a subtree what is written on it.
void take_polled_words(const Element& element, PictureNode& node) {
  for (const Attribute& attribute : element.attributes()) {
    const std::string name = text::visible(attribute.name());
    const std::string value = text::visible(attribute.value());
    for (std::string& tag : node.tags) {
      if (tag.starts_with(name + ": ")) tag = name + ": " + value;
    }
    if (node.role == PictureRole::subtree && name == "_autoremap" && value != "false" && value != "0")
      node.tags.push_back(name + ": " + value);
    if (node.role != PictureRole::subtree || name.starts_with('_') || is_name(name)) continue;
    node.rows.push_back({name, ":", value});
  }
}

}  // namespace

void add_element_words(std::vector<PictureTree>& trees, const text::Sources& sources) {
  std::map<std::string, text::FileId> numbers;
  for (text::FileId file = 0; file < sources.size(); ++file) numbers.emplace(text::visible(sources[file].path()), file);
  std::map<text::FileId, File> files;
  for (PictureTree& tree : trees) {
    for (PictureNode& node : tree.nodes) {
      const auto number = numbers.find(node.file);
      if (node.line == 0 || number == numbers.end()) continue;
      const File& file = files.try_emplace(number->second, sources[number->second]).first->second;
      const Element element = file.at(node.line, node.column);
      if (!element) continue;
      if (tree.dialect == "btcpp") {
        take_polled_words(element, node);
      } else {
        take_words(element, tree.dialect == "modular", node);
      }
    }
  }
}

}  // namespace espalier::report

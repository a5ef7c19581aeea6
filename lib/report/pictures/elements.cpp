// Elements as nodes of pictures. See elements.h.
#include "report/pictures/elements.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/dump/listing.h"
#include "runtime/format/kinds.h"
#include "text/visible.h"
#include "text/xml.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxElements = 20'000;  // of a file

// How nodes of that name look in trees that can be read. A Group is something else in each dialect that has one.
NodeLook look_of_element(std::string_view name, bool has_children) {
  for (std::size_t i = 0; i < kOpcodeRows && name != "Group"; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (codegen::element_of(opcode) == name) return look_of(opcode);
  }
  return {.role = has_children ? PictureRole::control : PictureRole::action};
}

PictureNode node_of(const text::Element& element, const text::Source& source, std::uint32_t parent) {
  PictureNode node;
  node.kind = text::visible(element.name());
  node.type = node.kind;
  const NodeLook look = look_of_element(element.name(), element.child_count() != 0);
  node.role = look.role;
  node.signs = look.signs;
  const text::Position at = source.position(element.span().begin);
  node.file = text::visible(source.path());
  node.line = at.line;
  node.column = at.column;
  node.parent = parent;
  for (const text::Attribute& attribute : element.attributes()) {
    const std::string value = text::visible(attribute.value());
    const bool is_name = attribute.name() == "name" || attribute.name() == "ID" || attribute.name() == "id";
    if (is_name && node.name.empty() && !value.empty()) {
      node.name = value;
    } else if (attribute.name() == "condition") {
      node.rows.insert(node.rows.begin(), {"if", "", value});
    } else {
      node.rows.push_back({text::visible(attribute.name()), ":", value});
    }
  }
  return node;
}

// Parents before their children, without recursion: files are nested as deeply as they like.
void add_elements(const text::Element& root, const text::Source& source, PictureTree& tree) {
  std::vector<std::pair<text::Element, std::uint32_t>> open = {{root, kNoParent}};
  while (!open.empty() && tree.nodes.size() < kMaxElements) {
    const auto [element, parent] = open.back();
    open.pop_back();
    const auto index = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.push_back(node_of(element, source, parent));
    std::vector<text::Element> children = element.children();
    std::reverse(children.begin(), children.end());
    for (const text::Element& child : children) open.emplace_back(child, index);
  }
}

PictureTree tree_of(const text::Source& source) {
  PictureTree tree;
  tree.name = text::visible(source.path());
  text::Sources own;
  text::Findings faults;  // they are among the findings
  const auto document = text::XmlDocument::parse(source.path(), source.text(), own, faults);
  if (document != nullptr && document->root()) add_elements(document->root(), source, tree);
  if (!tree.nodes.empty()) return tree;
  PictureNode& node = tree.nodes.emplace_back();
  node.kind = node.type = "file";
  node.name = tree.name;
  node.file = tree.name;
  node.line = node.column = 1;
  return tree;
}

bool has_models_only(const PictureTree& tree) {
  if (tree.nodes.front().kind != "root") return false;
  return std::none_of(tree.nodes.begin(), tree.nodes.end(),
                      [](const PictureNode& node) { return node.parent == 0 && node.kind == "BehaviorTree"; });
}

}  // namespace

std::vector<PictureTree> outline_elements(const std::vector<text::FileId>& files, const std::set<text::FileId>& faulty,
                                          const text::Sources& sources) {
  std::vector<PictureTree> trees;
  for (const text::FileId file : files) {
    PictureTree tree = tree_of(sources[file]);
    if (faulty.count(file) != 0 || !has_models_only(tree)) trees.push_back(std::move(tree));
  }
  return trees;
}

}  // namespace espalier::report

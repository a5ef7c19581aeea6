// Nodes of files. See used_nodes.h.
#include "dialects/btcpp/used_nodes.h"

#include <algorithm>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/format_3.h"
#include "dialects/btcpp/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

// Of an element with this tag.
std::string_view name_of(const Element& element, std::string_view tag) {
  return tag.empty() ? element.name() : element.attribute("ID").value();
}
std::string_view name_of(const Element& element) { return name_of(element, tag_of(element)); }

void find_undeclared_below(const Element& parent, const Declarations& nodes,
                           std::map<std::string, Declaration, std::less<>>& undeclared) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) {
    find_undeclared_below(child, nodes, undeclared);
    const std::string_view tag = tag_of(child);
    const std::string_view name = name_of(child, tag);
    if (tag == kSubTreeElement || name.empty() || nodes.find(name) != nullptr) continue;
    if (!is_valid_name(name) || !new_name_of_node(name).empty() || has_no_successor(name) ||
        !text::nearest(name, nodes.names()).empty())
      continue;
    const auto [place, is_new] = undeclared.try_emplace(std::string(name));
    Declaration& node = place->second;
    const std::size_t children = child.child_count();
    const NodeKind of_children = children == 0   ? NodeKind::action
                                 : children == 1 ? NodeKind::decorator
                                                 : NodeKind::control;
    const NodeKind kind = kind_of_tag(tag).value_or(of_children);
    if (is_new || (node.kind == NodeKind::action && children > 0) || (node.kind == NodeKind::decorator && children > 1))
      node.kind = kind;
    node.name = name;
    for (const std::string_view port : ports_of(child)) {
      if (node.find_port(port) == nullptr) node.ports.push_back({std::string(port), {}});
    }
  }
}

}  // namespace

std::vector<std::string_view> ports_of(const Element& element) {
  std::vector<std::string_view> ports;
  for (const Attribute& attribute : element.attributes()) {
    const std::string_view name = attribute.name();
    if (name != "ID" && name != "name" && is_port_name(name)) ports.push_back(name);
  }
  return ports;
}

Framework::Framework(const std::vector<Declaration>& nodes) : nodes_(nodes) {
  for (const Declaration& node : nodes_) by_name_.emplace(node.name, &node);
}

std::vector<std::string_view> Framework::names() const {
  std::vector<std::string_view> names;
  names.reserve(nodes_.size());
  for (const Declaration& node : nodes_) names.push_back(node.name);
  return names;
}

void Framework::look(const Element& root, std::set<std::string_view>& used) const {
  for (Element child = root.first_child(); child && !is_used(used); child = child.next_sibling()) {
    look(child, used);
    const std::string_view name = name_of(child);
    const Declaration* const row = find_library_node(name);
    if (row != nullptr && row->is_of_nav2) used.insert(row->name);
    const auto node = by_name_.find(name);
    if (node == by_name_.end()) continue;
    const std::vector<std::string_view> ports = ports_of(child);
    const bool has_others = std::any_of(
        ports.begin(), ports.end(), [&](std::string_view port) { return node->second->find_port(port) == nullptr; });
    if (!has_others) used.insert(node->first);
  }
}

void find_undeclared(const Element& root, const Declarations& nodes,
                     std::map<std::string, Declaration, std::less<>>& undeclared) {
  for (Element child = root.first_child(); child; child = child.next_sibling()) {
    if (child.name() == kTreeElement) find_undeclared_below(child, nodes, undeclared);
  }
}

}  // namespace espalier::dialects::btcpp

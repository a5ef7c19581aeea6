// The element table of BehaviorTree.CPP. See elements.h; its rows of nodes are those of ir/poll/declarations.h.
#include "dialects/btcpp/elements.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "rules/btcpp.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

constexpr Groups kTop = 1;
constexpr Groups kModels = 4;
constexpr Groups kPorts = 8;
constexpr std::string_view kGroupNames[] = {"parts of a file", "nodes", "models", "ports"};

constexpr std::string_view kBooleanWords[] = {"true", "false", "0", "1", "True", "TRUE", "False", "FALSE"};
constexpr NameType kTreeName{NameKind::tree, NameScope::project};
constexpr NameType kFileName{NameKind::file};
constexpr NameType kNodeName{NameKind::host_node, NameScope::project};

constexpr AttributeRow kRoot[] = {
    {"BTCPP_format", Need::recommended, kText, "The format of the file, which is 4"},
    reads(kTreeName, {"main_tree_to_execute", Need::optional, kName,
                      "The main tree, which runs unless the program names another one"}),
};
constexpr AttributeRow kTree[] = {
    declares(kTreeName, {"ID", Need::optional, kName, "The tree's name, unique in the project"})};
constexpr AttributeRow kInclude[] = {
    reads(kFileName,
          {"path", Need::required, kName, "A file whose trees and models are read too, relative to this one"}),
    {"ros_pkg", Need::optional, kName, "The ROS package in whose share folder the path is"},
};
constexpr AttributeRow kSubTree[] = {
    reads(kTreeName, {"ID", Need::required, kName, "The tree that runs here"}),
    {"_autoremap", Need::optional, one_of(kBooleanWords), "Whether entries of the same name are connected", "false"},
};
constexpr AttributeRow kExplicit[] = {reads(kNodeName, {"ID", Need::required, kName, "The node's name"})};
constexpr AttributeRow kModel[] = {declares(kNodeName, {"ID", Need::required, kName, "The node's name"})};
constexpr AttributeRow kSubTreeModel[] = {reads(kTreeName, {"ID", Need::required, kName, "The tree's name"})};
constexpr AttributeRow kPort[] = {
    {"name", Need::required, kName, "The port's name"},
    {"type", Need::optional, kText, "The type of its values", "AnyTypeAllowed"},
    {"default", Need::optional, kText, "The value if the attribute is missing"},
};
constexpr AttributeRow kCommon[] = {
    {"name", Need::optional, kText, "The name of this place of the node"},
    {"_failureIf", Need::optional, kScript, "If true when the node begins, the node fails at once"},
    {"_successIf", Need::optional, kScript, "If true when the node begins, the node succeeds at once"},
    {"_skipIf", Need::optional, kScript, "If true when the node begins, the node is skipped"},
    {"_while", Need::optional, kScript, "While false, the node is skipped, or halted if it is running"},
    {"_onSuccess", Need::optional, kScript, "Runs when the node succeeded"},
    {"_onFailure", Need::optional, kScript, "Runs when the node failed"},
    {"_onHalted", Need::optional, kScript, "Runs when the node was halted"},
    {"_post", Need::optional, kScript, "Runs when the node succeeded or failed"},
};

constexpr Content description() {
  Content content = kNothing;
  content.text = kText;
  return content;
}

constexpr Content content_of(NodeKind kind) {
  if (kind == NodeKind::control) return {kNodeGroup, 1};
  if (kind == NodeKind::decorator) return {kNodeGroup, 1, 1};
  return kNothing;
}

std::vector<AttributeRow> attributes_of(const Declaration& node) {
  std::vector<AttributeRow> rows;
  for (const Port& port : node.ports) {
    AttributeRow& row = rows.emplace_back();
    row.name = port.name;
    row.need = port.missing == Missing::nothing ? Need::optional : Need::required;
    row.doc = port.doc;
    if (port.otherwise) row.otherwise = *port.otherwise;
  }
  return rows;
}

// `kept`: gets what the rows refer to.
std::vector<ElementRow> all_elements(std::deque<std::vector<AttributeRow>>& kept) {
  std::vector<ElementRow> rows = {
      {kRootElement, 0, {kTop}, kRoot, "A file of trees"},
      opens_tree({kTreeElement, kTop, {kNodeGroup, 1, 1}, kTree, "A tree"}),
      {kModelElement, kTop, {kModels}, {}, "The nodes of the program, with their ports"},
      {kIncludeElement, kTop, kNothing, kInclude, "Reads another file"},
      {.name = kSubTreeElement,
       .groups = kNodeGroup,
       .attributes = kSubTree,
       .doc = "Runs another tree, with a blackboard of its own; other attributes connect entries",
       .takes_parameters = true,
       .common = Common::read},
  };
  for (const NodeKind kind : {NodeKind::action, NodeKind::condition, NodeKind::control, NodeKind::decorator}) {
    rows.push_back({.name = tag_of(kind),
                    .groups = kNodeGroup,
                    .content = content_of(kind),
                    .attributes = kExplicit,
                    .doc = "A node in the explicit form; other attributes are its ports",
                    .takes_parameters = true,
                    .common = Common::read});
  }
  for (const Declaration& node : library_nodes()) {
    rows.push_back({.name = node.name,
                    .groups = kNodeGroup,
                    .content = content_of(node.kind),
                    .attributes = kept.emplace_back(attributes_of(node)),
                    .doc = node.doc,
                    .common = Common::read});
  }
  for (const NodeKind kind : {NodeKind::action, NodeKind::condition, NodeKind::control, NodeKind::decorator}) {
    rows.push_back({tag_of(kind), kModels, {kPorts}, kModel, "Declares a node of the program"});
  }
  rows.push_back({kSubTreeElement, kModels, {kPorts}, kSubTreeModel, "Declares the ports of a tree"});
  for (const std::string_view port : {"input_port", "output_port", "inout_port"}) {
    rows.push_back({port, kPorts, description(), kPort, "Declares a port; its text is a description"});
  }
  return rows;
}

constexpr NodeKind kTagKinds[] = {NodeKind::subtree, NodeKind::action, NodeKind::condition, NodeKind::control,
                                  NodeKind::decorator};

// What people write who have seen "<BehaviorTree ID=...>" only.
bool is_another_word(std::string_view name) { return name == "Tree" || name == kTreeElement; }

}  // namespace

std::string_view tag_of(const text::Element& element) {
  const std::string_view name = element.name();
  for (const NodeKind kind : kTagKinds) {
    if (tag_of(kind) == name) return tag_of(kind);
  }
  if (element.attribute("ID").value().empty()) return {};
  for (const NodeKind kind : kTagKinds) {
    if (is_near_name(name, tag_of(kind))) return tag_of(kind);
  }
  return is_another_word(name) ? kSubTreeElement : std::string_view();
}

const ElementTable& table() {
  static std::deque<std::vector<AttributeRow>> attributes;
  static const std::vector<ElementRow> kElements = all_elements(attributes);
  static const ElementTable kTable{
      .dialect = "btcpp",
      .doc = "Trees of BehaviorTree.CPP 4: nodes with ports, blackboards and scripts",
      .elements = kElements,
      .group_names = kGroupNames,
      .common = kCommon,
      .rules = {.unknown_element = rules::BTC_unread_element,
                .unexpected_element = rules::BTC_unread_element,
                .unknown_attribute = rules::BTC_unread_attribute,
                .missing_attribute = rules::BTC_missing_attribute,
                .stray_text = rules::BTC_stray_text,
                .bad_value = rules::BTC_bad_value},
      .unknown_elements = NameKind::host_node,
  };
  return kTable;
}

std::string_view meant_part(std::string_view name) {
  static const std::vector<std::string_view> kParts = {kTreeElement, kModelElement, kIncludeElement};
  if (const auto found = std::find(kParts.begin(), kParts.end(), name); found != kParts.end()) return *found;
  const std::string near = text::nearest(name, kParts);
  const auto found = std::find(kParts.begin(), kParts.end(), near);
  return found == kParts.end() ? std::string_view() : *found;
}

}  // namespace espalier::dialects::btcpp

// Rows of the host's nodes. See host_rows.h.
#include "dialects/btcpp/host_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/options.h"

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kDirectionWords[] = {"input", "output", "input and output"};  // by Direction

// Every port may be an entry, so that its value is any text. One may be optional without a default that text can say.
HostAttribute attribute_of(const Port& port) {
  HostAttribute attribute;
  attribute.name = port.name;
  attribute.otherwise = port.otherwise;
  attribute.span = port.span;
  attribute.at = port.at;
  attribute.doc = std::string(kDirectionWords[static_cast<std::size_t>(port.direction)]) + ", " + shown(port.type);
  if (port.missing == Missing::allowed && !port.otherwise) attribute.doc += ", optional";
  const std::size_t begin = port.doc.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos)
    attribute.doc += ": " + port.doc.substr(begin, port.doc.find_last_not_of(" \t\r\n") + 1 - begin);
  return attribute;
}

// Inputs without a value of their own; where all have one, the first.
void offer_inputs(const std::vector<Port>& ports, std::vector<HostAttribute>& attributes) {
  std::size_t first = ports.size();
  bool has_offered = false;
  for (std::size_t i = ports.size(); i-- > 0;) {
    if (ports[i].direction == Direction::output) continue;
    first = i;
    attributes[i].is_offered = !ports[i].otherwise && ports[i].missing != Missing::allowed;
    has_offered |= attributes[i].is_offered;
  }
  if (!has_offered && first < ports.size()) attributes[first].is_offered = true;
}

HostDeclaration host_of(const Declaration& node) {
  HostDeclaration host;
  host.name = node.name;
  host.doc = node.doc.empty() ? std::string(tag_of(node.kind)) + " of the program" : node.doc;
  host.span = node.span;
  host.class_name = node.class_name;
  host.at = node.at;
  for (const Port& port : node.ports) host.attributes.push_back(attribute_of(port));
  offer_inputs(node.ports, host.attributes);
  if (node.kind == NodeKind::decorator) host.children = HostChildren::one;
  if (node.kind == NodeKind::control) {
    host.children = HostChildren::many;
    host.as = HostAs::sequence;
  }
  return host;
}

void sort_by_name(std::vector<HostDeclaration>& hosts) {
  std::sort(hosts.begin(), hosts.end(),
            [](const HostDeclaration& a, const HostDeclaration& b) { return a.name < b.name; });
}

}  // namespace

std::vector<HostDeclaration> hosts_of(std::span<const Declaration> nodes) {
  std::vector<HostDeclaration> hosts;
  for (const Declaration& node : nodes) hosts.push_back(host_of(node));
  sort_by_name(hosts);
  return hosts;
}

void declare(const Options& options, DeclaredRows& rows) {
  for (const HostDeclaration& host : options.of<BtcppOptions>().node_rows) rows.add(host, kNodeGroup, kNodeGroup);
}

void declare_models(const Summaries& summaries, Options& options) {
  BtcppOptions& own = options.edit<BtcppOptions>();
  Declarations nodes;
  for (const auto& summary : summaries) add_models(summary->models, nodes);
  std::set<std::string, std::less<>> of_files;  // in which they are names
  for (const std::string_view name : nodes.names()) of_files.emplace(name);
  for (const EditorModels& project : own.editor_models) add_models(project.models, nodes);
  for (const Declaration& node : own.nodes) nodes.declare(node);
  own.node_rows.clear();
  own.tree_rows.clear();
  for (const std::string_view name : nodes.names()) {
    const Declaration& node = *nodes.find(name);
    if (!node.is_of_host()) continue;
    const bool is_configured =
        std::any_of(own.nodes.begin(), own.nodes.end(), [&](const Declaration& each) { return each.name == name; });
    own.node_rows.push_back(host_of(node));
    if (!is_configured && of_files.count(name) != 0) own.node_rows.back().span = {};
  }
  for (const auto& [name, model] : nodes.subtrees) {
    HostDeclaration& tree = own.tree_rows.emplace_back();
    tree.name = name;
    tree.doc = "Tree";
    for (const Port& port : model.ports) tree.attributes.push_back(attribute_of(port));
  }
  sort_by_name(own.node_rows);
}

}  // namespace espalier::dialects::btcpp

// Trees as they are written, as outlines. See written.h.
#include "report/pictures/written.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/format/opcode_words.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

using ir::poll::Declaration;
using ir::poll::NodeKind;
using ir::poll::WrittenNode;
using ir::poll::WrittenPort;
using ir::poll::WrittenProject;
using ir::poll::WrittenScript;
using ir::poll::WrittenTree;

// As an asset calls it: "sequence", "subtree"; of a node of the program, its kind.
std::string kind_of(const WrittenNode& node) {
  if (node.opcode != kNoOpcode) {
    const std::string_view opcode = opcode_name(node.opcode);
    return std::string(opcode.substr(opcode.find('_') + 1));
  }
  return node.declaration == nullptr ? "subtree" : text::lower_case(tag_of(node.declaration->kind));
}

std::string text_at(const text::Source& source, text::Span span) {
  return text::visible(std::string_view(source.text()).substr(span.begin, span.end - span.begin));
}

NodeLook look_of_declared(NodeKind kind) {
  switch (kind) {
    case NodeKind::control:
      return {PictureRole::control, ""};
    case NodeKind::decorator:
      return {PictureRole::decorator, ""};
    case NodeKind::condition:
      return {PictureRole::condition, ""};
    case NodeKind::subtree:
      return {PictureRole::subtree, ""};
    case NodeKind::action:
      break;
  }
  return {};
}

PictureNode node_of(const WrittenNode& written, const text::Source& source) {
  PictureNode node;
  node.kind = kind_of(written);
  const NodeLook look = written.opcode != kNoOpcode      ? look_of(written.opcode)
                        : written.declaration != nullptr ? look_of_declared(written.declaration->kind)
                                                         : NodeLook{PictureRole::subtree, ""};
  node.role = look.role;
  node.signs = look.signs;
  node.type = text::visible(written.id);
  if (written.has_name && written.name != written.id) node.name = text::visible(written.name);
  const text::Position at = source.position(written.span.begin);
  node.file = text::visible(source.path());
  node.line = at.line;
  node.column = at.column;
  for (const WrittenScript& script : written.scripts) {
    const std::string_view name = script.hook == ir::poll::kOwnHook ? "script" : ir::poll::name_of(script.hook);
    node.tags.push_back(std::string(name) + ": " + text_at(source, script.span));
  }
  for (const WrittenPort& port : written.ports) {
    const bool is_script = port.role() == PortRole::script || port.role() == PortRole::condition;
    if (port.is_default || is_script) continue;
    const std::string value = text_at(source, port.value_span);
    const bool is_written =
        port.port != nullptr && port.direction() != ir::poll::Direction::input && value.starts_with('{');
    node.rows.push_back({text::visible(port.name), is_written ? "→" : ":", value});
  }
  return node;
}

void add_nodes(const WrittenTree& tree, const text::Source& source, std::vector<PictureNode>& nodes) {
  for (const WrittenNode& written : tree.nodes) {
    PictureNode& node = nodes.emplace_back(node_of(written, source));
    const auto place = static_cast<std::uint32_t>(nodes.size() - 1);
    node.parent = written.rise == 0 ? kNoParent : place - written.rise;
  }
}

}  // namespace

std::vector<PictureTree> outline_written(const WrittenProject& project, const text::Sources& sources,
                                         const std::function<bool(const WrittenTree&)>& is_drawn) {
  std::map<std::string_view, std::size_t> counts;
  for (const WrittenTree& tree : project.trees) ++counts[tree.name];
  std::vector<PictureTree> pictures;
  for (const WrittenTree& tree : project.trees) {
    if (!tree.has_root() || !is_drawn(tree)) continue;
    const text::Source& source = sources[tree.span.file];
    PictureTree& picture = pictures.emplace_back();
    picture.name = text::visible(tree.name);
    if (tree.name.empty()) {
      picture.name = text::visible(source.path());
    } else if (counts[tree.name] > 1) {
      picture.name = text::visible(tree.file) + ": " + picture.name;
    }
    picture.dialect = "btcpp";
    add_nodes(tree, source, picture.nodes);
  }
  return pictures;
}

}  // namespace espalier::report

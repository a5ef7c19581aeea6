// The XML of trees for clients. See live_sections.h.
#include "compiled/live_sections.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "ir/poll/expand.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "rules/assets.h"
#include "runtime/format/opcode.h"
#include "text/attribute_text.h"
#include "text/xml.h"

namespace espalier::compiled {
namespace {

using ir::poll::Declaration;
using ir::poll::NodeKind;
using replay::PlacedNode;

constexpr std::uint32_t kMostNodes = 0xFFFF;
constexpr std::uint32_t kNone = PlacedNode::kRoot;

using Attributes = std::vector<std::pair<std::string, std::string>>;

// The elements of files, by their places.
class Elements {
 public:
  explicit Elements(const text::Sources& sources) {
    for (std::uint32_t i = 0; i < sources.size(); ++i) sources_.emplace(sources[i].path(), &sources[i]);
  }

  // The element whose name begins there; null: there is none.
  struct Written {
    std::string name;
    Attributes attributes;
  };
  const Written* find(const codegen::NodeDebug& place) {
    const auto source = sources_.find(place.file);
    if (source == sources_.end()) return nullptr;
    const auto [file, is_new] = files_.try_emplace(place.file);
    if (is_new) read(*source->second, file->second);
    const auto found = file->second.find({place.line, place.column});
    return found == file->second.end() ? nullptr : &found->second;
  }

 private:
  using File = std::map<std::pair<std::uint32_t, std::uint32_t>, Written>;

  static void read(const text::Source& source, File& file) {
    std::shared_ptr<const text::ParsedXml> parsed = text::parse_xml(source.path(), source.text());
    if (!parsed->has_document || parsed->is_damaged) return;
    const text::XmlDocument document(std::move(parsed), 0);
    std::vector<text::Element> open = {document.root()};
    while (!open.empty()) {
      const text::Element element = open.back();
      open.pop_back();
      if (!element) continue;
      const text::Position place = source.position(element.span().begin);
      Written& written = file[{place.line, place.column}];
      written.name = element.name();
      for (const text::Attribute& attribute : element.attributes())
        written.attributes.emplace_back(attribute.name(), attribute.value());
      for (const text::Element& child : element.children()) open.push_back(child);
    }
  }

  std::map<std::string_view, const text::Source*> sources_;
  std::map<std::string_view, File> files_;
};

// A node of the models at the end.
struct Model {
  NodeKind kind = NodeKind::action;
  std::set<std::string> ports = {};          // those that uses have, if nothing declares them
  const Declaration* declaration = nullptr;  // null: nothing
};

std::string_view port_tag(ir::poll::Direction direction) {
  constexpr std::string_view kTags[] = {"input_port", "output_port", "inout_port"};
  return kTags[static_cast<std::size_t>(direction)];
}

// As the library names types.
std::string type_of(const ir::poll::Type& type) {
  const std::string name = ir::poll::shown(type);
  if (name == "unsigned") return "unsigned int";
  switch (type.kind) {
    case ir::poll::TypeKind::text:
      return "std::string";
    case ir::poll::TypeKind::untyped:
    case ir::poll::TypeKind::any:
    case ir::poll::TypeKind::status:
      return "BT::" + name;
    default:
      return name;
  }
}

// What is known of the nodes of trees that poll, by their IDs.
using Declared = std::map<std::string_view, const Declaration*>;

void add_declared(const ir::poll::WrittenProject& project, Declared& declared) {
  for (const ir::poll::WrittenTree& tree : project.trees) {
    for (const ir::poll::WrittenNode& node : tree.nodes) {
      if (!node.is_subtree()) declared.emplace(node.id, project.known(node));
    }
  }
}

Declared declared_in(const ir::Project& project) {
  Declared declared;
  const ir::poll::WrittenProject* last = nullptr;  // most trees have the same
  for (const ir::Tree& tree : project.trees) {
    if (tree.placing == nullptr || &tree.placing->project() == last) continue;
    last = &tree.placing->project();
    add_declared(*last, declared);
  }
  return declared;
}

// Is the attribute a script that belongs to a node, which the library keeps?
bool is_kept_metadata(std::string_view name) { return ir::poll::hook_of(name) || name == "_autoremap"; }

std::string indent(std::uint32_t depth) { return std::string(std::size_t{4} * depth, ' '); }

class TreeWriter {
 public:
  TreeWriter(const Tree& tree, const Declared& declared, Elements& elements, codegen::LiveSections& sections)
      : tree_(tree),
        is_polled_(replay::engine_of_tree(tree) == EngineId::poll),
        declared_(declared),
        elements_(elements),
        sections_(sections),
        paths_(tree),
        children_(paths_.nodes().size()),
        uids_(paths_.nodes().size()) {}

  // False: it has too many nodes.
  bool write() {
    find_children();
    for (const std::uint32_t root : roots_) number(root);
    if (node_count_ > kMostNodes) return false;
    layout::LiveTree& record = sections_.trees.emplace_back();
    record.xml = static_cast<std::uint32_t>(sections_.xml.size());
    record.first_node = static_cast<std::uint32_t>(sections_.nodes.size());
    record.node_count = node_count_;
    sections_.xml += "<root BTCPP_format=\"4\">\n";
    write_tree(std::string(tree_name(tree_)), {}, roots_);
    // Subtrees in the order in which the library makes them: that of the nodes.
    for (const std::uint32_t subtree : subtrees_) write_tree(id_of(subtree), path_of(subtree), children_[subtree]);
    write_models();
    sections_.xml += "</root>\n";
    record.xml_bytes = static_cast<std::uint32_t>(sections_.xml.size()) - record.xml;
    return true;
  }

 private:
  const PlacedNode& node(std::uint32_t number) const { return paths_.nodes()[number]; }
  bool is_shown(std::uint32_t number) const {
    for (; number != kNone; number = node(number).parent) {
      if (node(number).word == PlacedNode::kRoot) return false;  // of another tree, that may be put into a slot
    }
    return true;
  }
  bool is_subtree(std::uint32_t number) const { return is_polled_ && node(number).is_subtree; }

  void find_children() {
    for (std::uint32_t i = 0; i < paths_.nodes().size(); ++i) {
      if (is_shown(i)) (node(i).parent == kNone ? roots_ : children_[node(i).parent]).push_back(i);
    }
  }
  void number(std::uint32_t at) {
    uids_[at] = ++node_count_;
    if (is_subtree(at)) subtrees_.push_back(at);
    for (const std::uint32_t child : children_[at]) number(child);
  }

  std::string id_of(std::uint32_t at) const { return std::string(node(at).id); }
  // "patrol/north"
  std::string path_of(std::uint32_t subtree) const {
    std::string path(node(subtree).name);
    for (std::uint32_t at = node(subtree).parent; at != kNone; at = node(at).parent) {
      if (is_subtree(at)) path = std::string(node(at).name) + '/' + path;
    }
    return path;
  }

  void put(std::string_view attribute, std::string_view value) {
    sections_.xml += ' ';
    (sections_.xml += attribute) += "=\"";
    (sections_.xml += text::escaped_value(value)) += '"';
  }

  void write_tree(const std::string& id, const std::string& path, const std::vector<std::uint32_t>& roots) {
    sections_.xml += indent(1) + "<BehaviorTree";
    put("ID", id);
    put("_fullpath", path);
    sections_.xml += ">\n";
    for (const std::uint32_t root : roots) write_node(root, 2);
    sections_.xml += indent(1) + "</BehaviorTree>\n";
  }

  void write_node(std::uint32_t at, std::uint32_t depth) {
    const codegen::NodeView view = codegen::node_at(*tree_.asset, node(at).word);
    const codegen::NodeDebug place = codegen::node_debug(*tree_.asset, node(at).word);
    const Elements::Written* const written = elements_.find(place);
    const std::string tag = tag_of(at, written);
    add_live_node(at, view);
    sections_.xml += indent(depth) + '<' + tag;
    if (is_subtree(at)) {
      put("ID", id_of(at));
      put("_fullpath", path_of(at));
    } else {
      put("name", name_of(at, tag, written));
    }
    put("_uid", std::to_string(uids_[at]));
    Model unused;
    Model& model = is_subtree(at) ? unused : models_[tag];
    model.kind = std::max(model.kind, kind_of(at, tag, view));
    if (is_polled_) model.declaration = declaration_of(tag);
    if (written != nullptr) write_attributes(*written, model);
    if (model.declaration != nullptr) write_defaults(written, *model.declaration);
    if (is_subtree(at) || children_[at].empty()) {
      sections_.xml += "/>\n";
      return;
    }
    sections_.xml += ">\n";
    for (const std::uint32_t child : children_[at]) write_node(child, depth + 1);
    sections_.xml += indent(depth) + "</" + tag + ">\n";
  }

  // Its own, or what it is about.
  std::string_view name_of(std::uint32_t at, std::string_view tag, const Elements::Written* written) const {
    if (!node(at).name.empty()) return node(at).name;
    if (written != nullptr && !is_polled_) {
      for (const auto& [name, value] : written->attributes) {
        if (name == "name" && !value.empty()) return value;
      }
    }
    return is_polled_ || node(at).id.empty() ? tag : node(at).id;
  }

  void write_attributes(const Elements::Written& written, Model& model) {
    for (const auto& [name, value] : written.attributes) {
      if (name == "name" || name == "ID") continue;
      if (is_polled_ && name.starts_with('_') && !is_kept_metadata(name)) continue;
      put(name, value);
      if (!name.starts_with('_')) model.ports.insert(name);
    }
  }

  // The library adds these to a node.
  void write_defaults(const Elements::Written* written, const Declaration& declaration) {
    for (const ir::poll::Port& port : declaration.ports) {
      const bool is_written =
          written != nullptr && std::any_of(written->attributes.begin(), written->attributes.end(),
                                            [&](const auto& each) { return each.first == port.name; });
      if (port.otherwise && !is_written) put(port.name, *port.otherwise);
    }
  }

  void add_live_node(std::uint32_t at, const codegen::NodeView& view) {
    layout::LiveNode& live = sections_.nodes.emplace_back();
    live.place = node(at).word;
    if (replay::engine_of_tree(tree_) == EngineId::select)
      live.place = codegen::is_leaf(view) ? node(at).number : layout::kNone;
    live.uid = static_cast<std::uint16_t>(uids_[at]);
    live.parent = node(at).parent == kNone ? std::uint16_t{0} : static_cast<std::uint16_t>(uids_[node(at).parent]);
  }

  // Of a tree that polls the ID, of others the element.
  std::string tag_of(std::uint32_t at, const Elements::Written* written) const {
    if (is_subtree(at)) return "SubTree";
    if (is_polled_) return id_of(at);
    return written != nullptr ? written->name : std::string(node(at).kind);
  }

  const Declaration* declaration_of(const std::string& id) const {
    const auto found = declared_.find(id);
    return found != declared_.end() ? found->second : ir::poll::find_library_node(id);
  }

  NodeKind kind_of(std::uint32_t at, const std::string& tag, const codegen::NodeView& view) const {
    if (view.opcode == Opcode::poll_gate) return NodeKind::decorator;
    if (view.opcode == Opcode::poll_condition) return NodeKind::condition;
    if (is_polled_) {
      const Declaration* const declaration = declaration_of(tag);
      if (declaration != nullptr) return declaration->kind;
      return children_[at].empty() ? NodeKind::action : NodeKind::control;
    }
    if (children_[at].size() == 1) return NodeKind::decorator;
    if (!children_[at].empty()) return NodeKind::control;
    return codegen::operand(view, OperandKind::host_condition) != nullptr ? NodeKind::condition : NodeKind::action;
  }

  void write_models() {
    sections_.xml += indent(1) + "<TreeNodesModel>\n";
    for (const auto& [id, model] : models_) {
      const std::string tag(ir::poll::tag_of(model.kind));
      sections_.xml += indent(2) + '<' + tag;
      put("ID", id);
      const std::string ports = model.declaration != nullptr && model.declaration->is_declared()
                                    ? declared_ports(*model.declaration)
                                    : used_ports(model);
      sections_.xml += ports.empty() ? "/>\n" : ">\n" + ports + indent(2) + "</" + tag + ">\n";
    }
    sections_.xml += indent(1) + "</TreeNodesModel>\n";
  }

  static std::string declared_ports(const Declaration& declaration) {
    std::string ports;
    for (const ir::poll::Port& port : declaration.ports) {
      const std::string_view tag = port_tag(port.direction);
      ports += indent(3) + '<' + std::string(tag) + " name=\"" + text::escaped_value(port.name) + '"';
      if (port.has_type) ports += " type=\"" + text::escaped_value(type_of(port.type)) + '"';
      if (port.otherwise) ports += " default=\"" + text::escaped_value(*port.otherwise) + '"';
      ports += port.doc.empty() ? "/>\n" : '>' + text::escaped_value(port.doc) + "</" + std::string(tag) + ">\n";
    }
    return ports;
  }

  static std::string used_ports(const Model& model) {
    std::string ports;
    for (const std::string& port : model.ports)
      ports += indent(3) + "<inout_port name=\"" + text::escaped_value(port) + "\"/>\n";
    return ports;
  }

  const Tree tree_;
  const bool is_polled_;
  const Declared& declared_;
  Elements& elements_;
  codegen::LiveSections& sections_;
  const replay::NodePaths paths_;
  std::vector<std::vector<std::uint32_t>> children_;  // by node
  std::vector<std::uint32_t> uids_;                   // the same
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> subtrees_;
  std::uint32_t node_count_ = 0;
  std::map<std::string, Model> models_;
};

}  // namespace

codegen::LiveSections live_sections(const Asset& asset, const ir::Project& trees, const text::Sources& sources,
                                    text::Findings& findings) {
  codegen::LiveSections sections;
  Elements elements(sources);
  const Declared known = declared_in(trees);
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    if (TreeWriter({&asset, i}, known, elements, sections).write()) continue;
    findings.add(rules::AST_too_large, trees.trees[i].span,
                 "tree '" + trees.trees[i].name + "' has more nodes than clients can be shown: 65,535",
                 "compile it without --with-xml");
    break;
  }
  return sections;
}

}  // namespace espalier::compiled

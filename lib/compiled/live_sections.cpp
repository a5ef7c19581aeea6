// The XML of trees for clients. See live_sections.h.
#include "compiled/live_sections.h"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/dump/listing.h"
#include "compiled/element_places.h"
#include "ir/poll/expand.h"
#include "replay/names.h"
#include "replay/node_paths.h"
#include "rules/assets.h"
#include "runtime/format/opcodes/poll.h"
#include "text/attribute_text.h"

namespace espalier::compiled {
namespace {

using ir::poll::Declaration;
using ir::poll::NodeKind;
using replay::PlacedNode;

constexpr std::uint32_t kMostNodes = 0xFFFF;
constexpr std::uint32_t kNone = PlacedNode::kRoot;

// The nodes with one ID.
struct Model {
  std::string id;
  NodeKind kind = NodeKind::action;
  std::size_t least_children = SIZE_MAX;
  std::size_t most_children = 0;
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

// Is there a node of the library with this ID, that cannot be so?
bool is_other(const Model& model, const Declaration& library) {
  const bool has_ports = std::all_of(model.ports.begin(), model.ports.end(),
                                     [&](const std::string& port) { return library.find_port(port) != nullptr; });
  return !has_ports || library.kind != model.kind || model.least_children < library.least ||
         model.most_children > library.most;
}

// The name of the dialect, as the first part of IDs.
std::string prefix_of(const Tree& tree) {
  constexpr std::string_view kNames[] = {
#define DIALECT(name) #name "_",
#include "runtime/format/dialects.def"
  };
  return std::string(kNames[tree_record(tree).dialect]);
}

// Is the attribute a script that belongs to a node, which the library keeps?
bool is_kept_metadata(std::string_view name) { return ir::poll::hook_of(name) || name == "_autoremap"; }

std::string indent(std::uint32_t depth) { return std::string(std::size_t{4} * depth, ' '); }

class TreeWriter {
 public:
  TreeWriter(const Tree& tree, const Declared& declared, ElementPlaces& elements, codegen::LiveSections& sections)
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
    for (std::uint32_t i = 0; i < paths_.nodes().size(); ++i) {
      if (uids_[i] != 0 && !is_subtree(i)) add_to_model(i);
    }
    for (auto& [tag, model] : models_) name_model(tag, model);
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
    const WrittenElement* const written = written_of(at);
    add_live_node(at);
    const std::string element = is_subtree(at) ? "SubTree" : open_node(models_[tag_of(at)], depth);
    if (is_subtree(at)) {
      sections_.xml += indent(depth) + "<SubTree";
      put("ID", id_of(at));
      put("_fullpath", path_of(at));
    } else {
      put("name", name_of(at));
    }
    put("_uid", std::to_string(uids_[at]));
    if (written != nullptr) write_attributes(*written);
    const Declaration* const declaration = is_polled_ && !is_subtree(at) ? declaration_of(id_of(at)) : nullptr;
    if (declaration != nullptr) write_defaults(written, *declaration);
    if (is_subtree(at) || children_[at].empty()) {
      sections_.xml += "/>\n";
      return;
    }
    sections_.xml += ">\n";
    for (const std::uint32_t child : children_[at]) write_node(child, depth + 1);
    sections_.xml += indent(depth) + "</" + element + ">\n";
  }

  // An ID that is also the name of a kind is written as an attribute. Returns the name of the element.
  std::string open_node(const Model& model, std::uint32_t depth) {
    const bool is_kind = ir::poll::kind_of_tag(model.id).has_value();
    const std::string element = is_kind ? std::string(ir::poll::tag_of(model.kind)) : model.id;
    sections_.xml += indent(depth) + '<' + element;
    if (is_kind) put("ID", model.id);
    return element;
  }

  // Its own, or what it is about.
  std::string name_of(std::uint32_t at) {
    if (!node(at).name.empty()) return std::string(node(at).name);
    const WrittenElement* const written = written_of(at);
    if (written != nullptr && !is_polled_) {
      for (const auto& [name, value] : written->attributes) {
        if (name == "name" && !value.empty()) return value;
      }
    }
    return node(at).id.empty() ? tag_of(at) : id_of(at);
  }

  static bool is_port(std::string_view attribute) {
    return attribute != "name" && attribute != "ID" && !attribute.starts_with('_');
  }

  void write_attributes(const WrittenElement& written) {
    for (const auto& [name, value] : written.attributes) {
      const bool is_metadata = name.starts_with('_') && (!is_polled_ || is_kept_metadata(name));
      if (is_port(name) || is_metadata) put(name, value);
    }
  }

  // The library adds these to a node.
  void write_defaults(const WrittenElement* written, const Declaration& declaration) {
    for (const ir::poll::Port& port : declaration.ports) {
      const bool is_written =
          written != nullptr && std::any_of(written->attributes.begin(), written->attributes.end(),
                                            [&](const auto& each) { return each.first == port.name; });
      if (port.otherwise && !is_written) put(port.name, *port.otherwise);
    }
  }

  codegen::NodeView view_of(std::uint32_t at) const { return codegen::node_at(*tree_.asset, node(at).word); }
  const WrittenElement* written_of(std::uint32_t at) {
    return elements_.find(codegen::node_debug(*tree_.asset, node(at).word));
  }

  void add_live_node(std::uint32_t at) {
    layout::LiveNode& live = sections_.nodes.emplace_back();
    live.place = node(at).word;
    if (replay::engine_of_tree(tree_) == EngineId::select)
      live.place = codegen::is_leaf(view_of(at)) ? node(at).number : layout::kNone;
    live.uid = static_cast<std::uint16_t>(uids_[at]);
    live.parent = node(at).parent == kNone ? std::uint16_t{0} : static_cast<std::uint16_t>(uids_[node(at).parent]);
  }

  // Of a tree that polls the ID, of others the element.
  std::string tag_of(std::uint32_t at) {
    if (is_polled_) return id_of(at);
    const WrittenElement* const written = written_of(at);
    return written != nullptr ? written->name : std::string(node(at).kind);
  }

  const Declaration* declaration_of(const std::string& id) const {
    const auto found = declared_.find(id);
    return found != declared_.end() ? found->second : ir::poll::find_library_node(id);
  }

  // ---- Models

  void add_to_model(std::uint32_t at) {
    Model& model = models_[tag_of(at)];
    model.least_children = std::min(model.least_children, children_[at].size());
    model.most_children = std::max(model.most_children, children_[at].size());
    if (is_polled_) model.declaration = declaration_of(id_of(at));
    const codegen::NodeView view = view_of(at);
    const bool asks = view.opcode == opcode::poll_condition ||
                      (!is_polled_ && codegen::operand(view, OperandKind::host_condition) != nullptr);
    if (asks) model.kind = NodeKind::condition;
    if (view.opcode == opcode::poll_gate) model.kind = NodeKind::decorator;
    if (const WrittenElement* const written = written_of(at)) {
      for (const auto& [name, value] : written->attributes) {
        if (is_port(name)) model.ports.insert(name);
      }
    }
  }

  void name_model(const std::string& tag, Model& model) {
    model.id = tag;
    if (model.declaration != nullptr && model.declaration->is_declared()) {
      model.kind = model.declaration->kind;
    } else if (model.most_children > 0) {
      const bool has_one = model.least_children == 1 && model.most_children == 1;
      model.kind = has_one ? NodeKind::decorator : NodeKind::control;
    }
    const Declaration* const library = is_polled_ ? nullptr : ir::poll::find_library_node(tag);
    if (library != nullptr && is_other(model, *library)) model.id = prefix_of(tree_) + tag;
  }

  void write_models() {
    sections_.xml += indent(1) + "<TreeNodesModel>\n";
    for (const auto& [element, model] : models_) {
      const std::string tag(ir::poll::tag_of(model.kind));
      sections_.xml += indent(2) + '<' + tag;
      put("ID", model.id);
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
  ElementPlaces& elements_;
  codegen::LiveSections& sections_;
  const replay::NodePaths paths_;
  std::vector<std::vector<std::uint32_t>> children_;  // by node
  std::vector<std::uint32_t> uids_;                   // the same
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> subtrees_;
  std::uint32_t node_count_ = 0;
  std::map<std::string, Model> models_;  // by tag_of()
};

}  // namespace

codegen::LiveSections live_sections(const Asset& asset, const ir::Project& trees, const text::Sources& sources,
                                    text::Findings& findings) {
  codegen::LiveSections sections;
  ElementPlaces elements(sources);
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

// Declarations of nodes as text of espalier.json. See node_declarations.h.
#include "project/node_declarations.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/models.h"
#include "dialects/dialect.h"
#include "dialects/reading/reporter.h"
#include "project/collect.h"
#include "project/json_members.h"
#include "project/read_files.h"
#include "text/finding.h"
#include "text/json.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

namespace btcpp = dialects::btcpp;
using text::json_string;
using text::JsonKind;
using text::JsonValue;

constexpr std::string_view kDirectionNames[] = {"input", "output", "inout"};  // by Direction
constexpr std::string_view kKeptKeys[] = {"as", "result", "uses", "doc"};
constexpr std::string_view kForConsoles = "ManualSelector";  // a node of the library that is not for files

void add_lines(const text::Source& source, const text::Findings& findings, std::vector<std::string>& errors) {
  for (const text::Finding& finding : findings.all()) {
    const text::Position at = source.position(finding.span.begin);
    errors.push_back(source.path() + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": " +
                     finding.message);
  }
}

std::string without_outer_blanks(const std::string& text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// `old`: what was written of the port before; null: nothing.
std::string text_of(const btcpp::Port& port, const JsonValue* old) {
  std::string text = "{\"direction\": " + json_string(kDirectionNames[static_cast<std::size_t>(port.direction)]);
  if (port.type.kind != btcpp::TypeKind::untyped) text += ", \"type\": " + json_string(btcpp::shown(port.type));
  const JsonValue* const optional = old == nullptr ? nullptr : old->find("optional");
  if (optional != nullptr && optional->boolean) text += ", \"optional\": true";
  if (port.otherwise) text += ", \"default\": " + json_string(*port.otherwise);
  if (const std::string doc = without_outer_blanks(port.doc); !doc.empty()) text += ", \"doc\": " + json_string(doc);
  return text + '}';
}

// `kept`: further members, as they are written. `old`: the node as it was; null: it is new.
std::string text_of(const btcpp::Declaration& node, const std::vector<std::string>& kept, const JsonValue* old) {
  std::string text = "{";
  const auto add = [&](const std::string& member) { text += (text.size() == 1 ? "" : ", ") + member; };
  if (node.gives_kind) add("\"kind\": " + json_string(ir::poll::tag_of(node.kind)));
  for (const std::string& member : kept) add(member);
  if (node.ports.empty()) return text + '}';
  const JsonValue* const old_ports = old == nullptr ? nullptr : old->find("ports");
  add("\"ports\": {");
  for (std::size_t i = 0; i < node.ports.size(); ++i) {
    text += (i == 0 ? "\n        " : ",\n        ") + json_string(node.ports[i].name) + ": " +
            text_of(node.ports[i], old_ports == nullptr ? nullptr : old_ports->find(node.ports[i].name));
  }
  return text + "\n      }}";
}

// Writes into the text of an espalier.json.
class Writer {
 public:
  explicit Writer(const std::string& configuration) : text_(configuration) {}

  // Null: not an object.
  std::optional<std::string> write(const std::vector<btcpp::Declaration>& nodes, std::string& error) {
    text::JsonFault fault;
    const std::optional<JsonValue> root = text::parse_json(text_, 0, fault);
    if (!root) return fail(fault.message, error);
    if (root->kind != JsonKind::object) return fail("it is not an object", error);
    const JsonValue* const options = root->find("btcpp");
    if (options == nullptr)
      return with_member(text_, *root, "  ", "\"btcpp\": {\n    \"nodes\": " + merged({}, nodes) + "\n  }");
    if (options->kind != JsonKind::object) return fail("'btcpp' is not an object", error);
    const JsonValue* const old = options->find("nodes");
    if (old == nullptr) return with_member(text_, *options, "    ", "\"nodes\": " + merged({}, nodes));
    if (old->kind != JsonKind::object) return fail("'nodes' is not an object", error);
    return text_.substr(0, old->span.begin) + merged(*old, nodes) + text_.substr(old->span.end);
  }

 private:
  static std::nullopt_t fail(const std::string& reason, std::string& error) {
    error = reason;
    return std::nullopt;
  }

  [[nodiscard]] std::string written(const JsonValue& value) const {
    const std::string text = text_.substr(value.span.begin, value.span.end - value.span.begin);
    return value.kind == JsonKind::string ? '"' + text + '"' : text;
  }

  // All nodes of an object, those that it had first.
  [[nodiscard]] std::string merged(const JsonValue& old, const std::vector<btcpp::Declaration>& nodes) const {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < old.keys.size(); ++i) {
      const std::string& name = old.keys[i].name;
      const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const auto& each) { return each.name == name; });
      members.push_back(
          json_string(name) + ": " +
          (node == nodes.end() ? written(old.values[i]) : text_of(*node, kept_of(old.values[i]), &old.values[i])));
    }
    for (const btcpp::Declaration& node : nodes) {
      if (old.find(node.name) == nullptr) members.push_back(json_string(node.name) + ": " + text_of(node, {}, nullptr));
    }
    std::string text = "{";
    for (std::size_t i = 0; i < members.size(); ++i) text += (i == 0 ? "\n      " : ",\n      ") + members[i];
    return text + "\n    }";
  }

  [[nodiscard]] std::vector<std::string> kept_of(const JsonValue& node) const {
    std::vector<std::string> kept;
    for (const std::string_view key : kKeptKeys) {
      if (const JsonValue* const value = node.find(key)) kept.push_back(json_string(key) + ": " + written(*value));
    }
    return kept;
  }

  const std::string& text_;
};

}  // namespace

std::optional<NodeDeclarations> read_node_declarations(const std::string& path, std::vector<std::string>& errors) {
  const Collection collection = collect({path}, {}, {}, errors);
  if (collection.files.size() != 1) return std::nullopt;
  ParsedFiles kept_by_nobody(0);
  const ReadFile file = read_files(collection.files, {}, false, 0, kept_by_nobody, nullptr).front();
  if (!file.error.empty()) errors.push_back(file.error);
  if (file.parsed == nullptr) return std::nullopt;
  const text::Source& source = *file.parsed->source;
  if (!file.parsed->has_document || file.parsed->is_damaged) {
    add_lines(source, file.parsed->findings, errors);
    return std::nullopt;
  }
  const text::XmlDocument document(file.parsed, 0);
  btcpp::Declarations nodes;
  text::Findings findings;
  dialects::Reporter reporter(findings, btcpp::table());
  btcpp::add_models(btcpp::read_models(document.root(), &reporter), nodes);
  add_lines(source, findings, errors);
  NodeDeclarations result;
  for (const std::string_view name : nodes.names()) {
    const btcpp::Declaration& node = *nodes.find(name);
    if (node.is_of_host() && name != kForConsoles) result.nodes.push_back(node);
  }
  std::sort(result.nodes.begin(), result.nodes.end(),
            [](const btcpp::Declaration& a, const btcpp::Declaration& b) { return a.name < b.name; });
  result.has_trees = !nodes.subtrees.empty();
  if (result.nodes.empty()) {
    errors.push_back(source.path() + ": no node of a robot is declared in a TreeNodesModel");
    return std::nullopt;
  }
  return result;
}

std::optional<std::string> with_node_declarations(const std::string& configuration,
                                                  const std::vector<btcpp::Declaration>& nodes, std::string& error) {
  return Writer(configuration).write(nodes, error);
}

}  // namespace espalier::project

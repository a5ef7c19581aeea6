// Host files that are made from C++ sources. See source_declarations.h.
#include "project/source_declarations.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cpp/nodes.h"
#include "ir/poll/declarations.h"
#include "ir/poll/types.h"
#include "ir/poll/written.h"
#include "project/collect.h"
#include "project/json_members.h"
#include "system/filesystem.h"
#include "text/decode.h"
#include "text/json.h"
#include "text/names.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
namespace poll = ir::poll;
using text::json_string;
using text::JsonKind;
using text::JsonValue;

constexpr std::string_view kSourceSuffixes[] = {".cc",  ".cpp", ".cxx", ".c++", ".h",  ".hh",
                                                ".hpp", ".hxx", ".inl", ".ipp", ".tpp"};
constexpr std::string_view kMadeFrom = "madeFrom";

std::string relative_to(const std::string& folder, const std::string& path) {
  std::error_code error;
  const fs::path base = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const std::string relative = fs::weakly_canonical(path, error).lexically_relative(base).generic_string();
  return relative.empty() ? path : relative;
}

// ---- Writing

class HostFileWriter {
 public:
  HostFileWriter(const text::Sources& sources, std::vector<std::string> paths)
      : sources_(sources), paths_(std::move(paths)) {}

  std::string write(const std::vector<std::string>& made_from, const cpp::Nodes& nodes) const {
    std::string text = "{\n  \"" + std::string(kMadeFrom) + "\": [";
    for (std::size_t i = 0; i < made_from.size(); ++i) text += (i == 0 ? "" : ", ") + json_string(made_from[i]);
    text += "],\n  \"btcpp\": {\n";
    if (nodes.has_other_ids) text += "    \"open\": true,\n";
    text += "    \"nodes\": {";
    bool is_first = true;
    for (const cpp::Node& node : nodes.all) {
      if (!is_declarable(node)) continue;
      text += (is_first ? "\n      " : ",\n      ") + json_string(node.id) + ": " + text_of(node);
      is_first = false;
    }
    return text + (is_first ? "}\n  }\n}\n" : "\n    }\n  }\n}\n");
  }

  // The library's own nodes are known, and Nav2's. Older versions of the library had fewer, so that another node may
  // have the name of one.
  static bool is_declarable(const cpp::Node& node) {
    if (poll::kind_of_tag(node.id)) return false;
    const poll::Declaration* const known = poll::find_library_node(node.id);
    if (known == nullptr) return true;
    const bool is_own = !node.class_name.empty() && !node.class_name.starts_with("BT::") &&
                        !node.class_name.starts_with("nav2_behavior_tree::");
    return is_own && std::any_of(node.ports.begin(), node.ports.end(),
                                 [&](const cpp::Port& port) { return known->find_port(port.name) == nullptr; });
  }

 private:
  std::string place_of(text::Span span) const {
    return paths_[span.file] + ':' + std::to_string(sources_[span.file].position(span.begin).line);
  }

  std::string text_of(const cpp::Node& node) const {
    constexpr std::string_view kKinds[] = {"", "Action", "Action", "Condition", "Control", "Decorator"};  // by Kind
    std::string members;
    const auto add = [&](std::string_view key, const std::string& value) {
      members += (members.empty() ? "\"" : ", \"") + std::string(key) + "\": " + value;
    };
    const std::string_view kind = kKinds[static_cast<std::size_t>(node.kind)];
    if (!kind.empty()) add("kind", json_string(kind));
    if (node.kind == cpp::Kind::sync_action) add("as", "\"sync\"");
    if (!node.class_name.empty()) add("class", json_string(node.class_name));
    add("at", json_string(place_of(node.defined.value_or(node.registered))));
    std::vector<const cpp::Port*> ports;
    for (const cpp::Port& port : node.ports) {
      if (is_name_of_port(port.name)) ports.push_back(&port);
    }
    if (node.is_open || ports.size() < node.ports.size()) add("open", "true");
    if (ports.empty()) return '{' + members + '}';
    std::string text = '{' + members + ", \"ports\": {";
    for (std::size_t i = 0; i < ports.size(); ++i) {
      text += (i == 0 ? "\n        " : ",\n        ") + json_string(ports[i]->name) + ": " + text_of(*ports[i]);
    }
    return text + "\n      }}";
  }

  static bool is_name_of_port(const std::string& name) {
    return poll::is_port_name(name) && name != "name" && name != "ID";
  }

  std::string text_of(const cpp::Port& port) const {
    constexpr std::string_view kDirections[] = {"input", "output", "inout"};  // by Direction
    std::string text = "{\"direction\": " + json_string(kDirections[static_cast<std::size_t>(port.direction)]);
    if (!port.type.empty()) text += ", \"type\": " + json_string(port.type);
    if (port.has_default)
      text += is_default(port) ? ", \"default\": " + json_string(*port.otherwise) : ", \"optional\": true";
    if (!port.doc.empty()) text += ", \"doc\": " + json_string(port.doc);
    if (port.span) text += ", \"at\": " + json_string(place_of(*port.span));
    return text + '}';
  }

  // Can the default be written as one? The library converts values of C++, which texts of attributes cannot say.
  static bool is_default(const cpp::Port& port) {
    if (!port.otherwise) return false;
    if (poll::read_port_value(*port.otherwise, port.name).is_pointer) return true;
    return port.direction != cpp::Direction::output &&
           poll::check_literal(poll::read_type(port.type), *port.otherwise) == poll::LiteralFault::none;
  }

  const text::Sources& sources_;
  const std::vector<std::string> paths_;  // of the sources, relative to the folder of the host file
};

// ---- Comparing

// The nodes of a host file by their names, as they are written; null: it has none.
std::map<std::string, std::pair<std::string, std::string>> nodes_of(std::string_view host_file) {
  std::map<std::string, std::pair<std::string, std::string>> result;
  text::JsonFault fault;
  const std::optional<JsonValue> root = text::parse_json(host_file, 0, fault);
  const JsonValue* const options = root ? root->find("btcpp") : nullptr;
  const JsonValue* const nodes = options == nullptr ? nullptr : options->find("nodes");
  if (nodes == nullptr) return result;
  for (std::size_t i = 0; i < nodes->keys.size(); ++i) {
    const JsonValue& node = nodes->values[i];
    std::string about;
    if (const JsonValue* const name = node.find("class")) about = "class " + name->string;
    if (const JsonValue* const place = node.find("at")) about += (about.empty() ? "" : ", ") + place->string;
    result[nodes->keys[i].name] = {std::string(host_file.substr(node.span.begin, node.span.end - node.span.begin)),
                                   about};
  }
  return result;
}

}  // namespace

bool may_be_sources(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return true;
  const std::string name = text::lower_case(fs::path(path).filename().generic_string());
  return std::any_of(std::begin(kSourceSuffixes), std::end(kSourceSuffixes),
                     [&](std::string_view suffix) { return name.ends_with(suffix); });
}

std::optional<SourceDeclarations> declarations_of_sources(const std::vector<std::string>& paths,
                                                          const std::string& folder, std::vector<std::string>& errors) {
  const Files disk;
  CollectOptions how;
  how.suffixes = kSourceSuffixes;
  const std::size_t faults = errors.size();
  const Collection collection = collect(paths, {}, how, errors);
  if (errors.size() > faults) return std::nullopt;
  text::Sources sources;
  std::vector<text::FileId> files;
  std::vector<std::string> places;
  for (const InputFile& file : collection.files) {
    std::string bytes;
    std::string error;
    if (!disk.read(file.open_path, text::kMaxFileBytes, bytes, error)) {
      errors.push_back("'" + file.shown + "' cannot be read: " + error);
      continue;
    }
    files.push_back(sources.add(file.shown, text::decode(bytes).text));
    places.push_back(relative_to(folder, file.open_path));
  }
  if (files.empty()) {
    errors.push_back("no C++ files in " + text::quote(paths.empty() ? "." : paths.front()));
    return std::nullopt;
  }
  const cpp::Nodes nodes = cpp::find_nodes(sources, files);
  std::vector<std::string> made_from;
  for (const std::string& path : paths) made_from.push_back(relative_to(folder, path));
  std::sort(made_from.begin(), made_from.end());
  made_from.erase(std::unique(made_from.begin(), made_from.end()), made_from.end());
  SourceDeclarations result{HostFileWriter(sources, places).write(made_from, nodes)};
  result.file_count = files.size();
  result.ticks_exactly_once = nodes.ticks_exactly_once;
  for (const cpp::Node& node : nodes.all) {
    if (!HostFileWriter::is_declarable(node)) continue;
    ++result.node_count;
    result.open_count += node.is_open ? 1 : 0;
  }
  for (const cpp::Unread& each : nodes.unread) {
    const text::Position at = sources[each.span.file].position(each.span.begin);
    result.unread.push_back(sources[each.span.file].path() + ':' + std::to_string(at.line) + ':' +
                            std::to_string(at.column) + ": " + each.message);
  }
  return result;
}

std::vector<std::string> sources_of(std::string_view host_file, const std::string& folder) {
  text::JsonFault fault;
  const std::optional<JsonValue> root = text::parse_json(host_file, 0, fault);
  const JsonValue* const made_from = root ? root->find(kMadeFrom) : nullptr;
  std::vector<std::string> paths;
  if (made_from == nullptr || made_from->kind != JsonKind::list) return paths;
  for (const JsonValue& path : made_from->values) {
    if (path.kind == JsonKind::string)
      paths.push_back((fs::path(folder) / path.string).lexically_normal().generic_string());
  }
  return paths;
}

std::vector<std::string> differences(std::string_view host_file, std::string_view of_sources) {
  const auto before = nodes_of(host_file);
  const auto now = nodes_of(of_sources);
  std::vector<std::string> lines;
  for (const auto& [name, node] : now) {
    const auto known = before.find(name);
    if (known == before.end()) {
      lines.push_back("the node " + text::quote(name) + " is missing (" + node.second + ")");
    } else if (known->second.first != node.first) {
      lines.push_back("the node " + text::quote(name) + " is declared otherwise (" + node.second + ")");
    }
  }
  for (const auto& [name, node] : before) {
    if (now.count(name) == 0)
      lines.push_back("nothing registers the node " + text::quote(name) + " any more (" + node.second + ")");
  }
  if (lines.empty() && host_file != of_sources)
    lines.emplace_back("its text is different, though its nodes are the same");
  return lines;
}

std::optional<std::string> with_host_file(const std::string& configuration, const std::string& host_file,
                                          std::string& error) {
  text::JsonFault fault;
  const std::optional<JsonValue> root = text::parse_json(configuration, 0, fault);
  if (!root || root->kind != JsonKind::object) {
    error = root ? "it is not an object" : fault.message;
    return std::nullopt;
  }
  const JsonValue* const files = root->find("hostFiles");
  if (files == nullptr)
    return with_member(configuration, *root, "  ", "\"hostFiles\": [" + json_string(host_file) + ']');
  if (files->kind != JsonKind::list) {
    error = "'hostFiles' is not a list";
    return std::nullopt;
  }
  for (const JsonValue& each : files->values) {
    if (each.kind == JsonKind::string && each.string == host_file) return configuration;
  }
  const std::size_t end = files->span.end - 1;
  const std::size_t last = configuration.find_last_not_of(" \t\r\n", end - 1) + 1;
  return configuration.substr(0, last) + (files->values.empty() ? "" : ", ") + json_string(host_file) +
         configuration.substr(end);
}

}  // namespace espalier::project

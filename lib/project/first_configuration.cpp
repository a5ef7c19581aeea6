// A first espalier.json. See first_configuration.h.
#include "project/first_configuration.h"

#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/dialect.h"
#include "dialects/modular/options.h"
#include "dialects/modular/used_nodes.h"
#include "dialects/reading/reporter.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/engine_hosts.h"
#include "project/node_declarations.h"
#include "project/read_files.h"
#include "system/filesystem.h"
#include "text/json.h"

namespace espalier::project {
namespace {

namespace btcpp = dialects::btcpp;
namespace fs = system::filesystem;

constexpr std::string_view kLumberyardOptions = R"({"engine": "lumberyard-1", "rootDone": "reboot", "signalOnly": []})";

// What trees of BehaviorTree.CPP use.
class UsedNodes {
 public:
  void add(const text::Element& root) {
    nav2_.look(root, of_nav2_);
    btcpp::add_models(btcpp::read_models(root), nodes_);
    btcpp::find_undeclared(root, nodes_, undeclared_);
    for (text::Element tree = root.first_child(); tree; tree = tree.next_sibling()) {
      if (tree.name() == btcpp::kTreeElement) trees_.emplace(tree.attribute("ID").value());
    }
  }

  [[nodiscard]] bool are_of_nav2() const { return btcpp::Framework::is_used(of_nav2_); }

  // With Nav2's nodes, all others have to be declared: those that nobody declares. One with a port that Nav2's node of
  // its name does not have is another node.
  [[nodiscard]] std::vector<btcpp::Declaration> to_declare() const {
    std::vector<btcpp::Declaration> nodes;
    if (!are_of_nav2() || nodes_.has_declared()) return nodes;
    for (const auto& [key, node] : undeclared_) {
      const btcpp::Declaration* const known = nav2_.find(node.name);
      const bool is_own = known == nullptr || std::any_of(node.ports.begin(), node.ports.end(), [&](const auto& port) {
                            return known->find_port(port.name) == nullptr;
                          });
      if (!is_own || trees_.count(node.name) != 0) continue;
      nodes.push_back(node);
      // Whether a leaf can run, as actions can, its uses do not tell.
      nodes.back().gives_kind = node.kind != ir::poll::NodeKind::action;
    }
    return nodes;
  }

 private:
  btcpp::Framework nav2_{nav2().nodes};
  std::set<std::string_view> of_nav2_;
  btcpp::Declarations nodes_;
  std::set<std::string, std::less<>> trees_;
  std::map<std::string, btcpp::Declaration, std::less<>> undeclared_;
};

// What modular trees use.
class UsedHosts {
 public:
  UsedHosts() { add_engine_knowledge(engine_); }

  void add(const text::Element& root) {
    dialects::modular::find_host_nodes(root, engine_.of<dialects::ModularOptions>().engine_hosts, used_);
  }

  // The nodes are the engines' own if there are no others, or several of them. One name alone may be the game's.
  [[nodiscard]] bool are_of_engine() const {
    return used_.of_engines.size() > 1 || (!used_.of_engines.empty() && used_.own.empty());
  }
  [[nodiscard]] bool are_of_lumberyard() const {
    return !dialects::contains(used_.engines, dialects::GameEngine::cryengine_5_6) &&
           dialects::contains(used_.engines, dialects::GameEngine::lumberyard_1);
  }

  // With the engine's nodes, all others have to be declared. Empty: there are none.
  [[nodiscard]] std::string declared() const {
    std::string text;
    for (const auto& [name, node] : used_.own) {
      text += (text.empty() ? "\n    " : ",\n    ") + text::json_string(name) + ": {" + attributes_of(node);
      if (node.child_count > 0) {
        text += std::string(node.attributes.empty() ? "" : ", ") +
                "\"children\": " + (node.child_count == 1 ? "\"one\"" : "\"many\"");
      }
      text += '}';
    }
    return text;
  }

 private:
  static std::string attributes_of(const dialects::modular::OwnNode& node) {
    constexpr std::string_view kTypes[] = {
        R"("type": "int")", R"("type": "float")", R"("type": "bool", "enum": ["true", "false"])", {}};  // by ValueLook
    std::string text;
    for (const auto& [name, look] : node.attributes) {
      text += (text.empty() ? "\"attributes\": {" : ", ") + text::json_string(name) + ": {" +
              std::string(kTypes[static_cast<std::size_t>(look)]) + '}';
    }
    return text.empty() ? text : text + '}';
  }

  dialects::Options engine_;
  dialects::modular::UsedNodes used_;
};

// The members "hostFiles" and "hosts", where there are any.
std::string host_members(const UsedNodes& nodes, const UsedHosts& hosts) {
  std::string files;
  const auto add = [&](std::string_view name) { files += (files.empty() ? "" : ", ") + text::json_string(name); };
  if (nodes.are_of_nav2()) add(kNav2Hosts);
  if (hosts.are_of_engine()) add(hosts.are_of_lumberyard() ? kLumberyardHosts : kCryengineHosts);
  std::string members = files.empty() ? files : ",\n  \"hostFiles\": [" + files + ']';
  const std::string declared = hosts.are_of_engine() ? hosts.declared() : std::string();
  if (!declared.empty()) members += ",\n  \"hosts\": {" + declared + "\n  }";
  return members;
}

// Its faults are what lint says.
Configuration configuration_at(const std::string& path) {
  Configuration configuration;
  text::Sources sources;
  text::Findings findings;
  std::string error;
  const bool is_read = !path.empty() && read_configuration(path, {}, sources, configuration, findings, error);
  return is_read ? std::move(configuration) : Configuration();
}

CollectOptions collecting_by(const Configuration& configuration) {
  CollectOptions options;
  if (configuration.path.empty()) return options;
  std::error_code error;
  options.folder = fs::weakly_canonical(configuration.path, error).parent_path().generic_string();
  options.include = &configuration.include;
  options.exclude = &configuration.exclude;
  return options;
}

}  // namespace

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

FirstConfiguration first_configuration(const std::string& folder, const std::string& configuration,
                                       std::vector<std::string>& errors) {
  std::vector<std::string> faults;
  const Configuration known = configuration_at(configuration);
  const Collection collection = collect({folder}, {}, collecting_by(known), faults);
  if (!collection.has_empty_folder) errors.insert(errors.end(), faults.begin(), faults.end());
  ParsedFiles kept_by_nobody(0);
  std::map<std::string_view, std::size_t> counts;
  std::size_t other_count = 0;
  UsedNodes nodes;
  UsedHosts hosts;
  for (const ReadFile& file : read_files(collection.files, {}, false, 0, kept_by_nobody, nullptr)) {
    if (!file.error.empty()) errors.push_back(file.error);
    other_count += file.passed_over.empty() ? 0 : 1;
    if (file.parsed == nullptr || !file.parsed->has_document) continue;
    const text::XmlDocument document(file.parsed, 0);
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (!dialect.owns(document.root_name())) continue;
      ++counts[dialect.name];
      if (dialect.name == "btcpp") nodes.add(document.root());
      if (dialect.name == "modular") hosts.add(document.root());
    }
  }
  FirstConfiguration result;
  result.text = "{\n  \"paths\": [\".\"],\n  \"exclude\": [],\n  \"rules\": {}";
  result.text += host_members(nodes, hosts);
  for (const dialects::Dialect& dialect : dialects::all()) {
    const auto count = counts.find(dialect.name);
    if (count == counts.end()) continue;
    result.found.push_back(counted(count->second, "file") + " of " + std::string(dialect.name) + " trees");
    if (dialect.configuration.first.empty()) continue;
    const bool is_lumberyard = dialect.name == "modular" && hosts.are_of_engine() && hosts.are_of_lumberyard();
    result.text += ",\n  \"" + std::string(dialect.name) +
                   "\": " + std::string(is_lumberyard ? kLumberyardOptions : dialect.configuration.first);
  }
  result.text += "\n}\n";
  result.nodes = nodes.to_declare();
  if (other_count > 0 && !result.found.empty())
    result.found.back() += " (" + counted(other_count, "other file") + " skipped)";
  return result;
}

}  // namespace espalier::project

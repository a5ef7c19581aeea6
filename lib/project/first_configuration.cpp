// A first espalier.json. See first_configuration.h.
#include "project/first_configuration.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/models.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/dialect.h"
#include "dialects/reading/reporter.h"
#include "project/collect.h"
#include "project/engine_hosts.h"
#include "project/node_declarations.h"
#include "project/read_files.h"

namespace espalier::project {
namespace {

namespace btcpp = dialects::btcpp;

// A dialect's options with their defaults.
constexpr struct {
  std::string_view dialect;
  std::string_view options;
} kOptions[] = {
    {"selection", R"({"signalOnly": []})"},
    {"modular", R"({"rootDone": "reboot", "signalOnly": []})"},
    {"dragengine", R"({"runAwayLimit": 100})"},
    {"btcpp", "{\n    \"tick\": \"once\",\n    \"nodes\": {}\n  }"},
};

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

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

  // With Nav2's nodes, all others have to be declared: those that nobody declares are.
  [[nodiscard]] std::string declared_in(const std::string& configuration) {
    if (!are_of_nav2() || nodes_.has_declared()) return configuration;
    std::vector<btcpp::Declaration> nodes;
    for (auto& found : undeclared_) {
      btcpp::Declaration& node = found.second;
      if (!nav2_.has(node.name) && trees_.count(node.name) == 0) nodes.push_back(std::move(node));
    }
    std::string error;
    return nodes.empty() ? configuration : with_node_declarations(configuration, nodes, error).value_or(configuration);
  }

 private:
  btcpp::Framework nav2_{nav2_nodes()};
  std::set<std::string_view> of_nav2_;
  btcpp::Nodes nodes_;
  std::set<std::string, std::less<>> trees_;
  std::map<std::string, btcpp::Declaration, std::less<>> undeclared_;
};

}  // namespace

FirstConfiguration first_configuration(const std::string& folder, std::vector<std::string>& errors) {
  const Collection collection = collect({folder}, {}, {}, errors);
  ParsedFiles kept_by_nobody(0);
  std::map<std::string_view, std::size_t> counts;
  std::size_t other_count = 0;
  UsedNodes nodes;
  for (const ReadFile& file : read_files(collection.files, {}, false, 0, &kept_by_nobody)) {
    if (!file.error.empty()) errors.push_back(file.error);
    other_count += file.passed_over.empty() ? 0 : 1;
    if (file.parsed == nullptr || !file.parsed->has_document) continue;
    const text::XmlDocument document(file.parsed, 0);
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (!dialect.owns(document.root_name())) continue;
      ++counts[dialect.name];
      if (dialect.name == "btcpp") nodes.add(document.root());
    }
  }
  FirstConfiguration result;
  result.text = "{\n  \"paths\": [\".\"],\n  \"exclude\": [],\n  \"rules\": {}";
  if (nodes.are_of_nav2()) result.text += ",\n  \"hostFiles\": [\"" + std::string(kNav2Hosts) + "\"]";
  for (const dialects::Dialect& dialect : dialects::all()) {
    const auto count = counts.find(dialect.name);
    if (count == counts.end()) continue;
    result.found.push_back(counted(count->second, "file") + " of " + std::string(dialect.name) + " trees");
    for (const auto& each : kOptions) {
      if (each.dialect != dialect.name) continue;
      result.text += ",\n  \"" + std::string(dialect.name) + "\": " + std::string(each.options);
    }
  }
  result.text += "\n}\n";
  result.text = nodes.declared_in(result.text);
  if (other_count > 0 && !result.found.empty())
    result.found.back() += " (" + counted(other_count, "other file") + " skipped)";
  return result;
}

}  // namespace espalier::project

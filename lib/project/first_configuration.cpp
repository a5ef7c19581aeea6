// A first espalier.json. See first_configuration.h.
#include "project/first_configuration.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "dialects/dialect.h"
#include "project/collect.h"
#include "project/engine_hosts.h"
#include "project/read_files.h"

namespace espalier::project {
namespace {

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

// The names among these that elements have, or their IDs.
void find_nodes(const text::Element& element, const std::vector<std::string>& names, std::set<std::string>& found) {
  for (const std::string_view name : {element.name(), element.attribute("ID").value()}) {
    if (std::find(names.begin(), names.end(), name) != names.end()) found.emplace(name);
  }
  for (text::Element child = element.first_child(); child; child = child.next_sibling()) {
    find_nodes(child, names, found);  // depth is limited by the reader
  }
}

}  // namespace

FirstConfiguration first_configuration(const std::string& folder, std::vector<std::string>& errors) {
  const Collection collection = collect({folder}, {}, {}, errors);
  ParsedFiles kept_by_nobody(0);
  std::map<std::string_view, std::size_t> counts;
  std::size_t other_count = 0;
  const std::vector<std::string> names_of_nav2 = nav2_names();
  std::set<std::string> nodes_of_nav2;
  for (const ReadFile& file : read_files(collection.files, {}, false, 0, &kept_by_nobody)) {
    if (!file.error.empty()) errors.push_back(file.error);
    other_count += file.passed_over.empty() ? 0 : 1;
    if (file.parsed == nullptr || !file.parsed->has_document) continue;
    const text::XmlDocument document(file.parsed, 0);
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (!dialect.owns(document.root_name())) continue;
      ++counts[dialect.name];
      if (dialect.name == "btcpp") find_nodes(document.root(), names_of_nav2, nodes_of_nav2);
    }
  }
  FirstConfiguration result;
  result.text = "{\n  \"paths\": [\".\"],\n  \"exclude\": [],\n  \"rules\": {}";
  // Other robots have nodes such as 'Wait' too.
  if (nodes_of_nav2.size() >= 2) result.text += ",\n  \"hostFiles\": [\"" + std::string(kNav2Hosts) + "\"]";
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
  if (other_count > 0) result.found.push_back(counted(other_count, "other file") + ", skipped");
  return result;
}

}  // namespace espalier::project

// A first espalier.json. See first_configuration.h.
#include "project/first_configuration.h"

#include <filesystem>
#include <map>

#include "dialects/dialect.h"
#include "project/collect.h"
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

}  // namespace

FirstConfiguration first_configuration(const std::string& folder, std::vector<std::string>& errors) {
  const Collection collection = collect({folder}, {}, {}, errors);
  ParsedFiles kept_by_nobody(0);
  std::map<std::string_view, std::size_t> counts;
  std::size_t other_count = 0;
  for (const ReadFile& file : read_files(collection.files, {}, false, 0, &kept_by_nobody)) {
    if (!file.error.empty()) errors.push_back(file.error);
    other_count += file.passed_over.empty() ? 0 : 1;
    if (file.parsed == nullptr || !file.parsed->has_document) continue;
    const text::XmlDocument document(file.parsed, 0);
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (dialect.owns(document.root_name())) ++counts[dialect.name];
    }
  }
  FirstConfiguration result;
  result.text = "{\n  \"paths\": [\".\"],\n  \"exclude\": [],\n  \"rules\": {}";
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

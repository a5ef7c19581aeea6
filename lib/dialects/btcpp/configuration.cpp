// Reads "btcpp" of espalier.json and of host files, but for nodes (declared_nodes.h). See options.h.
#include "dialects/configuration.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "dialects/btcpp/declared_nodes.h"
#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/options.h"
#include "rules/configuration.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {
namespace {

namespace fs = system::filesystem;
using text::JsonKind;
using text::JsonValue;
using text::quote;

constexpr std::string_view kTicks[] = {"once", "exactlyOnce"};
constexpr std::string_view kCompleteModels[] = {"complete"};
constexpr auto kDeclaredReleases =
    std::span(kNav2Releases).subspan(static_cast<std::size_t>(kOldestDeclared));  // that a project can be for

bool is_script_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_part);
}

class OptionsReader {
 public:
  OptionsReader(const ConfigurationFile& file, BtcppOptions& options)
      : around_(file.around), json_(file.json), options_(options) {}

  void read(const JsonValue& value) {
    json_.read_object(
        value, "'btcpp'",
        {{"tick",
          [&](const JsonValue& word) {
            options_.ticks_exactly_once = json_.read_word(word, "'tick'", kTicks) == std::size_t{1};
          }},
         {"enums", [&](const JsonValue& enums) { read_enums(enums); }},
         {"entries", [&](const JsonValue& names) { read_entries(names); }},
         {"trees",
          [&](const JsonValue& names) {
            options_.trees = json_.read_names(names, "'trees'");
            std::sort(options_.trees.begin(), options_.trees.end());
          }},
         {"packages", [&](const JsonValue& packages) { read_packages(packages); }},
         {"version", [&](const JsonValue& text) { read_version_of(text); }},
         {"models",
          [&](const JsonValue& word) {
            options_.has_complete_models = json_.read_word(word, "'models'", kCompleteModels).has_value();
          }},
         {"nodes", [&](const JsonValue& nodes) { read_nodes(nodes, json_, options_.nodes); }},
         {"nav2",
          [&](const JsonValue& word) {
            const auto release = json_.read_word(word, "'nav2'", kDeclaredReleases);
            if (release)
              options_.nav2_release = static_cast<Nav2Release>(*release + static_cast<std::size_t>(kOldestDeclared));
          }},
         {"open",
          [&](const JsonValue& flag) {
            options_.has_other_nodes = json_.read_boolean(flag, "'open'") || options_.has_other_nodes;
          }},
         {"textBytes",
          [&](const JsonValue& number) {
            options_.text_bytes =
                json_.read_whole(number, "'textBytes'", 1, kMaxTextBytes).value_or(options_.text_bytes);
          }},
         {"namedEntries", [&](const JsonValue& number) {
            options_.named_entries =
                json_.read_whole(number, "'namedEntries'", 0, kMaxNamedEntries).value_or(options_.named_entries);
          }}});
  }

 private:
  void read_version_of(const JsonValue& value) {
    const std::string text = json_.read_string(value, "'version'");
    if (text.empty()) return;
    options_.is_fork = text == kFork;
    options_.version = read_version(text);
    if (options_.version || options_.is_fork) return;
    json_.add(rules::CFG_invalid_name, value.span, "there is no version " + quote(text) + " of the library",
              "a version is written like '3.8', '4.10' or '4.8.3', or is " + quote(kFork));
  }

  // The library keeps them as numbers of 32 bits.
  void read_enums(const JsonValue& value) {
    json_.each_key(value, "'enums'", [&](const JsonValue::Key& key, const JsonValue& member) {
      if (!is_script_name(key.name)) {
        json_.add(rules::CFG_invalid_name, key.span, quote(key.name) + " cannot be a name in scripts",
                  "names have letters, digits and '_', and do not begin with a digit");
        return;
      }
      const std::optional<double> number = json_.read_number(member, quote(key.name) + " of 'enums'");
      if (!number) return;
      const bool fits = *number == std::floor(*number) && *number >= std::numeric_limits<std::int32_t>::min() &&
                        *number <= std::numeric_limits<std::int32_t>::max();
      if (fits) {
        options_.enums[key.name] = *number;
      } else {
        json_.add(rules::CFG_invalid_number, member.span,
                  quote(key.name) + " of 'enums' is not a whole number of 32 bits");
      }
    });
  }

  void read_entries(const JsonValue& value) {
    if (!json_.expect(value, JsonKind::list, "'entries'")) return;
    options_.entries = json_.read_names(value, "'entries'");
    std::sort(options_.entries->begin(), options_.entries->end());
  }

  void read_packages(const JsonValue& value) {
    json_.each_key(value, "'packages'", [&](const JsonValue::Key& key, const JsonValue& member) {
      const std::string path = json_.read_string(member, quote(key.name) + " of 'packages'");
      if (path.empty()) return;
      std::error_code error;
      const fs::path folder = fs::absolute(fs::path(around_.folder) / path, error).lexically_normal();
      if (!around_.exists(folder.generic_string())) {
        json_.add(rules::CFG_path_not_found, member.span, "no such folder: " + quote(path),
                  "packages are relative to the folder of espalier.json");
        return;
      }
      options_.packages[key.name] = folder.generic_string();
    });
  }

  const Surroundings& around_;
  text::JsonReader& json_;
  BtcppOptions& options_;
};

void read(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  OptionsReader(file, options.edit<BtcppOptions>()).read(value);
}

void read_shared(const JsonValue& value, const ConfigurationFile& file, Options& options) {
  BtcppOptions& own = options.edit<BtcppOptions>();
  HostFacts facts = read_host_facts(value, file.json, file.is_built_in);
  own.has_other_nodes = own.has_other_nodes || facts.is_open;
  own.has_nav2 = own.has_nav2 || !facts.entries.empty();
  const auto append = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(facts.nodes, own.shared.nodes);
  append(facts.former_ports, own.shared.former_ports);
}

// The built-in nodes as the release has them. What only others have is known nevertheless, and noted; its types would
// not agree with those of this one.
void choose_release(BtcppOptions& own) {
  const Nav2Release release = own.nav2_release;
  for (Declaration& node : own.shared.nodes) {
    for (Port& port : node.ports) {
      if (node.releases.has(release) && port.releases.has(release)) continue;
      port.type = {};
      port.has_type = false;
    }
  }
  for (const FormerPort& former : own.shared.former_ports) {
    if (release > former.last) continue;
    for (Declaration& node : own.shared.nodes) {
      if (!node.is_built_in || node.name != former.node) continue;
      for (Port& port : node.ports) {
        if (port.name != former.port || !port.has_type) continue;
        port.type = former.type;
        if (former.otherwise) port.otherwise = former.otherwise;
      }
    }
  }
}

// A project's own declaration of a node counts, else that of the first host file; those of the program come last.
void complete(text::JsonReader&, Options& options) {
  BtcppOptions& own = options.edit<BtcppOptions>();
  choose_release(own);
  std::stable_partition(own.shared.nodes.begin(), own.shared.nodes.end(),
                        [](const Declaration& node) { return !node.is_built_in; });
  for (Declaration& node : own.shared.nodes) {
    const auto is_same = [&](const Declaration& other) { return other.name == node.name; };
    if (std::none_of(own.nodes.begin(), own.nodes.end(), is_same)) own.nodes.push_back(std::move(node));
  }
  own.shared = {};
  own.node_rows = hosts_of(own.nodes);
}

std::vector<DeclaredNames> declared(const Options& options) {
  const BtcppOptions& own = options.of<BtcppOptions>();
  return {{"node of the program", NameKind::host_node, own.node_rows}, {"tree", NameKind::tree, own.tree_rows}};
}

// What the library's writeTreeNodesModelXML() has written.
bool read_xml(const text::XmlDocument& document, Options& options) {
  const Element root = document.root();
  if (!root || root.name() != kRootElement || root.child_count() != 1 || root.first_child().name() != kModelElement)
    return false;
  for (Declaration& node : read_models(root).nodes) {
    node.by = DeclaredBy::program;
    options.edit<BtcppOptions>().shared.nodes.push_back(std::move(node));
  }
  return true;
}

constexpr ConfiguredKey kKeys[] = {{"btcpp", read}};
constexpr ConfiguredKey kHostKeys[] = {{"btcpp", read_shared}};

}  // namespace

DialectConfiguration configuration() {
  return {kKeys, kHostKeys, complete, declared, "{\n    \"tick\": \"once\",\n    \"nodes\": {}\n  }", read_xml};
}

}  // namespace espalier::dialects::btcpp

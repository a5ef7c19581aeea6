// What "espalier init" writes. See initialize.h.
#include "project/initialize.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "project/configuration.h"
#include "project/files.h"
#include "project/first_configuration.h"
#include "project/json_members.h"
#include "project/node_declarations.h"
#include "project/program_entries.h"
#include "project/source_declarations.h"
#include "system/filesystem.h"
#include "text/json.h"
#include "text/names.h"
#include "text/xml.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
using text::JsonKind;
using text::JsonValue;

std::string path_in(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).lexically_normal().generic_string();
}

// The file as it is; without text: there is none. Nothing: it cannot be read.
std::optional<InitialFile> file_at(const std::string& path, std::vector<std::string>& errors) {
  InitialFile file{path, {}, {}};
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) return file;
  std::string reason;
  if (!read_bytes(path, text::kMaxFileBytes, file.text, reason)) {
    errors.push_back("'" + path + "' cannot be read: " + reason);
    return std::nullopt;
  }
  file.before = file.text;
  return file;
}

class Initializer {
 public:
  Initializer(const std::string& folder, std::vector<std::string>& errors) : folder_(folder), errors_(errors) {}

  std::optional<InitialFiles> run(const std::vector<std::string>& from) {
    std::optional<InitialFile> configuration = file_at(path_in(folder_, kConfigurationName), errors_);
    if (!configuration || !read_sources(from)) return std::nullopt;
    FirstConfiguration first = first_configuration(folder_, configuration->before ? configuration->path : "", errors_);
    result_.has_trees = !first.found.empty();
    if (ticks_exactly_once_) set_tick(first.text);
    if (!configuration->before) {
      configuration->text = first.text;
      if (!add_nodes(first.nodes, *configuration)) return std::nullopt;
      configuration->found = std::move(first.found);
      if (configuration->found.empty()) configuration->found.emplace_back("a folder without trees");
    } else if (!add_new_parts(first, *configuration)) {
      return std::nullopt;
    }
    for (const std::string& path : from) {
      if (!may_be_sources(path) && !add_models(path, *configuration)) return std::nullopt;
    }
    if (!result_.all.empty() && !add_host_file(*configuration)) return std::nullopt;
    if (!add_entries(*configuration)) return std::nullopt;
    result_.all.push_back(std::move(*configuration));
    return std::move(result_);
  }

 private:
  template <typename Change>
  bool change(InitialFile& file, const Change& changed) {
    std::string error;
    std::optional<std::string> text = changed(error);
    if (!text) {
      errors_.push_back("'" + file.path + "' is not changed: " + error);
      return false;
    }
    file.text = std::move(*text);
    return true;
  }

  bool add_models(const std::string& path, InitialFile& configuration) {
    const std::optional<NodeDeclarations> declared = read_node_declarations(path, errors_);
    if (!declared) return false;
    configuration.found.push_back(counted(declared->nodes.size(), "node") + " of '" + path + "'");
    if (declared->has_trees) configuration.found.back() += " (its models of trees are left out)";
    return change(configuration, [&](std::string& error) {
      return with_node_declarations(configuration.text, declared->nodes, error);
    });
  }

  // The host file as the sources say, if there are any. False: an error.
  bool read_sources(const std::vector<std::string>& from) {
    std::vector<std::string> paths;
    std::copy_if(from.begin(), from.end(), std::back_inserter(paths), may_be_sources);
    std::optional<InitialFile> file = file_at(path_in(folder_, kSourcesHostFile), errors_);
    if (!file) return false;
    const std::vector<std::string> known = sources_of(file->text, folder_);
    if (file->before && known.empty() && !paths.empty()) {
      errors_.push_back("'" + file->path + "' was not made from sources, and is not overwritten");
      return false;
    }
    paths.insert(paths.end(), known.begin(), known.end());
    if (paths.empty()) return true;
    std::optional<SourceDeclarations> declared = declarations_of_sources(paths, folder_, errors_);
    if (!declared) return false;
    file->text = std::move(declared->text);
    file->found.push_back(counted(declared->node_count, "node") + " of " + counted(declared->file_count, "C++ file"));
    if (declared->open_count > 0) file->found.push_back(std::to_string(declared->open_count) + " of them open");
    of_sources_ = nodes_in(file->text);
    ticks_exactly_once_ = declared->ticks_exactly_once;
    result_.unread = std::move(declared->unread);
    result_.all.push_back(std::move(*file));
    return true;
  }

  static void set_tick(std::string& configuration) {
    constexpr std::string_view kUsual = "\"tick\": \"once\"";
    const std::size_t at = configuration.find(kUsual);
    if (at != std::string::npos) configuration.replace(at, kUsual.size(), "\"tick\": \"exactlyOnce\"");
  }

  // The names of the nodes that a host file declares.
  static std::vector<std::string> nodes_in(const std::string& host_file) {
    text::JsonFault fault;
    const std::optional<JsonValue> root = text::parse_json(host_file, 0, fault);
    const JsonValue* const options = root ? root->find("btcpp") : nullptr;
    const JsonValue* const nodes = options == nullptr ? nullptr : options->find("nodes");
    std::vector<std::string> names;
    if (nodes == nullptr) return names;
    for (const auto& key : nodes->keys) names.push_back(key.name);
    return names;
  }

  bool add_host_file(InitialFile& configuration) {
    return change(configuration,
                  [&](std::string& error) { return with_host_file(configuration.text, kSourcesHostFile, error); });
  }

  // What the program has to write, where this is the first that is said of the trees or of its nodes.
  bool add_entries(InitialFile& configuration) {
    bool is_first = !configuration.before;
    Files files;
    for (const InitialFile& file : result_.all) {
      is_first = is_first || !file.before;
      files.set_text(file.path, file.text);
    }
    if (!is_first) return true;
    files.set_text(configuration.path, configuration.text);
    const lint::ProgramEntries entries = entries_of_program(folder_, configuration.path, files);
    // That there are none is known only of nodes that sources declare.
    const std::size_t count = entries.names.size();
    if (count == 0 && (of_sources_.empty() || !entries.are_all)) return true;
    const std::string before = configuration.text;
    const bool is_changed =
        change(configuration, [&](std::string& error) { return with_entries(before, entries.names, error); });
    if (is_changed && configuration.text != before && count > 0)
      configuration.found.push_back(
          std::to_string(count) + (count == 1 ? " entry that the program writes" : " entries that the program writes"));
    return is_changed;
  }

  // What trees use and nothing declares: what sources declare they know better than a tree that may have a mistake.
  bool add_nodes(std::vector<dialects::btcpp::Declaration> nodes, InitialFile& configuration) {
    const auto is_of_sources = [&](const dialects::btcpp::Declaration& node) {
      return std::find(of_sources_.begin(), of_sources_.end(), node.name) != of_sources_.end();
    };
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_of_sources), nodes.end());
    if (nodes.empty()) return true;
    return change(configuration,
                  [&](std::string& error) { return with_node_declarations(configuration.text, nodes, error); });
  }

  // Sections of dialects, and declarations of engines, that trees need which were not there before.
  bool add_new_parts(const FirstConfiguration& first, InitialFile& configuration) {
    constexpr std::string_view kGeneral[] = {"paths", "exclude", "rules"};
    text::JsonFault fault;
    const std::optional<JsonValue> wanted = text::parse_json(first.text, 0, fault);
    if (!wanted || first.found.empty()) return true;
    bool has_new_hosts = false;
    for (std::size_t i = 0; i < wanted->keys.size(); ++i) {
      const std::string& key = wanted->keys[i].name;
      const JsonValue& value = wanted->values[i];
      if (std::find(std::begin(kGeneral), std::end(kGeneral), key) != std::end(kGeneral)) continue;
      const std::string before = configuration.text;
      const auto add = [&](std::string& error) -> std::optional<std::string> {
        std::optional<JsonValue> root = text::parse_json(configuration.text, 0, fault);
        if (!root || root->kind != JsonKind::object) {
          error = root ? "it is not an object" : fault.message;
          return std::nullopt;
        }
        if (root->find(key) == nullptr) {
          const std::string written = first.text.substr(value.span.begin, value.span.end - value.span.begin);
          return with_member(configuration.text, *root, "  ", text::json_string(key) + ": " + written);
        }
        std::string text = configuration.text;
        for (const JsonValue& file : key == "hostFiles" ? value.values : std::vector<JsonValue>()) {
          std::optional<std::string> with = with_host_file(text, file.string, error);
          if (!with) return std::nullopt;
          text = std::move(*with);
        }
        return text;
      };
      if (!change(configuration, add)) return false;
      if (configuration.text == before) continue;
      configuration.found.push_back("'" + key + "'");
      has_new_hosts = has_new_hosts || key == "hostFiles";
    }
    return !has_new_hosts || add_nodes(first.nodes, configuration);
  }

  const std::string& folder_;
  std::vector<std::string>& errors_;
  InitialFiles result_;
  std::vector<std::string> of_sources_;  // the nodes that these register
  bool ticks_exactly_once_ = false;      // how these tick trees
};

}  // namespace

std::optional<InitialFiles> initialize(const std::string& folder, const std::vector<std::string>& from,
                                       std::vector<std::string>& errors) {
  return Initializer(folder, errors).run(from);
}

std::optional<std::vector<std::string>> outdated_nodes(const std::string& folder, const std::vector<std::string>& from,
                                                       std::vector<std::string>& errors) {
  const std::optional<InitialFile> file = file_at(path_in(folder, kSourcesHostFile), errors);
  if (!file) return std::nullopt;
  std::vector<std::string> paths = sources_of(file->text, folder);
  for (const std::string& path : from) {
    if (may_be_sources(path)) paths.push_back(path);
  }
  if (paths.empty()) {
    errors.push_back("'" + file->path + "' " + (file->before ? "was not made from sources" : "is not there") +
                     ": 'espalier init --from FOLDER' makes it");
    return std::nullopt;
  }
  const std::optional<SourceDeclarations> declared = declarations_of_sources(paths, folder, errors);
  if (!declared) return std::nullopt;
  if (declared->text == file->text) return std::vector<std::string>();
  std::vector<std::string> lines = differences(file->text, declared->text);
  for (std::string& line : lines) line.insert(0, file->path + ": ");
  return lines;
}

}  // namespace espalier::project

// espalier.json. See configuration.h.
#include "project/configuration.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "dialects/btcpp/host_rows.h"
#include "project/btcpp_configuration.h"
#include "project/collect.h"
#include "project/editor_config.h"
#include "project/engine_hosts.h"
#include "project/hosts.h"
#include "project/inside.h"
#include "rules/configuration.h"
#include "rules/rules.h"
#include "text/decode.h"
#include "text/json_reader.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using rules::Severity;
using text::JsonValue;
using text::Rule;

constexpr std::uint32_t kMaxCount = 1'000'000'000;
constexpr std::uint32_t kMaxRunLimit = 65535;
constexpr std::size_t kMaxPreludeBytes = 1 << 20;

// Parses a JSON file and adds it to `sources`. If it is not JSON, `root` stays empty and a finding is added. Reports do
// not show lines of a file outside of `folder`. False: the file could not be read, and `error` says why.
bool read_json(const std::string& path, const std::string& folder, const Files& files, text::Sources& sources,
               text::Findings& findings, std::optional<text::JsonValue>& root, std::string& error) {
  std::string bytes;
  if (!files.read(path, text::kMaxFileBytes, bytes, error, Readable::named)) return false;
  text::Decoded decoded = text::decode(bytes);
  const auto excerpts = is_inside(path, folder) ? text::Excerpts::shown : text::Excerpts::withheld;
  const text::FileId file = sources.add(shown_path(path), std::move(decoded.text), excerpts);
  if (decoded.fault != text::DecodeFault::none) {
    const text::Span span{file, static_cast<std::uint32_t>(decoded.error_begin),
                          static_cast<std::uint32_t>(decoded.error_end)};
    findings.add(rules::CFG_malformed_json, span, std::move(decoded.error), std::move(decoded.hint));
    return true;
  }
  text::JsonFault fault;
  root = text::parse_json(sources[file].text(), file, fault);
  if (!root) findings.add(rules::CFG_malformed_json, fault.span, std::move(fault.message), std::move(fault.hint));
  return true;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Checks the values of espalier.json and its host files, and stores them.
class Reader {
 public:
  Reader(Configuration& configuration, std::span<const std::string> named, const Files& files, text::Sources& sources,
         text::Findings& findings)
      : configuration_(configuration),
        folder_(folder_of(configuration.path)),
        named_(named),
        files_(files),
        sources_(sources),
        findings_(findings),
        json_(findings) {}

  void read(const JsonValue& root) {
    json_.read_object(
        root, "espalier.json",
        {{"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
         {"paths", [&](const JsonValue& value) { read_paths(value); }},
         {"include", [&](const JsonValue& value) { read_globs(value, "'include'", configuration_.include); }},
         {"exclude", [&](const JsonValue& value) { read_globs(value, "'exclude'", configuration_.exclude); }},
         {"rules", [&](const JsonValue& value) { read_rules(value, configuration_.severities, Lowering::allowed); }},
         {"overrides", [&](const JsonValue& value) { read_overrides(value); }},
         {"baseline", [&](const JsonValue& value) { read_baseline(value); }},
         {"properties",
          [&](const JsonValue& value) {
            if (json_.expect(value, text::JsonKind::list, "'properties'")) configuration_.properties = value;
          }},
         {"fmt", [&](const JsonValue& value) { read_layout(value); }},
         {"hosts", [&](const JsonValue& value) { read_own_hosts(value); }},
         {"hostFiles", [&](const JsonValue& value) { read_host_files(value); }},
         {"events", [&](const JsonValue& value) { read_events(value, "'events'", configuration_.dialects.events); }},
         {"behaviors", [&](const JsonValue& value) { read_behaviors(value); }},
         {"modular", [&](const JsonValue& value) { read_modular(value); }},
         {"selection", [&](const JsonValue& value) { read_selection(value); }},
         {"dragengine", [&](const JsonValue& value) { read_dragengine(value); }},
         {"decider", [&](const JsonValue& value) { read_decider(value); }},
         {"synchronized", [&](const JsonValue& value) { read_synchronized(value); }},
         {"btcpp", [&](const JsonValue& value) {
            dialects::Options& options = configuration_.dialects;
            read_btcpp(value, folder_, files_, json_, options.btcpp);
          }}});
    sort_hosts(json_, configuration_.dialects.hosts, engine_file_);
    add_shared_nodes();
  }

 private:
  std::string in_folder(const std::string& path) const { return (fs::path(folder_) / path).string(); }

  // Is a path inside the project, or named on the command line? Otherwise there is a finding.
  bool expect_inside(const JsonValue& entry) {
    const std::string path = in_folder(entry.string);
    const auto contains = [&](const std::string& folder) { return is_inside(path, folder); };
    if (contains(folder_) || std::any_of(named_.begin(), named_.end(), contains)) return true;
    json_.add(rules::CFG_path_outside, entry.span,
              text::quote(entry.string) + " is outside the folder of espalier.json and is not read",
              "name it on the command line instead");
    return false;
  }

  void read_paths(const JsonValue& value) {
    json_.each_string(value, "'paths'", [&](const JsonValue& entry) {
      if (!files_.exists(in_folder(entry.string))) {
        json_.add(rules::CFG_path_not_found, entry.span, "no such file or folder: " + text::quote(entry.string),
                  "paths are relative to the folder of espalier.json");
      } else if (expect_inside(entry)) {
        configuration_.paths.push_back(entry.string);
      }
    });
  }

  void read_baseline(const JsonValue& value) {
    const std::string path = json_.read_string(value, "'baseline'");
    if (!path.empty() && expect_inside(value)) configuration_.baseline = path;
  }

  void read_layout(const JsonValue& value) {
    constexpr std::uint32_t kMinWidth = 20;
    LayoutOptions& layout = configuration_.layout;
    const auto read_indent = [&](const JsonValue& indent) {
      if (indent.kind == text::JsonKind::string && indent.string == "tab") {
        layout.indent = "\t";
      } else if (indent.kind == text::JsonKind::string) {
        json_.add(rules::CFG_unknown_value, indent.span, "'indent' is neither \"tab\" nor a number of spaces",
                  "write \"tab\" or a number from 1 to " + std::to_string(kMaxIndent));
      } else if (const auto size = json_.read_whole(indent, "'indent'", 1, kMaxIndent)) {
        layout.indent = std::string(*size, ' ');
      }
    };
    json_.read_object(value, "'fmt'", {{"indent", read_indent}, {"width", [&](const JsonValue& width) {
                                                                   layout.width = json_.read_whole(
                                                                       width, "'width'", kMinWidth, kMaxLineLength);
                                                                 }}});
  }

  void read_globs(const JsonValue& value, std::string_view what, Globs& globs) {
    json_.each_string(value, what, [&](const JsonValue& entry) {
      if (globs.add(entry.string)) return;
      json_.add(rules::CFG_invalid_name, entry.span, text::quote(entry.string) + " never matches a path of the project",
                "globs are written as in .gitignore, relative to the folder of espalier.json");
    });
  }

  void read_overrides(const JsonValue& value) {
    if (!json_.expect(value, text::JsonKind::list, "'overrides'")) return;
    for (const JsonValue& entry : value.values) {
      Override read;
      json_.read_object(
          entry, "an entry of 'overrides'",
          {{"paths", [&](const JsonValue& list) { read_globs(list, "'paths'", read.paths); }},
           {"rules", [&](const JsonValue& rules) { read_rules(rules, read.severities, Lowering::refused); }}});
      configuration_.overrides.push_back(std::move(read));
    }
  }

  // If an error is lowered, trees with it are read with their actual meaning. This applies to all files or to none.
  enum class Lowering : std::uint8_t { allowed, refused };

  void read_rules(const JsonValue& value, Severities& severities, Lowering lowering) {
    json_.each_key(value, "'rules'", [&](const JsonValue::Key& key, const JsonValue& severity) {
      read_rule(key, severity, severities, lowering);
    });
  }

  void read_rule(const JsonValue::Key& key, const JsonValue& value, Severities& severities, Lowering lowering) {
    const std::vector<Rule> named = rules::find_all(key.name);
    if (named.empty()) {
      findings_.add(rules::CFG_unknown_rule, key.span, "unknown rule " + text::quote(key.name),
                    text::did_you_mean(key.name, rules::codes_and_names()));
      return;
    }
    if (!json_.expect(value, text::JsonKind::string, "the severity of " + text::quote(key.name))) return;
    std::optional<Severity> severity;
    for (const Severity each : {Severity::error, Severity::warning, Severity::note}) {
      if (rules::severity_name(each) == value.string) severity = each;
    }
    if (!severity && value.string != "off") {
      findings_.add(rules::CFG_unknown_severity, value.span, "unknown severity " + text::quote(value.string),
                    "expected \"error\", \"warning\", \"note\" or \"off\"");
      return;
    }
    configure(key, value, named, severity, severities, lowering);
  }

  // Several rules may share a name, for example an error in one dialect and a warning in another: those that can be
  // configured are, and the others get a note.
  void configure(const JsonValue::Key& key, const JsonValue& value, const std::vector<Rule>& named,
                 std::optional<Severity> severity, Severities& severities, Lowering lowering) {
    std::vector<Rule> refused;
    for (const Rule rule : named) {
      const rules::RuleInfo& info = rules::info(rule);
      const bool is_lowered = info.severity == Severity::error && severity != Severity::error;
      const bool may_be = info.may_be_lowered && severity == Severity::warning && lowering == Lowering::allowed;
      if (is_lowered && !may_be) {
        refused.push_back(rule);
        continue;
      }
      severities.emplace_back(rule, severity);
      if (is_lowered) configuration_.dialects.lowered.push_back(rule);
    }
    if (refused.empty()) return;
    const std::string change =
        std::string(" error and cannot be ") + (severity ? "lowered to " + text::quote(value.string) : "turned off");
    if (refused.size() == named.size()) {
      const auto may_be_lowered = [](Rule rule) { return rules::info(rule).may_be_lowered; };
      const bool may_be = std::any_of(refused.begin(), refused.end(), may_be_lowered);
      json_.add(rules::CFG_fixed_severity, value.span,
                text::quote(key.name) + " is " + (may_be ? "an" : "always an") + change, hint_for(may_be, lowering));
      return;
    }
    for (const Rule rule : refused) {
      const rules::RuleInfo& info = rules::info(rule);
      text::Finding finding{rules::CFG_partly_fixed_severity, Severity::note, value.span, {}};
      finding.message = text::quote(key.name) + " (" + std::string(info.code) + ") is an" + change;
      finding.hint = "use the codes of the rules that you mean";
      configuration_.not_configured.push_back({rule, std::move(finding)});
    }
  }

  static std::string hint_for(bool may_be_lowered, Lowering lowering) {
    if (!may_be_lowered) return {};
    return lowering == Lowering::allowed ? "it can only be lowered to \"warning\""
                                         : "it can only be lowered to \"warning\", in 'rules', for the whole project";
  }

  void read_own_hosts(const JsonValue& value) {
    read_hosts(value, sources_[value.span.file].text(), json_, configuration_.dialects.hosts);
  }

  void read_host_files(const JsonValue& value) {
    std::set<std::string> seen;
    json_.each_string(value, "'hostFiles'", [&](const JsonValue& entry) {
      if (is_in_program(entry.string)) return read_engine_hosts(entry);
      const fs::path path = fs::path(entry.string).lexically_normal();
      if (!seen.insert(path.generic_string()).second) {
        json_.add(rules::CFG_duplicate_declaration, entry.span,
                  "duplicate entry " + text::quote(entry.string) + " in 'hostFiles'");
      } else {
        read_host_file(entry, in_folder(entry.string));
      }
    });
  }

  void read_engine_hosts(const JsonValue& entry) {
    const std::string_view text = engine_hosts_text(entry.string);
    if (text.empty()) {
      json_.add(rules::CFG_path_not_found, entry.span, "unknown built-in declarations " + text::quote(entry.string),
                "use " + text::quote(kCryengineHosts) + " or " + text::quote(kNav2Hosts));
      return;
    }
    if (!read_from_program_.insert(text).second) {
      json_.add(rules::CFG_duplicate_declaration, entry.span,
                "duplicate entry " + text::quote(entry.string) + " in 'hostFiles'");
      return;
    }
    const text::FileId file = sources_.add(entry.string, std::string(text));
    if (entry.string != kNav2Hosts) engine_file_ = file;
    text::JsonFault fault;
    const std::size_t first = shared_nodes_.size();
    if (const auto root = text::parse_json(sources_[file].text(), file, fault)) read_hosts_of(*root);
    for (std::size_t i = first; i < shared_nodes_.size(); ++i) shared_nodes_[i].is_built_in = true;
  }

  // May be in any folder.
  void read_host_file(const JsonValue& entry, const std::string& path) {
    std::optional<JsonValue> root;
    std::string error = "not a file";
    if (!files_.exists(path)) {
      json_.add(rules::CFG_path_not_found, entry.span, "no such file: " + text::quote(entry.string),
                "host files are relative to the folder of espalier.json");
    } else if (!files_.is_file(path) || !read_json(path, folder_, files_, sources_, findings_, root, error)) {
      json_.add(rules::CFG_path_not_found, entry.span, "cannot read " + text::quote(entry.string) + ": " + error);
    } else {
      configuration_.read_paths.push_back(shown_path(path));
    }
    if (root && expect_hosts(*root)) read_hosts_of(*root);
  }

  void read_hosts_of(const JsonValue& root) {
    json_.read_object(
        root, "a host file",
        {{"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
         {"hosts", [&](const JsonValue& value) { read_own_hosts(value); }},
         {"events", [&](const JsonValue& value) { read_events(value, "'events'", configuration_.dialects.events); }},
         {"btcpp", [&](const JsonValue& value) { read_btcpp_nodes(value, json_, shared_nodes_); }},
         {"engineEvents", [&](const JsonValue& value) {
            read_events(value, "'engineEvents'", configuration_.dialects.engine_events);
          }}});
  }

  // Names in a file outside the project are shown only if it is a host file.
  bool expect_hosts(const JsonValue& root) {
    const auto declares = [](const JsonValue::Key& key) {
      return key.name == "hosts" || key.name == "events" || key.name == "engineEvents" || key.name == "btcpp";
    };
    if (sources_[root.span.file].shows_excerpts() || std::any_of(root.keys.begin(), root.keys.end(), declares)) {
      return true;
    }
    json_.add(rules::CFG_wrong_type, text::place_of(root), "the file is not a host file",
              "a host file is an object with 'hosts', 'events' or 'btcpp'");
    return false;
  }

  // A project's own declaration of a node counts, else that of the first host file.
  void add_shared_nodes() {
    dialects::Options& options = configuration_.dialects;
    for (dialects::btcpp::Declaration& node : shared_nodes_) {
      const auto is_same = [&](const dialects::btcpp::Declaration& other) { return other.name == node.name; };
      std::vector<dialects::btcpp::Declaration>& nodes = options.btcpp.nodes;
      if (std::none_of(nodes.begin(), nodes.end(), is_same)) nodes.push_back(std::move(node));
    }
    options.btcpp_nodes = dialects::btcpp::hosts_of(options.btcpp.nodes);
  }

  // The events of several files are combined; duplicates count once.
  void read_events(const JsonValue& value, std::string_view what, std::vector<std::string>& events) {
    const std::vector<std::string> names = json_.read_names(value, what);
    events.insert(events.end(), names.begin(), names.end());
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
  }

  void read_modular(const JsonValue& value) {
    static constexpr std::string_view kRootDone[] = {"reboot", "stop"};
    dialects::Options& options = configuration_.dialects;
    json_.read_object(
        value, "'modular'",
        {{"rootDone",
          [&](const JsonValue& word) {
            options.stops_when_root_is_done = json_.read_word(word, "'rootDone'", kRootDone) == std::size_t{1};
          }},
         {"engine",
          [&](const JsonValue& word) {
            const auto engine = json_.read_word(word, "'engine'", dialects::kEngineWords);
            if (engine) options.engine = static_cast<dialects::GameEngine>(*engine);
          }},
         {"lua", [&](const JsonValue& list) { read_preludes(list); }},
         {"agents",
          [&](const JsonValue& number) { options.agent_count = json_.read_whole(number, "'agents'", 1, kMaxCount); }},
         {"signalOnly", [&](const JsonValue& list) { read_signal_only(list); }}});
  }

  void read_preludes(const JsonValue& list) {
    std::set<std::string> seen;
    json_.each_string(list, "'lua'", [&](const JsonValue& entry) {
      if (!expect_inside(entry)) return;
      const std::string path = in_folder(entry.string);
      std::string bytes;
      std::string error = "not a file";
      if (!seen.insert(fs::path(entry.string).lexically_normal().generic_string()).second) {
        json_.add(rules::CFG_duplicate_declaration, entry.span,
                  "duplicate entry " + text::quote(entry.string) + " in 'lua'");
      } else if (!files_.exists(path)) {
        json_.add(rules::CFG_path_not_found, entry.span, "no such file: " + text::quote(entry.string),
                  "files of Lua are relative to the folder of espalier.json");
      } else if (!files_.is_file(path) || !files_.read(path, kMaxPreludeBytes, bytes, error)) {
        json_.add(rules::CFG_path_not_found, entry.span, "cannot read " + text::quote(entry.string) + ": " + error);
      } else {
        configuration_.read_paths.push_back(shown_path(path));
        const text::FileId file = sources_.add(shown_path(path), bytes);
        configuration_.dialects.preludes.push_back({entry.string, file, std::move(bytes)});
      }
    });
  }

  void read_selection(const JsonValue& value) {
    json_.read_object(value, "'selection'", {{"signalOnly", [&](const JsonValue& list) { read_signal_only(list); }}});
  }

  // A list of names, or an object with what is declared of each.
  void read_behaviors(const JsonValue& value) {
    std::optional<std::vector<std::string>>& names = configuration_.dialects.behaviors;
    if (value.kind == text::JsonKind::object) {
      names = add_behaviors(value);
    } else {
      read_declared(value, "'behaviors'", names);
    }
  }

  // Returns their names, sorted.
  std::vector<std::string> add_behaviors(const JsonValue& value) {
    std::vector<dialects::HostDeclaration> declared;
    read_declared_hosts(HostKind::behavior, value, sources_[value.span.file].text(), json_, declared);
    std::vector<std::string> names;
    for (dialects::HostDeclaration& behavior : declared) {
      names.push_back(behavior.name);
      configuration_.dialects.own_behaviors.push_back(std::move(behavior));
    }
    return names;
  }

  void read_dragengine(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    const std::string_view source = sources_[value.span.file].text();
    json_.read_object(value, "'dragengine'",
                      {{"runAwayLimit",
                        [&](const JsonValue& number) {
                          options.run_limit =
                              json_.read_whole(number, "'runAwayLimit'", 1, kMaxRunLimit).value_or(options.run_limit);
                        }},
                       {"actions",
                        [&](const JsonValue& list) {
                          read_declared_hosts(HostKind::action, list, source, json_, options.rule_actions);
                        }},
                       {"conditions", [&](const JsonValue& list) {
                          read_declared_hosts(HostKind::condition, list, source, json_, options.rule_conditions);
                        }}});
  }

  void read_decider(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    json_.read_object(
        value, "'decider'",
        {{"decide", [&](const JsonValue& list) { read_declared(list, "'decide'", options.decide_functions); }},
         {"behaviorFlags",
          [&](const JsonValue& list) { read_declared(list, "'behaviorFlags'", options.behavior_flags); }},
         {"behaviors", [&](const JsonValue& list) { add_behaviors(list); }}});
  }

  // A list that may be empty: then nothing is declared by it.
  void read_declared(const JsonValue& list, std::string_view what, std::optional<std::vector<std::string>>& names) {
    if (!json_.expect(list, text::JsonKind::list, what)) return;
    names = json_.read_names(list, what);
    std::sort(names->begin(), names->end());
  }

  void read_synchronized(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    const std::string_view source = sources_[value.span.file].text();
    json_.read_object(value, "'synchronized'",
                      {{"actions",
                        [&](const JsonValue& list) {
                          read_declared_hosts(HostKind::stored_action, list, source, json_, options.store_actions);
                        }},
                       {"conditions", [&](const JsonValue& list) {
                          read_declared_hosts(HostKind::condition, list, source, json_, options.store_conditions);
                        }}});
  }

  void read_signal_only(const JsonValue& list) {
    json_.each_string(list, "'signalOnly'",
                      [&](const JsonValue& entry) { configuration_.dialects.signal_only.push_back(entry.string); });
  }

  Configuration& configuration_;
  const std::string folder_;  // of espalier.json
  const std::span<const std::string> named_;
  const Files& files_;
  text::Sources& sources_;
  text::Findings& findings_;
  text::JsonReader json_;
  std::optional<text::FileId> engine_file_;       // the built-in declarations of engines' nodes, once they are read
  std::set<std::string_view> read_from_program_;  // texts of built-in declarations
  std::vector<dialects::btcpp::Declaration> shared_nodes_;  // of host files
};

}  // namespace

std::string nearest_configuration(const std::string& path, const Files& files) {
  std::error_code error;
  fs::path folder =
      path == kStandardInput ? fs::current_path(error) : fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return {};
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  for (;; folder = folder.parent_path()) {
    const fs::path candidate = folder / kConfigurationName;
    if (files.is_file(candidate.string())) return candidate.string();
    if (!folder.has_relative_path()) return {};
  }
}

bool read_configuration(const std::string& path, const Files& files, text::Sources& sources,
                        Configuration& configuration, text::Findings& findings, std::string& error,
                        std::span<const std::string> named) {
  configuration.path = path;
  configuration.read_paths.push_back(shown_path(path));
  std::optional<text::JsonValue> root;
  if (!read_json(path, folder_of(path), files, sources, findings, root, error)) {
    error = "cannot read '" + path + "': " + error;
    return false;
  }
  if (root) Reader(configuration, named, files, sources, findings).read(*root);
  return true;
}

}  // namespace espalier::project

// espalier.json. See configuration.h.
#include "project/configuration.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "project/collect.h"
#include "project/hosts.h"
#include "project/json_reader.h"
#include "text/decode.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using rules::Severity;
using text::JsonValue;
using text::Rule;

constexpr std::uint32_t kMaxCount = 1'000'000'000;
constexpr std::uint32_t kMaxRunLimit = 65535;

// The JSON of a file, which is added to `sources`; nothing: it is none, and a finding says why. False: it could not be
// read at all, and `error` says why.
bool read_json(const std::string& path, text::Sources& sources, text::Findings& findings,
               std::optional<text::JsonValue>& root, std::string& error) {
  std::string bytes;
  if (!read_bytes(path, text::kMaxFileBytes, bytes, error)) return false;
  text::Decoded decoded = text::decode(bytes);
  const text::FileId file = sources.add(shown_path(path), std::move(decoded.text));
  if (decoded.fault != text::DecodeFault::none) {
    const text::Span span{file, static_cast<std::uint32_t>(decoded.error_begin),
                          static_cast<std::uint32_t>(decoded.error_end)};
    findings.add(Rule::CFG_malformed_json, span, std::move(decoded.error), std::move(decoded.hint));
    return true;
  }
  text::JsonFault fault;
  root = text::parse_json(sources[file].text(), file, fault);
  if (!root) findings.add(Rule::CFG_malformed_json, fault.span, std::move(fault.message), std::move(fault.hint));
  return true;
}

// Checks the values of espalier.json and its host files, and takes them over.
class Reader {
 public:
  Reader(Configuration& configuration, text::Sources& sources, text::Findings& findings)
      : configuration_(configuration), sources_(sources), findings_(findings), json_(findings) {}

  void read(const JsonValue& root) {
    json_.read_object(
        root, "espalier.json",
        {{"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
         {"paths", [&](const JsonValue& value) { read_paths(value); }},
         {"rules", [&](const JsonValue& value) { read_rules(value); }},
         {"baseline",
          [&](const JsonValue& value) { configuration_.baseline = json_.read_string(value, "'baseline'"); }},
         {"hosts", [&](const JsonValue& value) { read_own_hosts(value); }},
         {"hostFiles", [&](const JsonValue& value) { read_host_files(value); }},
         {"events", [&](const JsonValue& value) { read_events(value); }},
         {"modular", [&](const JsonValue& value) { read_modular(value); }},
         {"selection", [&](const JsonValue& value) { read_selection(value); }},
         {"dragengine", [&](const JsonValue& value) { read_dragengine(value); }},
         {"decider", [&](const JsonValue& value) { read_decider(value); }},
         {"synchronized", [&](const JsonValue& value) { read_synchronized(value); }}});
    sort_hosts(json_, configuration_.dialects.hosts);
  }

 private:
  void read_paths(const JsonValue& value) {
    const fs::path folder = fs::path(configuration_.path).parent_path();
    json_.each_string(value, "'paths'", [&](const JsonValue& entry) {
      std::error_code error;
      if (fs::exists(folder / entry.string, error)) {
        configuration_.paths.push_back(entry.string);
      } else {
        findings_.add(Rule::CFG_path_not_found, entry.span, "there is no file or folder " + text::quoted(entry.string),
                      "paths are relative to the folder of espalier.json");
      }
    });
  }

  void read_rules(const JsonValue& value) {
    json_.each_key(value, "'rules'",
                   [&](const JsonValue::Key& key, const JsonValue& severity) { read_rule(key, severity); });
  }

  void read_rule(const JsonValue::Key& key, const JsonValue& value) {
    const std::vector<Rule> named = rules::find_all(key.name);
    if (named.empty()) {
      findings_.add(Rule::CFG_unknown_rule, key.span, "there is no rule " + text::quoted(key.name),
                    text::did_you_mean(key.name, rules::codes_and_names()));
      return;
    }
    if (!json_.expect(value, text::JsonKind::string, "the severity of " + text::quoted(key.name))) return;
    std::optional<Severity> severity;
    for (const Severity each : {Severity::error, Severity::warning, Severity::note}) {
      if (rules::severity_name(each) == value.string) severity = each;
    }
    if (!severity && value.string != "off") {
      findings_.add(Rule::CFG_unknown_severity, value.span, "there is no severity " + text::quoted(value.string),
                    "\"error\", \"warning\", \"note\" or \"off\"");
      return;
    }
    configure(key, value, named, severity);
  }

  // A name may be that of several rules, an error in one dialect and a warning in another: it is configured where it
  // can be.
  void configure(const JsonValue::Key& key, const JsonValue& value, const std::vector<Rule>& named,
                 std::optional<Severity> severity) {
    bool is_configured = false;
    bool may_be_lowered = false;
    for (const Rule rule : named) {
      const rules::RuleInfo& info = rules::info(rule);
      const bool is_lowered = info.may_be_lowered && severity == Severity::warning;
      may_be_lowered |= info.may_be_lowered;
      if (info.severity == Severity::error && severity != Severity::error && !is_lowered) continue;
      is_configured = true;
      configuration_.severities.emplace_back(rule, severity);
      if (is_lowered) configuration_.dialects.lowered.push_back(rule);
    }
    if (is_configured) return;
    const std::string change = severity ? "lowered to " + text::quoted(value.string) : "turned off";
    findings_.add(
        Rule::CFG_fixed_severity, value.span,
        text::quoted(key.name) + " is " + (may_be_lowered ? "an" : "always an") + " error and cannot be " + change,
        may_be_lowered ? "it can be lowered to \"warning\", no further" : "");
  }

  void read_own_hosts(const JsonValue& value) {
    read_hosts(value, sources_[value.span.file].text(), json_, configuration_.dialects.hosts);
  }

  void read_host_files(const JsonValue& value) {
    std::set<std::string> seen;
    json_.each_string(value, "'hostFiles'", [&](const JsonValue& entry) {
      const fs::path path = fs::path(entry.string).lexically_normal();
      if (!seen.insert(path.generic_string()).second) {
        json_.add(Rule::CFG_duplicate_declaration, entry.span,
                  "'hostFiles' has " + text::quoted(entry.string) + " twice");
      } else if (path.has_root_path() || path.empty() || *path.begin() == "..") {
        json_.add(Rule::CFG_path_outside, entry.span,
                  "the host file " + text::quoted(entry.string) + " is not below the folder of espalier.json",
                  "what a project is made of lies in its folder");
      } else {
        read_host_file(entry, fs::path(configuration_.path).parent_path() / path);
      }
    });
  }

  void read_host_file(const JsonValue& entry, const fs::path& path) {
    std::error_code missing;
    std::optional<JsonValue> root;
    std::string error = "it is no file";
    if (!fs::exists(path, missing)) {
      json_.add(Rule::CFG_path_not_found, entry.span, "there is no file " + text::quoted(entry.string),
                "host files are relative to the folder of espalier.json");
    } else if (!fs::is_regular_file(path, missing) || !read_json(path.string(), sources_, findings_, root, error)) {
      json_.add(Rule::CFG_path_not_found, entry.span, "cannot read " + text::quoted(entry.string) + ": " + error);
    } else {
      configuration_.read_paths.push_back(shown_path(path.string()));
    }
    if (!root) return;
    json_.read_object(*root, "a host file",
                      {{"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
                       {"hosts", [&](const JsonValue& value) { read_own_hosts(value); }},
                       {"events", [&](const JsonValue& value) { read_events(value); }}});
  }

  // Those of several files add up, and one that stands in several is one.
  void read_events(const JsonValue& value) {
    std::vector<std::string>& events = configuration_.dialects.events;
    const std::vector<std::string> names = json_.read_names(value, "'events'");
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
         {"agents", [&](const JsonValue& number) { options.agent_count = read_count(number, "'agents'", kMaxCount); }},
         {"signalOnly", [&](const JsonValue& list) { read_signal_only(list); }}});
  }

  std::optional<std::uint32_t> read_count(const JsonValue& value, std::string_view what, std::uint32_t most) {
    const std::optional<double> count = json_.read_number(value, what);
    if (!count) return std::nullopt;
    if (*count >= 1 && *count <= most && *count == std::floor(*count)) return static_cast<std::uint32_t>(*count);
    json_.add(Rule::CFG_invalid_number, value.span,
              std::string(what) + " is no whole number from 1 to " + std::to_string(most));
    return std::nullopt;
  }

  void read_selection(const JsonValue& value) {
    json_.read_object(value, "'selection'", {{"signalOnly", [&](const JsonValue& list) { read_signal_only(list); }}});
  }

  void read_dragengine(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    const std::string_view source = sources_[value.span.file].text();
    json_.read_object(value, "'dragengine'",
                      {{"runAwayLimit",
                        [&](const JsonValue& number) {
                          options.run_limit =
                              read_count(number, "'runAwayLimit'", kMaxRunLimit).value_or(options.run_limit);
                        }},
                       {"actions",
                        [&](const JsonValue& list) {
                          read_hosts_of_rules(list, "action", true, source, json_, options.rule_actions);
                        }},
                       {"conditions", [&](const JsonValue& list) {
                          read_hosts_of_rules(list, "condition", false, source, json_, options.rule_conditions);
                        }}});
  }

  void read_decider(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    const auto read = [&](const JsonValue& list, std::string_view what,
                          std::optional<std::vector<std::string>>& names) {
      if (!json_.expect(list, text::JsonKind::list, what)) return;
      names = json_.read_names(list, what);
      std::sort(names->begin(), names->end());
    };
    json_.read_object(
        value, "'decider'",
        {{"decide", [&](const JsonValue& list) { read(list, "'decide'", options.decide_functions); }},
         {"behaviorFlags", [&](const JsonValue& list) { read(list, "'behaviorFlags'", options.behavior_flags); }}});
  }

  void read_synchronized(const JsonValue& value) {
    dialects::Options& options = configuration_.dialects;
    const std::string_view source = sources_[value.span.file].text();
    json_.read_object(value, "'synchronized'",
                      {{"actions",
                        [&](const JsonValue& list) {
                          read_hosts_of_rules(list, "action", true, source, json_, options.store_actions);
                        }},
                       {"conditions", [&](const JsonValue& list) {
                          read_hosts_of_rules(list, "condition", false, source, json_, options.store_conditions);
                        }}});
  }

  void read_signal_only(const JsonValue& list) {
    json_.each_string(list, "'signalOnly'",
                      [&](const JsonValue& entry) { configuration_.dialects.signal_only.push_back(entry.string); });
  }

  Configuration& configuration_;
  text::Sources& sources_;
  text::Findings& findings_;
  JsonReader json_;
};

}  // namespace

std::string nearest_configuration(const std::string& path) {
  std::error_code error;
  fs::path folder = path == kStandardInput ? fs::current_path(error) : fs::canonical(path, error);
  if (error) return {};
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  for (;; folder = folder.parent_path()) {
    const fs::path candidate = folder / kConfigurationName;
    if (fs::is_regular_file(candidate, error)) return candidate.string();
    if (!folder.has_relative_path()) return {};
  }
}

bool read_configuration(const std::string& path, text::Sources& sources, Configuration& configuration,
                        text::Findings& findings, std::string& error) {
  configuration.path = path;
  configuration.read_paths.push_back(shown_path(path));
  std::optional<text::JsonValue> root;
  if (!read_json(path, sources, findings, root, error)) {
    error = "cannot read '" + path + "': " + error;
    return false;
  }
  if (root) Reader(configuration, sources, findings).read(*root);
  return true;
}

}  // namespace espalier::project

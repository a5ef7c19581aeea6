// espalier.json. See configuration.h.
#include "project/configuration.h"

#include <filesystem>
#include <functional>

#include "project/collect.h"
#include "text/decode.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;
using rules::Severity;
using text::Rule;

// Checks one file's values and takes them over.
class Reader {
 public:
  Reader(Configuration& configuration, text::Findings& findings) : configuration_(configuration), findings_(findings) {}

  void read(const text::JsonValue& root) {
    read_object(root, "espalier.json",
                {{"$schema", [&](const text::JsonValue& value) { read_string(value, "'$schema'"); }},
                 {"paths", [&](const text::JsonValue& value) { read_paths(value); }},
                 {"rules", [&](const text::JsonValue& value) { read_rules(value); }},
                 {"baseline",
                  [&](const text::JsonValue& value) { configuration_.baseline = read_string(value, "'baseline'"); }},
                 {"selection", [&](const text::JsonValue& value) { read_selection(value); }}});
  }

 private:
  // A key and what reads its value.
  struct Entry {
    std::string_view name;
    std::function<void(const text::JsonValue&)> read;
  };

  bool expect(const text::JsonValue& value, text::JsonKind kind, std::string_view what) {
    if (value.kind == kind) return true;
    // A list or object is marked where it begins: all of it may be most of the file.
    text::Span span = value.span;
    if (value.kind == text::JsonKind::list || value.kind == text::JsonKind::object) span.end = span.begin + 1;
    findings_.add(Rule::CFG_wrong_type, span,
                  std::string(what) + " is " + std::string(text::kind_name(value.kind)) + ", not " +
                      std::string(text::kind_name(kind)));
    return false;
  }

  // Tells of keys that stand twice; the first counts. Calls `read` for each key that does not.
  void each_key(const text::JsonValue& object,
                const std::function<void(const text::JsonValue::Key&, const text::JsonValue&)>& read) {
    std::map<std::string_view, text::Span> seen;
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      const text::JsonValue::Key& key = object.keys[i];
      const auto [first, is_new] = seen.try_emplace(key.name, key.span);
      if (is_new) {
        read(key, object.values[i]);
      } else {
        findings_.add(Rule::CFG_duplicate_key, key.span, "the key " + text::quoted(key.name) + " stands twice")
            .related.push_back({first->second, "first here"});
      }
    }
  }

  void read_object(const text::JsonValue& value, std::string_view what, const std::vector<Entry>& entries) {
    if (!expect(value, text::JsonKind::object, what)) return;
    each_key(value, [&](const text::JsonValue::Key& key, const text::JsonValue& member) {
      std::vector<std::string_view> names;
      for (const Entry& entry : entries) {
        if (entry.name == key.name) return entry.read(member);
        names.push_back(entry.name);
      }
      findings_.add(Rule::CFG_unknown_key, key.span, std::string(what) + " knows no key " + text::quoted(key.name),
                    text::did_you_mean(key.name, names));
    });
  }

  std::string read_string(const text::JsonValue& value, std::string_view what) {
    return expect(value, text::JsonKind::string, what) ? value.string : std::string();
  }

  // Calls `read` for each string of a list.
  void read_strings(const text::JsonValue& value, std::string_view what,
                    const std::function<void(const text::JsonValue&)>& read) {
    if (!expect(value, text::JsonKind::list, what)) return;
    for (const text::JsonValue& entry : value.values) {
      if (expect(entry, text::JsonKind::string, "an entry of " + std::string(what))) read(entry);
    }
  }

  void read_paths(const text::JsonValue& value) {
    const fs::path folder = fs::path(configuration_.path).parent_path();
    read_strings(value, "'paths'", [&](const text::JsonValue& entry) {
      std::error_code error;
      if (fs::exists(folder / entry.string, error)) {
        configuration_.paths.push_back(entry.string);
      } else {
        findings_.add(Rule::CFG_path_not_found, entry.span, "there is no file or folder " + text::quoted(entry.string),
                      "paths are relative to the folder of espalier.json");
      }
    });
  }

  void read_rules(const text::JsonValue& value) {
    if (!expect(value, text::JsonKind::object, "'rules'")) return;
    each_key(value,
             [&](const text::JsonValue::Key& key, const text::JsonValue& severity) { read_rule(key, severity); });
  }

  void read_rule(const text::JsonValue::Key& key, const text::JsonValue& value) {
    const std::vector<Rule> named = rules::find_all(key.name);
    if (named.empty()) {
      findings_.add(Rule::CFG_unknown_rule, key.span, "there is no rule " + text::quoted(key.name),
                    text::did_you_mean(key.name, rules::codes_and_names()));
      return;
    }
    if (!expect(value, text::JsonKind::string, "the severity of " + text::quoted(key.name))) return;
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
  void configure(const text::JsonValue::Key& key, const text::JsonValue& value, const std::vector<Rule>& named,
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

  void read_selection(const text::JsonValue& value) {
    read_object(value, "'selection'", {{"signalOnly", [&](const text::JsonValue& list) {
                                          read_strings(list, "'signalOnly'", [&](const text::JsonValue& entry) {
                                            configuration_.dialects.signal_only.push_back(entry.string);
                                          });
                                        }}});
  }

  Configuration& configuration_;
  text::Findings& findings_;
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
  std::string bytes;
  if (!read_bytes(path, text::kMaxFileBytes, bytes, error)) {
    error = "cannot read '" + path + "': " + error;
    return false;
  }
  configuration.path = path;
  text::Decoded decoded = text::decode(bytes);
  const text::FileId file = sources.add(shown_path(path), std::move(decoded.text));
  if (decoded.fault != text::DecodeFault::none) {
    const text::Span span{file, static_cast<std::uint32_t>(decoded.error_begin),
                          static_cast<std::uint32_t>(decoded.error_end)};
    findings.add(Rule::CFG_malformed_json, span, std::move(decoded.error), std::move(decoded.hint));
    return true;
  }
  text::JsonFault fault;
  if (const std::optional<text::JsonValue> root = text::parse_json(sources[file].text(), file, fault)) {
    Reader(configuration, findings).read(*root);
  } else {
    findings.add(Rule::CFG_malformed_json, fault.span, std::move(fault.message), std::move(fault.hint));
  }
  return true;
}

}  // namespace espalier::project

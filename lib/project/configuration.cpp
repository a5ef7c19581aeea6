// espalier.json. See configuration.h.
#include "project/configuration.h"

#include <algorithm>
#include <set>

#include "project/collect.h"
#include "project/editor_config.h"
#include "project/engine_hosts.h"
#include "project/inside.h"
#include "rules/configuration.h"
#include "rules/pages.h"
#include "rules/rules.h"
#include "script/syntax.h"
#include "system/filesystem.h"
#include "text/decode.h"
#include "text/json_reader.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
using rules::Severity;
using text::JsonValue;
using text::Rule;

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
  const std::string folder = fs::path(path).parent_path().generic_string();
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
    const dialects::ConfigurationFile file = file_of(root);
    std::vector<text::JsonReader::Entry> entries = {
        {"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
        {"paths", [&](const JsonValue& value) { read_paths(value); }},
        {"include", [&](const JsonValue& value) { read_globs(value, "'include'", configuration_.include); }},
        {"exclude", [&](const JsonValue& value) { read_globs(value, "'exclude'", configuration_.exclude); }},
        {"rules", [&](const JsonValue& value) { read_rules(value, configuration_.severities, Lowering::allowed); }},
        {"overrides", [&](const JsonValue& value) { read_overrides(value); }},
        {"baseline", [&](const JsonValue& value) { read_baseline(value); }},
        {"site", [&](const JsonValue& value) { read_site(value); }},
        {"properties",
         [&](const JsonValue& value) {
           if (json_.expect(value, text::JsonKind::list, "'properties'")) configuration_.properties = value;
         }},
        {"fmt", [&](const JsonValue& value) { read_layout(value); }},
        {"hostFiles", [&](const JsonValue& value) { read_host_files(value); }},
        {"events",
         [&](const JsonValue& value) {
           dialects::read_events(value, "'events'", file, configuration_.dialects.events);
         }},
        {"behaviors", [&](const JsonValue& value) { read_behaviors(value, file); }}};
    for (const dialects::Dialect& dialect : dialects::all()) add_keys(dialect.configuration.keys, file, entries);
    json_.read_object(root, "espalier.json", entries);
    read_other_host_files();
  }

  // Is called last.
  void read_other_host_files() {
    for (const std::string& path : configuration_.host_files) {
      JsonValue entry;
      entry.string = path;
      read_host_file(entry, path);
    }
    for (const dialects::Dialect& dialect : dialects::all()) {
      if (dialect.configuration.complete != nullptr) dialect.configuration.complete(json_, configuration_.dialects);
    }
  }

 private:
  std::string in_folder(const std::string& path) const { return (fs::path(folder_) / path).generic_string(); }

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

  void read_site(const JsonValue& value) {
    if (!json_.expect(value, text::JsonKind::string, "'site'")) return;
    if (rules::is_site(value.string)) return sources_.set_site(value.string);
    json_.add(rules::CFG_unknown_value, value.span, "'site' is not the address of a site",
              "write where the manuals are published, such as \"https://example.org/espalier/1.0.0\"");
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

  // The file whose root is given.
  dialects::ConfigurationFile file_of(const JsonValue& root, bool is_built_in = false) {
    return {json_, sources_[root.span.file].text(), is_built_in, around_};
  }

  void add_keys(std::span<const dialects::ConfiguredKey> keys, const dialects::ConfigurationFile& file,
                std::vector<text::JsonReader::Entry>& entries) {
    for (const dialects::ConfiguredKey& key : keys) {
      entries.push_back({key.name, [&](const JsonValue& value) { key.read(value, file, configuration_.dialects); }});
    }
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
    text::JsonFault fault;
    if (const auto root = text::parse_json(sources_[file].text(), file, fault)) read_hosts_of(*root, true);
  }

  // A model that a program has written of its nodes.
  void read_host_xml(const JsonValue& entry, const std::string& path) {
    std::string bytes;
    std::string error = "not a file";
    if (!files_.is_file(path) || !files_.read(path, text::kMaxFileBytes, bytes, error, Readable::named)) {
      json_.add(rules::CFG_path_not_found, entry.span, "cannot read " + text::quote(entry.string) + ": " + error);
      return;
    }
    configuration_.read_paths.push_back(shown_path(path));
    text::Findings findings;  // of the file as one of the project's
    const auto document = text::XmlDocument::parse(shown_path(path), bytes, sources_, findings, {.is_lenient = true});
    bool is_read = false;
    for (const dialects::Dialect& dialect : dialects::all()) {
      const auto read = dialect.configuration.read_xml;
      if (document == nullptr || document->is_damaged() || read == nullptr) continue;
      is_read = read(*document, configuration_.dialects) || is_read;
    }
    if (is_read) return;
    json_.add(rules::CFG_wrong_type, entry.span, text::quote(entry.string) + " is not a host file",
              "an XML file has nothing but a 'TreeNodesModel', as the library's writeTreeNodesModelXML() writes it");
  }

  // May be in any folder.
  void read_host_file(const JsonValue& entry, const std::string& path) {
    if (text::lower_case(path).ends_with(".xml") && files_.exists(path)) return read_host_xml(entry, path);
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
    if (root && expect_hosts(*root)) read_hosts_of(*root, false);
  }

  void read_hosts_of(const JsonValue& root, bool is_built_in) {
    const dialects::ConfigurationFile file = file_of(root, is_built_in);
    std::vector<text::JsonReader::Entry> entries = {
        {"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
        {"madeFrom", [&](const JsonValue& value) { json_.each_string(value, "'madeFrom'", [](const JsonValue&) {}); }},
        {"events", [&](const JsonValue& value) {
           dialects::read_events(value, "'events'", file, configuration_.dialects.events);
         }}};
    for (const dialects::Dialect& dialect : dialects::all()) add_keys(dialect.configuration.host_keys, file, entries);
    json_.read_object(root, "a host file", entries);
  }

  // Names in a file outside the project are shown only if it is a host file.
  bool expect_hosts(const JsonValue& root) {
    const auto declares = [](const JsonValue::Key& key) {
      const auto all = dialects::all();
      return key.name == "events" || std::any_of(all.begin(), all.end(), [&](const dialects::Dialect& dialect) {
               return text::find_by(&dialects::ConfiguredKey::name, dialect.configuration.host_keys, key.name) !=
                      nullptr;
             });
    };
    if (sources_[root.span.file].shows_excerpts() || std::any_of(root.keys.begin(), root.keys.end(), declares)) {
      return true;
    }
    json_.add(rules::CFG_wrong_type, text::place_of(root), "the file is not a host file",
              "a host file is an object with 'hosts', 'events' or 'btcpp'");
    return false;
  }

  // For dialects.
  std::optional<dialects::NamedFile> read_named(const JsonValue& entry, std::size_t limit_bytes, std::string hint) {
    const std::string path = in_folder(entry.string);
    dialects::NamedFile named;
    std::string error = "not a file";
    if (!files_.exists(path)) {
      json_.add(rules::CFG_path_not_found, entry.span, "no such file: " + text::quote(entry.string), std::move(hint));
      return std::nullopt;
    }
    if (!files_.is_file(path) || !files_.read(path, limit_bytes, named.text, error)) {
      json_.add(rules::CFG_path_not_found, entry.span, "cannot read " + text::quote(entry.string) + ": " + error);
      return std::nullopt;
    }
    configuration_.read_paths.push_back(shown_path(path));
    named.id = sources_.add(shown_path(path), named.text);
    return named;
  }

  // A list of names, or an object with what is declared of each.
  void read_behaviors(const JsonValue& value, const dialects::ConfigurationFile& file) {
    std::optional<std::vector<std::string>>& names = configuration_.dialects.behaviors;
    if (value.kind == text::JsonKind::object) {
      names = dialects::read_behaviors(value, file, configuration_.dialects);
    } else {
      dialects::read_declared(value, "'behaviors'", file, names);
    }
  }

  Configuration& configuration_;
  const std::string folder_;  // of espalier.json
  const std::span<const std::string> named_;
  const Files& files_;
  text::Sources& sources_;
  text::Findings& findings_;
  text::JsonReader json_;
  std::set<std::string_view> read_from_program_;  // texts of built-in declarations
  const dialects::Surroundings around_{folder_, [this](const std::string& path) { return files_.exists(path); },
                                       [this](const JsonValue& entry) { return expect_inside(entry); },
                                       [this](const JsonValue& entry, std::size_t limit_bytes, std::string hint) {
                                         return read_named(entry, limit_bytes, std::move(hint));
                                       },
                                       script::check_syntax};
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
    if (files.is_file(candidate.generic_string())) return candidate.generic_string();
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

void read_host_files(const Files& files, text::Sources& sources, Configuration& configuration,
                     text::Findings& findings) {
  Reader(configuration, {}, files, sources, findings).read_other_host_files();
}

}  // namespace espalier::project

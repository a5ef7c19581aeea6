// espalier.json: found, read and checked. schemas/configuration.schema.json describes it to editors.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dialects/dialect.h"
#include "project/files.h"
#include "project/globs.h"
#include "text/finding.h"
#include "text/json.h"
#include "text/source.h"

namespace espalier::project {

inline constexpr const char* kConfigurationName = "espalier.json";

// Configured severities of rules. No severity: off.
using Severities = std::vector<std::pair<rules::Rule, std::optional<rules::Severity>>>;

// An entry of "overrides": severities of findings in some files.
struct Override {
  Globs paths;
  Severities severities;
};

// Why a configured severity does not apply to one of the rules that share a name. Reported only if the project has
// files of the rule's dialect.
struct NotConfigured {
  rules::Rule rule;
  text::Finding finding;
};

// What "fmt" says of the layout of files; nothing: what .editorconfig and the file itself have.
struct LayoutOptions {
  std::optional<std::string> indent;   // a tab, or spaces
  std::optional<std::uint32_t> width;  // in characters
};

// espalier.json, checked. Unknown keys are findings.
struct Configuration {
  std::string path;                // empty: none was found
  std::vector<std::string> paths;  // read when no path is given; relative to its folder
  Globs include;                   // below its folder; empty: all files
  Globs exclude;
  Severities severities;
  std::vector<Override> overrides;  // the last one that matches a file and a rule wins
  std::vector<NotConfigured> not_configured;
  std::vector<std::string> host_files;        // that are read behind those of espalier.json, wherever they are
  std::vector<std::string> read_paths;        // espalier.json and its host files; as shown in findings
  std::string baseline;                       // file of accepted findings, relative to its folder
  std::optional<text::JsonValue> properties;  // what `prove` reads; only its kind is checked
  LayoutOptions layout;
  dialects::Options dialects;
  bool has_errors = false;  // a part of it is not known, such as what it excludes: nothing may be rewritten
};

// The nearest espalier.json in or above the folder of a path, which need not exist; empty when there is none.
std::string nearest_configuration(const std::string& path, const Files& files = {});

// Reads and checks the file at `path`, and adds it to `sources`. Faults become findings; the rest of the file is used
// nevertheless. `named` are the paths of the command line, which may be anywhere; paths in the configuration must be
// inside its folder, except for host files. False: the file could not be read, and `error` says why.
[[nodiscard]] bool read_configuration(const std::string& path, const Files& files, text::Sources& sources,
                                      Configuration& configuration, text::Findings& findings, std::string& error,
                                      std::span<const std::string> named = {});

// The same where there is no espalier.json, but `configuration` has host files.
void read_host_files(const Files& files, text::Sources& sources, Configuration& configuration,
                     text::Findings& findings);

}  // namespace espalier::project

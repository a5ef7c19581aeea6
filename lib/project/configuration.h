// espalier.json: found, read and checked. schemas/configuration.schema.json describes it to editors.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dialects/dialect.h"
#include "project/files.h"
#include "project/globs.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

inline constexpr const char* kConfigurationName = "espalier.json";

// What some rules are here. No severity: off.
using Severities = std::vector<std::pair<rules::Rule, std::optional<rules::Severity>>>;

// Of "overrides": severities of findings in some files.
struct Override {
  Globs paths;
  Severities severities;
};

// Why a severity of the configuration does not hold for one of the rules of that name. Said only where the project has
// files of its dialect.
struct NotConfigured {
  rules::Rule rule;
  text::Finding finding;
};

// espalier.json, checked. Unknown keys are findings.
struct Configuration {
  std::string path;                // empty: none was found
  std::vector<std::string> paths;  // what to read when no path is given, relative to its folder
  Globs include;                   // below its folder; empty: all files are
  Globs exclude;
  Severities severities;
  std::vector<Override> overrides;  // the last one that holds for a file and a rule counts
  std::vector<NotConfigured> not_configured;
  std::vector<std::string> read_paths;  // espalier.json and its host files; as findings show them
  std::string baseline;                 // file of accepted findings, relative to its folder
  dialects::Options dialects;
};

// The nearest espalier.json in or above the folder of a path, which need not exist; empty when there is none.
std::string nearest_configuration(const std::string& path, const Files& files = {});

// Reads and checks the file at `path`, adding it to `sources`. What is wrong with it goes to `findings`, and what is
// right is used all the same. `named` are the paths of the command line, which may lie anywhere; what the configuration
// itself names must lie in its folder, but for host files. False: it could not be read at all, and `error` says why.
[[nodiscard]] bool read_configuration(const std::string& path, const Files& files, text::Sources& sources,
                                      Configuration& configuration, text::Findings& findings, std::string& error,
                                      std::span<const std::string> named = {});

}  // namespace espalier::project

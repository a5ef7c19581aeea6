// From paths on a command line to a project: finds the files, reads espalier.json, parses, hands each file to its
// dialect.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "ir/tree.h"
#include "text/finding.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::project {

struct LoadOptions {
  std::vector<std::string>
      paths;                 // files, folders, or "-"; empty: the folder of the nearest espalier.json above, else "."
  bool ignore_files = true;  // honour .gitignore
  std::uint32_t thread_count = 0;       // 0: all
  std::string configuration_path = {};  // empty: the nearest espalier.json above the first path, if there is one
};

// espalier.json, checked. Unknown keys are findings.
struct Configuration {
  std::string path;                // empty: none was found
  std::vector<std::string> paths;  // what to read when no path is given, relative to its folder
  std::vector<std::pair<rules::Rule, std::optional<rules::Severity>>> severities;  // no severity: off
  std::vector<std::string> read_paths;  // espalier.json and its host files; as findings show them
  std::string baseline;                 // file of accepted findings, relative to its folder
  dialects::Options dialects;
};

struct Project {
  text::Sources sources;
  std::vector<std::unique_ptr<text::XmlDocument>> documents;  // sorted by path
  std::vector<std::string> read_paths;                        // every file read, for --depfile; as findings show them
  Configuration configuration;
  ir::Project ir;
  text::Findings findings;  // configured severities applied, suppressions applied, sorted
  std::uint32_t file_count = 0;
};

// Why there is no project: a path that is not there, a file that cannot be read, a folder without trees. One line each.
struct LoadErrors {
  std::vector<std::string> messages;
};

// Loads into `project`. False when something could not be read at all (exit status 2); what was wrong with what was
// read is in project.findings. The result does not depend on the order of paths or the number of threads.
[[nodiscard]] bool load(const LoadOptions& options, Project& project, LoadErrors& errors);

}  // namespace espalier::project

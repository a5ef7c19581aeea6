// From paths on a command line to a project: finds the files, reads espalier.json, parses, hands each file to its
// dialect.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dialects/dialect.h"
#include "ir/tree.h"
#include "project/globs.h"
#include "project/progress.h"
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
  std::string stdin_filename = {};      // the file that "-" stands for, which need not exist; empty: none
  bool is_isolated = false;             // of a project whose files are named, only these are read
  bool skip_unknown = false;            // a named file that is no tree is passed over, as one that is found is
  Progress* progress = nullptr;         // brought up to date while loading; null: nobody looks
  bool for_compiling = false;           // all findings are kept, and nothing that a tree refers to may be missing
};

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

// A file that is no tree and need not be one.
struct Skipped {
  std::string path;  // as findings show it
  std::string reason;
};

struct Project {
  text::Sources sources;
  std::vector<std::unique_ptr<text::XmlDocument>> documents;  // sorted by path
  std::vector<std::string> read_paths;                        // every file read, for --depfile; as findings show them
  Configuration configuration;
  ir::Project ir;
  text::Findings findings;       // configured severities applied, suppressions applied, sorted
  std::uint32_t file_count = 0;  // of the files that findings are reported for
  std::vector<Skipped> skipped;  // sorted by path
  // Files of the project that were read for the sake of those named: their findings are left out unless for compiling.
  std::set<text::FileId> rest;

  // Empties it but for the texts, which findings of a project that was loaded before may mark.
  void begin_anew();
};

// Why there is no project: a path that is not there, a file that cannot be read, a folder without trees. One line each.
struct LoadErrors {
  std::vector<std::string> messages;
};

// The paths of the options, those of each project together: one list, but where several configurations stand above
// them. Paths that have none are of the first project.
std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options);

// Loads into `project`, which is empty but for texts. False when something could not be read at all (exit status 2);
// what was wrong with what was read is in project.findings. The result does not depend on the order of paths or the
// number of threads.
[[nodiscard]] bool load(const LoadOptions& options, Project& project, LoadErrors& errors);

}  // namespace espalier::project

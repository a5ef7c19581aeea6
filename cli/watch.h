// --watch: runs a verb again whenever a file that it depends on is saved.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "cli/cli.h"
#include "project/incremental/kept_facts.h"
#include "project/parsed_files.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::cli {

// What one run leaves for the next, and what it tells those who wait for changes.
struct RunNotes {
  project::ParsedFiles parsed = project::ParsedFiles();  // only files that have changed are parsed again
  std::shared_ptr<project::KeptFacts> kept = {};         // of lint: and only what depends on them is checked again
  std::set<std::string> read = {};                       // the files that the run has read
  bool has_findings = false;
  std::map<std::string, std::string> cut = {};  // by file: why it may be half written, "a.xml:3:1: ..."

  void add(const project::Project& project);
  // Files whose findings are that they are not well-formed may be half written.
  void add(const text::Findings& findings, const text::Sources& sources);
};

// Adds --watch to a verb.
CLI::Option* add_watch(CLI::App& verb, bool& is_watching);

// Runs `run` now and after each change below the folders of `options.paths`, of `others`, and of what was read, until
// the program is interrupted or its output is closed. Then the status is kOk; it is that of the first run if that
// failed without a finding. `options.notes` must be set, and `format` be one for people; otherwise kFailed. A later run
// is not shown if it finds a file half written that was whole before: the last result stays.
int watch(const CommonOptions& options, const std::vector<std::string>& others, const std::string& format,
          const std::function<int()>& run);

}  // namespace espalier::cli

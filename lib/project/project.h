// From paths on a command line to a checked project. The steps are of their own, for callers that do only some of them,
// or do them again:
//   take_snapshot()  finds and reads the files and espalier.json, and parses what is not parsed yet (snapshot.h)
//   check()          trees and findings of a snapshot: a function of it alone (check.h)
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "project/progress.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

struct Project {
  Snapshot snapshot;
  ir::Project ir;
  text::Findings findings;  // configured severities applied, suppressions applied, sorted
};

// The paths of the options, those of each project together: one list, but where several configurations stand above
// them. Paths that have none are of the first project.
std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options);

// Takes a snapshot of what is on disk, and checks it. False when something could not be read at all (exit status 2);
// what is wrong with what was read is in project.findings, then that of the configuration. The result does not depend
// on the order of paths or the number of threads. `progress` is brought up to date, when it is given.
[[nodiscard]] bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress = nullptr);

}  // namespace espalier::project

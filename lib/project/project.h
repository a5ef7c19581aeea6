// Loads and checks a project in one call. The steps can be called separately, to repeat some of them:
//   take_snapshot()  finds and reads the files and espalier.json, and parses what is not parsed yet (snapshot.h)
//   check()          computes trees and findings from a snapshot, and reads nothing (check.h)
#pragma once
#include <cstdint>
#include <functional>
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
  bool is_cached = false;   // nothing has been checked: they are those of an earlier run
};

// The paths of the options, grouped by project: one list for each configuration above them. Paths without a
// configuration join the first group.
std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options);

// Takes a snapshot from disk and checks it. False: something could not be read (exit status 2), and project.findings
// has the findings so far, such as those of the configuration. The result does not depend on the order of paths or the
// number of threads. The parsed files are released, unless they are to be kept: the snapshot's `files` have none.
[[nodiscard]] bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress = nullptr);

// The same for those who need only findings: `ir` has no trees. With `options.kept`, only what earlier runs do not know
// is parsed and checked, and kept for later runs; the sources of files without findings may be empty.
// `complete` adds to the findings the traces that show them, while `ir` has the trees that it needs; empty: nothing.
[[nodiscard]] bool load_findings(const LoadOptions& options, const std::function<void(Project& project)>& complete,
                                 Project& project, LoadErrors& errors, Progress* progress = nullptr);

}  // namespace espalier::project

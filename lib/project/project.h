// Loads and checks a project in one call. The steps can be called separately, to repeat some of them:
//   take_snapshot()  finds and reads the files and espalier.json, and parses what is not parsed yet (snapshot.h)
//   check()          computes trees and findings from a snapshot, and reads nothing (check.h)
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "project/findings_cache.h"
#include "project/progress.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

struct Project {
  Snapshot snapshot;
  ir::Project ir;
  text::Findings findings;  // configured severities applied, suppressions applied, sorted
  bool is_cached = false;   // they are those of an earlier run
};

// The paths of the options, grouped by project: one list for each configuration above them. Paths without a
// configuration join the first group.
std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options);

// Takes a snapshot from disk and checks it. False: something could not be read (exit status 2), and project.findings
// has the findings so far, such as those of the configuration. The result does not depend on the order of paths or the
// number of threads. The parsed files are released: the snapshot's `files` have none.
[[nodiscard]] bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress = nullptr);

// The same for those who need only findings: `ir` has no trees. A run that the cache knows parses nothing; the sources
// of files without findings are then empty. Others are kept in it. Null: no cache.
// `complete` may add to the findings before they are kept, while `ir` still has the trees; empty: nothing is added, but
// what an earlier run has added may be there.
[[nodiscard]] bool load_findings(const LoadOptions& options, const FindingsCache* cache,
                                 const std::function<void(Project& project)>& complete, Project& project,
                                 LoadErrors& errors, Progress* progress = nullptr);

}  // namespace espalier::project

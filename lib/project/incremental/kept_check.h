// A check that uses what is kept from earlier runs: it parses and examines only the parts of a project that they do not
// know, and finds what check() finds.
#pragma once
#include <functional>

#include "project/files.h"
#include "project/incremental/kept_facts.h"
#include "project/project.h"

namespace espalier::project {

// `project` has its snapshot, of which files that are known are not parsed, and gets the findings. It keeps in `kept`
// what is found. `complete`: as for load_findings(). False: a file has changed since the snapshot was taken; nothing is
// kept then.
[[nodiscard]] bool check_with_kept(const Files& files, KeptFacts& kept,
                                   const std::function<void(Project& project)>& complete, Project& project,
                                   Progress* progress);

}  // namespace espalier::project

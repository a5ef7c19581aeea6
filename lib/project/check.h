// Checks a snapshot: trees and findings.
#pragma once
#include "ir/tree.h"
#include "project/progress.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

struct Checked {
  ir::Project ir;  // of a snapshot that is not for compiling: only trees that something analyses
  text::Findings
      findings;  // configured severities applied, suppressions applied, sorted; includes those of the snapshot
};

// A pure function: the result depends only on the snapshot. No file is read and nothing is kept between calls. Several
// threads may check at once, the same snapshot too.
[[nodiscard]] Checked check(const Snapshot& snapshot, Progress* progress = nullptr);

// The same for a snapshot that is not checked again. To save memory, its parsed files are released as soon as trees
// are made from them.
[[nodiscard]] Checked check_once(Snapshot& snapshot, Progress* progress = nullptr);

}  // namespace espalier::project

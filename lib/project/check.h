// From a snapshot to trees and findings.
#pragma once
#include "ir/tree.h"
#include "project/progress.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

struct Checked {
  ir::Project ir;
  text::Findings findings;  // configured severities applied, suppressions applied, sorted; with those of reading
};

// A function of the snapshot: it reads no file and keeps nothing. Several threads may check, the same snapshot too.
[[nodiscard]] Checked check(const Snapshot& snapshot, Progress* progress = nullptr);

}  // namespace espalier::project

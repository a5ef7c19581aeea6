// Checks a snapshot: trees and findings.
#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "ir/tree.h"
#include "project/progress.h"
#include "project/snapshot.h"
#include "project/suppressions.h"
#include "text/finding.h"

namespace espalier::project {

struct Checked {
  ir::Project ir;  // of a snapshot that is not for compiling: only trees that something analyses
  text::Findings
      findings;  // configured severities applied, suppressions applied, sorted; includes those of the snapshot
};

// The first part of a check, as far as files can be looked at in parts: what readers and analyses find. Files that are
// left out have no findings but those that others show. The parsed files are released, as check_once() does.
struct Examined {
  Checked checked;                      // the findings are as they were found, those of the snapshot among them
  std::set<std::string_view> prefixes;  // of codes of the rules that apply to the files, left out or not
  std::vector<FileComments> comments;   // of the files that are not left out
};
[[nodiscard]] Examined examine_once(Snapshot& snapshot, Progress* progress = nullptr);

// The second part, which needs the findings of all files, the texts of those that they show, and if a fix guesses what
// a name was meant to be, the texts of all.
void settle(const Snapshot& snapshot, const std::set<std::string_view>& prefixes,
            const std::vector<FileComments>& comments, text::Findings& findings);

// Both parts: a pure function. The result depends only on the snapshot. No file is read and nothing is kept between
// calls. Several threads may check at once, the same snapshot too.
[[nodiscard]] Checked check(const Snapshot& snapshot, Progress* progress = nullptr);

// The same for a snapshot that is not checked again. To save memory, its parsed files are released as soon as trees
// are made from them.
[[nodiscard]] Checked check_once(Snapshot& snapshot, Progress* progress = nullptr);

}  // namespace espalier::project

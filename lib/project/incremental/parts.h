// The parts of a project: files that have to be looked at together, since names connect them. What is found in a part
// depends on its own files, on little that is the same for all parts, and on what trees elsewhere do (TreesElsewhere).
#pragma once
#include <cstddef>
#include <vector>

#include "project/content_hash.h"
#include "project/snapshot.h"

namespace espalier::project {

struct Part {
  std::vector<std::size_t> files;  // of the snapshot, sorted
  // Of all that its findings depend on, but for trees elsewhere: two parts with one identity have the same findings.
  ContentHash identity = {};
};

// Each file that is read as a tree is in one part. The files must have facts. `common`: of what is the same for all
// parts.
[[nodiscard]] std::vector<Part> parts_of(const Snapshot& snapshot, const ContentHash& common);

// Of what findings in all parts may depend on: files that are damaged, or of no dialect, or skipped; which dialects
// there are, about how many files of each, and whether there are comments.
[[nodiscard]] ContentHash common_of(const Snapshot& snapshot);

// Is it read as a tree?
[[nodiscard]] bool is_of_part(const SnapshotFile& file);
// The damaged files, which may have the words that explain a finding in any other.
[[nodiscard]] std::vector<std::size_t> damaged_files(const Snapshot& snapshot);

}  // namespace espalier::project

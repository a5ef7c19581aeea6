// The files that trees are written in: references bring parts of other files into a tree.
#pragma once
#include <set>

#include "ir/tree.h"

namespace espalier::project {

// All files of the trees that have a part in one of these.
[[nodiscard]] std::set<text::FileId> files_of_trees_with(const std::set<text::FileId>& files,
                                                         const ir::Project& project);

}  // namespace espalier::project

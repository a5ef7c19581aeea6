// Names of assets that have one tree each.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"

namespace espalier::compiled {

// A tree's name as a file name without extension that is valid on every file system: "Guard/Night" becomes
// "Guard_Night".
[[nodiscard]] std::string file_stem(std::string_view tree_name);

// The same for each tree of a project. Trees of one name are named after their files, with as much of the path as tells
// them apart, without case: "follow", "nav_follow"; several of one file get their own names behind: "follow_Main".
[[nodiscard]] std::vector<std::string> file_stems(const ir::Project& project);

}  // namespace espalier::compiled

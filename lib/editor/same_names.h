// The places where a name of a project means the same. The trees of BehaviorTree.CPP are those of a program: other
// programs of the project can have trees of the same names.
#pragma once
#include <string_view>
#include <vector>

#include "editor/live_project.h"

namespace espalier::editor {

// Of the occurrences that the index has, those that mean what this one means, or may in some program. In the order of
// files and text.
[[nodiscard]] std::vector<FileOccurrence> same_names(const LiveProject& project, FileId file,
                                                     const Occurrence& occurrence);

}  // namespace espalier::editor

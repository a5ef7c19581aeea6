// Trees with errors, as far as they can be read: what an error is about is left out, or stands for a node of the
// program.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compiled/changes.h"
#include "project/project.h"

namespace espalier::compiled {

// Has it no errors, and are all trees there that its trees use?
[[nodiscard]] bool is_whole(const project::Project& project);

// The texts of the files with errors, changed where they have them: a subtree that is nowhere becomes an action of its
// name, an attribute is left out, and so is an element, or in trees of BehaviorTree.CPP it becomes an action. All else
// keeps its line. Other errors may be left, or come.
[[nodiscard]] std::vector<TextChanges::File> readable_texts(const project::Project& project);

// A name without the characters that the library refuses.
[[nodiscard]] std::string readable_name(std::string_view name);

}  // namespace espalier::compiled

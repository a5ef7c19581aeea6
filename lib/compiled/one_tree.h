// One of a project's trees, when the others do not matter.
#pragma once
#include <cstddef>
#include <string_view>

#include "ir/tree.h"

namespace espalier::compiled {

// Removes all trees but those that are called so, and those that may run in their slots: the one of this name;
// otherwise those of this name in some file, whatever the case. Returns how many are called so; if none is, all stay.
std::size_t leave_tree(std::string_view name, ir::Project& project);

}  // namespace espalier::compiled

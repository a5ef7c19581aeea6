// Checks the slots of all trees of a project: that all uses of a slot agree, that the trees they name exist, and that
// agents are not too large.
#pragma once
#include <vector>

#include "dialects/synchronized/tree_reader.h"

namespace espalier::dialects::synchronized {

// Why a tree that is named may be missing.
struct Lacking {
  bool unreadable = false;  // a file or a name cannot be read, which has been reported
  bool not_given = false;   // the files may be only a part of the project
};

// Marks trees as faulty. `others`: trees of other dialects. Returns the slots, sorted by name.
std::vector<ir::Slot> check_slots(std::vector<ReadTree>& trees, const std::vector<ir::Tree>& others, Lacking lacking,
                                  text::Findings& findings);

}  // namespace espalier::dialects::synchronized

// What trees of a project are to one another in slots: that all uses of a slot agree, that the trees they name are
// there, and that agents are not too large.
#pragma once
#include <vector>

#include "dialects/synchronized/tree_reader.h"

namespace espalier::dialects::synchronized {

// Marks trees as faulty. `others`: trees of other dialects. The slots, sorted by name.
std::vector<ir::Slot> check_slots(std::vector<ReadTree>& trees, const std::vector<ir::Tree>& others, bool may_lack_tree,
                                  text::Findings& findings);

}  // namespace espalier::dialects::synchronized

// Runs a tree as a recorder inside of the program saw it run (Log::updates): which nodes were ticked in each update,
// what they returned, and what was written. Nothing is inferred, but for the exact time of an update, on which timers
// depend: if the tree does something else at the time that was recorded, times nearby are tried.
#pragma once
#include "live/formats/log.h"
#include "live/lockstep.h"
#include "live/logged_tree.h"

namespace espalier::live {

// `log.updates` are of this tree, and not empty. The tree gets the values that its nodes wrote.
[[nodiscard]] FittedRun follow(LoggedTree& tree, const Log& log);

}  // namespace espalier::live

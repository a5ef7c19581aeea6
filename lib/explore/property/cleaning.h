// Is what is interrupted cleaned up?
#pragma once
#include "explore/poll/set_back.h"
#include "explore/results.h"

namespace espalier::explore {

// A part of the tree sets an entry, and whenever the part ends by itself has set it back: has it also, after the part
// was interrupted? If it does not always set it back by itself, nothing says that it should be: then the proof is not
// told.
Proof prove_set_back(const Tree& tree, const SetBackEntry& entry, const std::string& name, const Options& options);

}  // namespace espalier::explore

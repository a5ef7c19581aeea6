// Items of a tree that no run reaches, found in slices of the tree (slice.h): where all runs of it cannot be explored.
#pragma once
#include <vector>

#include "explore/tracker.h"

namespace espalier::explore {

// Of undecided items, those that a slice does not reach become not reached. The budget is that of all slices.
void rule_out(const Tree& tree, const Tracker& tracker, const Options& options, const Budget& budget,
              std::vector<Item>& items);

}  // namespace espalier::explore

// A tree that selects, back from an asset to the form that is analysed.
#pragma once
#include <espalier/espalier.hpp>

#include "ir/tree.h"

namespace espalier::explore {

// With the ids of the asset: variables, signals, leaves and states have the same numbers. The nodes of shared units are
// at each of their places, below a priority that stands for the share; so is the root's unit. Without spans.
ir::Tree lifted(const Tree& tree);

}  // namespace espalier::explore

// One property of one tree.
#pragma once
#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

// The tree must be one of trees_of() the property; the budget is that of this proof.
Proof prove_property(const Property& property, const Tree& tree, const Options& options);

}  // namespace espalier::explore

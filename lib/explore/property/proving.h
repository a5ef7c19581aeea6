// One property of one tree.
#pragma once
#include <optional>

#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

// The tree must be one of trees_of() the property; the budget is that of this proof.
Proof prove_property(const Property& property, const Tree& tree, const Options& options);

// Does no run of the tree's slice for the property show what would decide it (slice.h)? Then no run of the tree does.
// `has_free_times`: as Facts have it, if that may be. False: the slice can show it, or the budget does not suffice.
// None: there is no slice.
std::optional<bool> is_never_shown_by_slice(const Property& property, const Tree& tree, const Options& options,
                                            bool keeps_tests, bool has_free_times);

}  // namespace espalier::explore

// Several properties of a tree that one exploration decides: those about single updates, whose answers need no memory.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

// Is it about single updates, as any state after one shows them?
bool is_of_single_updates(const Property& property);

struct Together {
  std::vector<bool> are_never_shown = {};  // for each property
  std::uint64_t state_count = 0;
  std::uint64_t used_count = 0;  // as of covers
};

// Does no run of the tree show what would decide the property? All of them must be of single updates, of this tree, and
// have the same `agents`. False: some run does, or the budget does not suffice.
Together look_together(std::span<const Property* const> properties, const Tree& tree, const Options& options);

}  // namespace espalier::explore

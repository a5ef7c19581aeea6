// Exploration of trees that select on decision diagrams, for those with too many variables to list their states: the
// same answers as those of a search.
#pragma once
#include <espalier/espalier.hpp>
#include <optional>
#include <vector>

#include "explore/results.h"
#include "explore/world.h"

namespace espalier::explore {

// Are its states functions, rather than listed?
bool uses_diagrams(const Tree& tree, Method method);

// What diagrams find of the items of a tree, which are those of its tracker, in their order.
struct SelectingCover {
  std::vector<Reached> reached;
  std::vector<std::optional<Trace>> traces;  // the shortest one to each item that is reached
  std::uint64_t state_count = 0;
  bool is_complete = false;
};
SelectingCover cover_selecting(const World& world, const Budget& budget);

}  // namespace espalier::explore

// What a host sees of an agent after an update, by which versions of a tree are compared: the selected behaviour, the
// actions that run, the active path of behaviours.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "explore/results.h"
#include "explore/seen.h"

namespace espalier::explore {

struct Shown {
  std::vector<std::uint32_t> behaviors;  // of the asset, in the order of the tree; deciders: from the root
  std::uint32_t status = 0;              // Result of the last update; of trees that select: 0
};

void look(const Seen& seen, Shown* shown);
// Does the order of what agents of the tree show mean something? That of running actions does not.
bool has_order_of_shown(const Tree& tree);

// Where the last of the behaviours stands in the tree; line 0 if there is none.
SourcePlace place_of_shown(const Seen& seen);

// What lets the agent show that, in words: "the leaf 'Attack' is selected, on the condition EnemyVisible and !LowAmmo";
// empty if nothing is shown.
std::string reason_of_shown(const Seen& seen);
std::string reason_of_leaf(const Tree& tree, std::uint32_t leaf);

}  // namespace espalier::explore

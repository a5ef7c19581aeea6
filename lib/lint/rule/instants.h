// Which rules can end in the update that starts them. Conditions are asked so often within one update that they are
// taken as constant in it: a list is not said to end where one condition would have to hold and not to hold.
#pragma once
#include <cstdint>
#include <vector>

#include "lint/rule/outline.h"

namespace espalier::lint {

// What an action that is called does in its first update.
enum class ActionsAt : std::uint8_t {
  best,      // it ends, if it can end
  declared,  // it runs, unless it is declared never to run
};

// Of each place: is it a list that loops and is not faulty, one round of which can succeed in the update that starts
// it? A faulty rule in it never ends at once.
std::vector<bool> loops_that_can_restart(const RuleOutline& outline, ActionsAt actions);

}  // namespace espalier::lint

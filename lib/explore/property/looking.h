// What a claim sees of agents after an update.
#pragma once
#include <vector>

#include "explore/run.h"
#include "replay/expectation.h"

namespace espalier::explore {

// The first agent. `statuses` is a byte for each agent in what the observer keeps of states, zero in the beginning: the
// claim is about statuses, which stopped agents, and those that are not updated now, have of their last update. Null:
// it is not. `all` gets all agents, if the claim is about each of them; otherwise null.
Seen seen_of_first(const Run& run, unsigned char* state, unsigned char* statuses,
                   std::vector<replay::ObservedAgent>* all);

}  // namespace espalier::explore

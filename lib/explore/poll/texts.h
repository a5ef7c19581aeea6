// Can an entry of a tree that polls ever hold a text? In most trees none can: the room for texts, which is most of a
// block, is then no part of a state.
#pragma once
#include "explore/engine.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {

// How much of an agent's block may ever be used.
std::uint32_t used_bytes_of_polling(const Side& side, HostWrites writes);

}  // namespace espalier::explore

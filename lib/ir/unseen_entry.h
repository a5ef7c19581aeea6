// Entries that nothing finds, because of their names.
#pragma once
#include "ir/poll.h"

namespace espalier::ir {

// What is made for a name that a SubTree connects to one with '@': an entry whose own name begins with '@'.
inline bool is_unseen(const PollEntry& entry) { return entry.name.size() > 1 && entry.name[0] == '@'; }

}  // namespace espalier::ir

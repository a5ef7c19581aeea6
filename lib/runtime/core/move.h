// What moving an agent to another version of its tree needs, of whichever family.
#pragma once
#include "asset/view.h"

namespace espalier {

// Those that both have, by name.
void copy_variables(const Tree& from, const void* from_block, const Tree& to, void* to_block);

}  // namespace espalier

// The verification of a node against its row in opcodes.def, which is the same for all engines. Each function returns
// null, or what is wrong.
#pragma once
#include "asset/view.h"

namespace espalier {

// Checks the opcode, extent, flags and children of a node with any content. `words_left` is the number of words to the
// end of its parent, or of its unit. The children must have the right number and kinds, be within the node, and be
// numbered in order. Their contents are not checked.
const char* check_node(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id);

// Can this node be the root of its unit? The other kinds occur only as children of one kind of node.
const char* check_root(const std::uint32_t* node);

}  // namespace espalier

// The verification of a node against its row in opcodes.def, which is the same for all engines. Each function returns
// null, or what is wrong.
#pragma once
#include "asset/view.h"

namespace espalier {

// Checks the opcode, extent and flags of a node with any content. `words_left` is the number of words to the end of its
// parent, or of its unit.
const char* check_header(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id);

// Checks the headers of the children of a node whose own header is right: they have the right number and kinds, fill
// the node, and are numbered in order.
const char* check_children(const std::uint32_t* node);

// Can this node be the root of its unit? The other kinds occur only as children of one kind of node.
const char* check_root(const std::uint32_t* node);

}  // namespace espalier

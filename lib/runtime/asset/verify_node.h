// What verifying a node has in common in all engines, by its row in opcodes.def. Each function returns null, or what is
// wrong.
#pragma once
#include "asset/view.h"

namespace espalier {

// Of a node of any content, with so many words to the end of its parent, or of its unit: its opcode, extent, flags, and
// its children: as many as it must have, each within it, of the kinds that may stand there, and numbered in order.
// What is in the children is not looked at.
const char* check_node(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id);

// Can this node be the root of its unit? The other kinds occur only below one kind of node.
const char* check_root(const std::uint32_t* node);

}  // namespace espalier

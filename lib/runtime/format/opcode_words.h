// Names of opcodes, for what prints nodes: separate from opcode_info.h, so that games do not contain these strings.
#pragma once
#include "format/kinds.h"

namespace espalier {

// "tick_sequence"; empty: there is no such opcode.
const char* opcode_name(Opcode opcode);

}  // namespace espalier

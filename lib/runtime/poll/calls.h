// Which nodes are the host's.
#pragma once
#include "format/kinds.h"

namespace espalier {

// Polled::host is a behaviour.
bool calls_behavior(Opcode opcode);
// Polled::host is a condition.
bool asks_condition(Opcode opcode);

}  // namespace espalier

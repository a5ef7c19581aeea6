// Nodes that call the host. See calls.h.
#include "poll/calls.h"

#include "format/opcodes/poll.h"

namespace espalier {

bool calls_behavior(Opcode opcode) { return opcode == opcode::poll_action || opcode == opcode::poll_sync_action; }

bool asks_condition(Opcode opcode) { return opcode == opcode::poll_condition || opcode == opcode::poll_gate; }

}  // namespace espalier

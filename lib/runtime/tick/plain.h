// The nodes that most trees mostly consist of: sequences, selectors, and actions without memory. walk.cpp defines what
// they do, and walks all nodes; plain.cpp does the same for these ones, when nobody watches, with the state of the walk
// in local variables: members, which the host's functions could reach, are read again after each call.
#pragma once
#include "format/opcodes/tick.h"
#include "tick/agent.h"

namespace espalier {

inline bool is_list(Opcode opcode) { return opcode == opcode::tick_sequence || opcode == opcode::tick_selector; }

// The next step of a walk.
enum class TickMove : std::uint8_t {
  begin,  // the node begins
  give,   // the node has ended with the result
  rest,   // the present region continues at the next update
  end,    // the update is over with the result
};

// Where a walk is. See TickWalk for the words.
struct TickPosition {
  std::uint32_t word;
  std::uint32_t old_word;
  Result result;  // success or failure
};

// Walks through plain nodes from a node that begins or has ended, until a running action, or until another node is the
// next one to begin or the parent of one that has ended. The first one is a list, or has ended in one; cursors have 2
// bytes, and the host has behaviours. `place`: of the cursor of the present region.
TickMove walk_plain(const TickAgent& agent, HostCaller& caller, unsigned char* place, TickMove move,
                    TickPosition* position);

}  // namespace espalier

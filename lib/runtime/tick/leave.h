// How nodes of the engine tick end: what they did is undone, places are given back.
#pragma once
#include "core/watch.h"
#include "tick/agent.h"

namespace espalier {

inline bool run_script(const TickAgent& agent, std::uint32_t word, std::uint32_t script, HostCaller& caller) {
  return script != 0 && caller.script(agent.unit_word + word, script - 1);
}

// Undoes what an active node did, whose children are idle: it has a result, or is interrupted. It is the present one of
// its region as long as the host is called.
void undo(const TickAgent& agent, std::uint32_t word, HostCaller& caller, bool is_interrupted);

// Interrupts the present node `word` of a region and its parents up to, and not with, `stop` (kNoWord: all). What
// is active inside goes first; branches in the order of the file.
void interrupt(const TickAgent& agent, std::uint32_t region, std::uint32_t word, std::uint32_t stop, HostCaller& caller,
               const Watcher* watcher);

// False of nodes that the XML does not have: nothing is told of them.
inline bool is_in_xml(Opcode opcode) {
  return opcode != Opcode::tick_branch && opcode != Opcode::tick_case && opcode != Opcode::tick_state;
}

// Tells of a node, if the XML has it.
void tell(const Watcher& watcher, const TickAgent& agent, NodeStepKind kind, std::uint32_t word,
          std::uint32_t value = 0);

}  // namespace espalier

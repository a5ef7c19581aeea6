// The places that nodes of the engine tick hold, and how nodes end: they release what they hold.
#pragma once
#include "core/watch.h"
#include "format/opcodes/tick.h"
#include "tick/agent.h"

namespace espalier {

inline bool run_script(const TickAgent& agent, std::uint32_t word, std::uint32_t script, HostCaller& caller) {
  return script != 0 && caller.script(agent.unit_word + word, script - 1);
}

// Takes one of `maximum` places in a shared block or a group's block, if there is a free one.
bool count_in(void* block, std::uint32_t index, std::uint32_t maximum);
// An agent counts once. While it holds the name, another node with this name only tests whether there is a free place.
bool take_scope(const TickAgent& agent, const std::uint32_t* node, const Host& host);

// Ends an active node that has no active children, because it has a result or is interrupted. It remains the present
// node of its region while the host is called.
void undo(const TickAgent& agent, std::uint32_t word, HostCaller& caller, bool is_interrupted);

// Interrupts the current node `word` of a region and its parents up to `stop`, excluded (kNoWord: all). Active nodes
// inside come first; branches in the order of the file.
void interrupt(const TickAgent& agent, std::uint32_t region, std::uint32_t word, std::uint32_t stop, HostCaller& caller,
               const Watcher* watcher);

// False for nodes that do not occur in the XML: they are not reported.
inline bool is_in_xml(Opcode opcode) {
  return opcode != opcode::tick_branch && opcode != opcode::tick_case && opcode != opcode::tick_state;
}

// Reports a node, if it occurs in the XML.
void tell(const Watcher& watcher, const TickAgent& agent, NodeStepKind kind, std::uint32_t word,
          std::uint32_t value = 0);

}  // namespace espalier

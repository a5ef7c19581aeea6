// How nodes of the family tick take a place, and undo what they did: gates that count, wrappers, actions.
#pragma once
#include "tick/agent.h"

namespace espalier {

// Acquired and released like a lock: who has the only place may touch what only its users touch.
inline bool take_place(void* block, std::uint32_t index, std::uint32_t maximum) {
  if (block == nullptr) return maximum > 0;
  Places& places = places_at(block, index);
  std::uint16_t taken = places.load(std::memory_order_relaxed);
  while (taken < maximum) {
    if (places.compare_exchange_weak(taken, static_cast<std::uint16_t>(taken + 1), std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

inline void give_place(void* block, std::uint32_t index) {
  if (block != nullptr) places_at(block, index).fetch_sub(1, std::memory_order_release);
}

// An agent counts once: while it holds the name, another node of the name only looks whether there would be room.
inline bool take_scope(const TickAgent& agent, const std::uint32_t* node, const Host& host) {
  unsigned char* held = agent.bytes + agent.ticking.held_offset;
  const std::uint32_t scope = node[kOperandB];
  const std::uint32_t maximum = node[kOperandC];
  if (TickAgent::bit(held, scope)) {
    return (host.group == nullptr ? 0u : places_at(host.group, scope).load(std::memory_order_relaxed)) < maximum;
  }
  if (!take_place(host.group, scope, maximum)) return false;
  TickAgent::set_bit(held, scope, true);
  return true;
}

inline void give_scope(const TickAgent& agent, const std::uint32_t* node, const Host& host) {
  unsigned char* held = agent.bytes + agent.ticking.held_offset;
  const std::uint32_t scope = node[kOperandB];
  if (!TickAgent::bit(held, scope)) return;
  TickAgent::set_bit(held, scope, false);
  give_place(host.group, scope);
}

inline bool run_script(const TickAgent& agent, std::uint32_t word, std::uint32_t script, HostCaller& caller) {
  return script != 0 && caller.script(agent.unit_word + word, script - 1);
}

// Undoes what an active node did, whose children are idle: it has a result, or is interrupted. It is the present one of
// its region as long as the host is called.
inline void undo(const TickAgent& agent, std::uint32_t word, HostCaller& caller, bool is_interrupted) {
  const std::uint32_t* node = agent.nodes + word;
  switch (TickAgent::opcode(node)) {
    case Opcode::tick_limit:
      give_place(caller.host().shared, node[kOperandB]);
      return;
    case Opcode::tick_scope:
      give_scope(agent, node, caller.host());
      return;
    case Opcode::tick_script_wrapper:
      run_script(agent, word, node[kOperandC], caller);
      return;
    case Opcode::tick_wrapper:
    case Opcode::tick_action: {
      const BoundBehavior bound = agent.behavior(word, caller);
      return is_interrupted ? bound.interrupt_or_leave() : bound.leave();
    }
    default:
      return;
  }
}

// Nodes that the XML does not have as nodes: nothing is told of them.
inline bool is_watched(Opcode opcode) {
  return opcode != Opcode::tick_branch && opcode != Opcode::tick_case && opcode != Opcode::tick_state;
}

// Interrupts the present node `word` of a region and its parents up to, and not with, `stop` (kNoWord: all). What
// is active inside goes first; branches in the order of the file.
template <typename Watch>
void interrupt(const TickAgent& agent, std::uint32_t region, std::uint32_t word, std::uint32_t stop, HostCaller& caller,
               const Watch& watch) {
  while (word != stop || agent.branch_inside(word) != kNoWord) {
    if (const std::uint32_t inside = agent.branch_inside(word); inside != kNoWord) {
      region = inside;
      word = agent.cursor(inside);
      continue;
    }
    agent.set_cursor(region, word);
    undo(agent, word, caller, true);
    if (is_watched(agent.opcode_at(word))) watch.node({NodeStepKind::interrupt, agent.unit_word + word, 0});
    if (agent.is_root(word)) return;
    word = agent.parent_of(word);
    if (agent.opcode_at(word) != Opcode::tick_branch) continue;
    agent.set_active_branch(word, false);
    word = agent.parent_of(word);
    region = agent.region_of(word);
  }
}

}  // namespace espalier

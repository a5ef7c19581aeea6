// What the functions for all agents need of trees that tick.
#pragma once
#include "tick_agent.h"

namespace espalier {

// Updates `count` agents, `stride_bytes` apart; gives the last one's result.
Result update_ticking(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host);
void stop_ticking(const Tree& tree, void* block, const Host& host);
// Places that `block` holds are given back, those that `saved` holds are taken, whatever the maximum is.
void exchange_places(const Tree& tree, const void* block, const void* saved, const Host& host);
// Adds `change` to the counts of all places that an agent holds.
void count_places(const TickAgent& agent, const Host& host, std::uint16_t change);
// The first part of what an event does.
void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const ChangeListener& listener);

}  // namespace espalier

/* Trees that tick: nodes run until they succeed or fail.

   espalier_update() goes on with what runs. The root's result is the update's, and the tree begins again at the next
   one or has stopped for good, as it says. Behaviours of leaves have `enter`, `tick` (asked at each update, the first
   one included; null: success), `leave` (it has succeeded or failed), `interrupt` (it is left without a result; null:
   `leave` is called) and `event` (an event has come while it is active). Behaviours around a child have `enter`,
   `allow` (is the child let in? null: yes), `leave` and `interrupt`. An event (espalier_signal()) sets variables, then
   timestamps to the host's clock, and then the active nodes hear of it. Limits count places in the tree's shared block,
   scopes in the block of the agent's group; where a block is null every place is free. Any content of them is safe. A
   stopped agent keeps its variables and timestamps; espalier_move_agent() carries timestamps over by name. */
#ifndef ESPALIER_TICKING_H
#define ESPALIER_TICKING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Bytes of a block that all agents of one group share, whatever their trees of this asset; 0: there are no scopes. */
size_t espalier_group_bytes(const espalier_asset* asset);
/* Begins a group's block, at a multiple of 8, with all places free. Agents may then be updated from several threads. */
void espalier_start_group(const espalier_asset* asset, void* block);

static inline espalier_status espalier_find_timestamp(espalier_tree tree, const char* name, uint32_t* timestamp) {
  return espalier_find(tree, ESPALIER_TIMESTAMPS, name, timestamp);
}
/* The time it was set at, in microseconds. False: it never was, or was cleared. */
bool espalier_timestamp(espalier_tree tree, const void* block, uint32_t timestamp, uint64_t* time_us);

/* Of an active tick_machine, the number of its present state; of any other node 0. */
uint32_t espalier_present_state(espalier_tree tree, const void* block, uint32_t node_word);
/* Of an active tick_wait, when it ends, in microseconds; of any other node 0. */
uint64_t espalier_wait_end_us(espalier_tree tree, const void* block, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

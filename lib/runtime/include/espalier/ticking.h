/* Trees that tick: nodes run until they succeed or fail.

   espalier_update() continues what runs. The root's result is the update's. The tree then begins again at the next
   update, or the agent has stopped (espalier_is_stopped()), as the tree says. Behaviours of leaves have `enter`, `tick`
   (called at each update, including the one that enters it; null: success), `leave` (it has succeeded or failed),
   `interrupt` (it ends without a result; null: `leave` is called) and `event` (an event was raised while it is active;
   events that the tree does not name reach them too). espalier_call.memory is their memory, if they are declared with
   some: zero when they begin, and theirs until they have ended.
   Behaviours around a child (wrappers) have `enter`, `allow` (may the child begin? null: yes; if not, `leave` follows),
   `leave` and `interrupt`. Actions for which the host has declared "memory" or "times" have it while they are active.
   An event (espalier_signal()) sets variables, then timestamps to the host's clock, and is
   then passed to the active nodes; an agent that has stopped ignores it. Limits count places in the tree's shared
   block, scopes in the block of the agent's group; where a block is null every place is free. Any content of these
   blocks is safe. espalier_stop() keeps the variables, the timestamps and the random numbers. espalier_move_agent()
   carries over timestamps by name. */
#ifndef ESPALIER_TICKING_H
#define ESPALIER_TICKING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Bytes of a block that the agents of one group share, whichever tree of the asset they have; 0: it has no scopes. */
size_t espalier_group_bytes(const espalier_asset* asset);
/* Initialises a group's block, at a multiple of 8, with all places free. Its agents may then be updated from several
   threads. */
void espalier_start_group(const espalier_asset* asset, void* block);

static inline espalier_status espalier_find_timestamp(espalier_tree tree, const char* name, uint32_t* timestamp) {
  return espalier_find(tree, ESPALIER_TIMESTAMPS, name, timestamp);
}
/* The clock when it was last set, in microseconds. False: it was never set, or was cleared; `*time_us` is unchanged. */
bool espalier_timestamp(espalier_tree tree, const void* block, uint32_t timestamp, uint64_t* time_us);

/* The number of the current state of an active tick_machine; of any other node 0. */
uint32_t espalier_present_state(espalier_tree tree, const void* block, uint32_t node_word);
/* The clock at which an active tick_wait ends, in microseconds; of any other node 0. */
uint64_t espalier_wait_end_us(espalier_tree tree, const void* block, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

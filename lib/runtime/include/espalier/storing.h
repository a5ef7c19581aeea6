/* Trees that store: every node keeps its result until it is reset, agents meet in the tree's gates and groups, and
   trees are put into slots at run time.

   espalier_update() goes on with what runs. ESPALIER_ERROR: there was no shared block, and nothing was done.
   Behaviours have `enter`, `tick` (asked at each update, the first one included; null: success), `leave` (it has
   succeeded or failed), `interrupt` (it is reset while it runs) and `reset` (it is reset after it was done, to clean
   up). Conditions have `ask`; null: false.
   All agents of all such trees of an asset share one block. What they hold in it, and the times of cooldowns of all,
   are there: the block and the blocks of all agents that share it are saved together and put back together, by copying
   all of them while none is updated; espalier_restore() does nothing. A function of the host must not inject at once
   into the agent that calls it. A stopped agent keeps what is in its slots and the times of its cooldowns.
   espalier_move_agent() begins anew, with what is in its slots, by name. */
#ifndef ESPALIER_STORING_H
#define ESPALIER_STORING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define ESPALIER_NO_TREE UINT32_C(0xFFFFFFFF)

static inline espalier_status espalier_find_slot(const espalier_asset* asset, const char* name, uint32_t* slot) {
  return espalier_find(espalier_tree_at(asset, 0), ESPALIER_SLOTS, name, slot);
}
/* Puts a tree of the asset (by index; ESPALIER_NO_TREE: none) into a slot of this agent, to be entered there next.
   `immediate`: what runs in the slot now is reset, at once. An agent whose own tree has no node for slots keeps nothing
   of it. ESPALIER_NOT_FOUND, ESPALIER_NOT_ACCEPTED, ESPALIER_TOO_LARGE: nothing is changed.
   A tree in a slot fails when it would be deeper within others than the agent's tree allows, or there has not the room
   that it needs; espalier_host.too_deep is told then. */
espalier_status espalier_inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                                const espalier_host* host);
/* The tree that was put into a slot of this agent, or ESPALIER_NO_TREE. */
uint32_t espalier_injected_tree(espalier_tree tree, const void* block, uint32_t slot);
/* How many agents are inside a gate, or wait or are bound in a group: by its node, of any tree of the asset. */
uint32_t espalier_inside_count(const espalier_asset* asset, const void* shared, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

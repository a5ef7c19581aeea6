/* Trees that store: every node keeps its result until it is reset, agents meet in the tree's gates and groups, and
   other trees are put into slots at run time.

   espalier_update() continues what runs. The root's result is the update's; the tree is then reset, and begins again at
   the next update. ESPALIER_ERROR: there was no shared block, and nothing was done.
   Behaviours have `enter`, `tick` (called at each update, including the one that enters it; null: success), `leave` (it
   has succeeded or failed), `interrupt` (it is reset while it runs) and `reset` (it is reset after it has succeeded or
   failed, to clean up; its times run on until then, and espalier_call.memory is its own until then, if it is declared
   with "memory"). Conditions have `ask`; null: false. These trees have no variables
   and no signals. All agents of all such trees of an asset can share one block (espalier_host.shared), or several, for
   example one for each squad. It has what its agents hold in gates and groups, and the times of cooldowns for all
   agents: save it together with the blocks of all agents that share it, and put all of them back together by copying
   them while none is updated. espalier_restore() does nothing. A function of the host must not inject with `immediate`
   into the agent that calls it. espalier_stop() keeps which trees are in the slots, and the times of the agent's
   cooldowns; without the shared block it does nothing. espalier_move_agent() begins again, and keeps only which trees
   are in the slots, by name. */
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
/* Puts a tree of the asset (by index; ESPALIER_NO_TREE: none, the slot's node runs its default) into a slot of this
   agent. The slot's node runs it when it begins next; `immediate`: what runs in the slot now is reset at once. Where
   the agent's own tree has no node for slots, it returns ESPALIER_OK and does nothing. ESPALIER_NOT_FOUND,
   ESPALIER_NOT_ACCEPTED, ESPALIER_TOO_LARGE: nothing is changed.
   The slot's node fails, and espalier_host.too_deep is called, when its tree would be nested deeper than the agent's
   tree allows, or does not fit the room there. */
espalier_status espalier_inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                                const espalier_host* host);
/* The tree that was put into a slot of this agent, or ESPALIER_NO_TREE. */
uint32_t espalier_injected_tree(espalier_tree tree, const void* block, uint32_t slot);
/* How many agents are inside a gate, or wait in a group or have a role in it: by the node's index in the asset's
   `nodes`, of any tree. */
uint32_t espalier_inside_count(const espalier_asset* asset, const void* shared, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

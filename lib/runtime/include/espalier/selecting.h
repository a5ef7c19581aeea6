/* Trees that select: one leaf's behaviour is active, and another is chosen when a variable changes.

   espalier_update() evaluates the tree if a variable has changed or none was selected last, and changes the behaviour
   if another leaf is selected: ESPALIER_RUNNING, or ESPALIER_FAILURE where nothing was selected. The agent has no
   behaviour then, and is evaluated again at the next update. Behaviours have `enter` (a leaf with it is selected) and
   `leave` (it is not any more, or the agent is stopped); both have espalier_call.leaf. A stopped agent keeps its
   variables. espalier_move_agent() keeps the leaf where the new tree has one with the same behaviour and the same names
   from the root to it, and the states of machines, by name; the next update evaluates an edited tree. There is nothing
   that espalier_visit_active() visits: the leaf says it. */
#ifndef ESPALIER_SELECTING_H
#define ESPALIER_SELECTING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define ESPALIER_NO_LEAF UINT32_C(0xFFFFFFFF)

/* The leaf selected last, or ESPALIER_NO_LEAF; leaves count from 0 in the order of the file. */
uint32_t espalier_current_leaf(espalier_tree tree, const void* block);
uint32_t espalier_leaf_count(espalier_tree tree);
/* Several leaves may have one behaviour. */
uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf);
/* Of the current leaf, or ESPALIER_NO_BEHAVIOR. */
uint32_t espalier_current_behavior(espalier_tree tree, const void* block);

/* One step of a watched update: a condition that was looked at. See watching.h. */
typedef struct espalier_step {
  uint32_t node_word; /* the node: its first word in the asset's NODES */
  uint32_t leaf_base; /* which use of a shared unit: the leaves before it */
  uint32_t condition; /* as in the asset: 0 (always true) or 1 + its index */
  int32_t transition; /* -1: the node's own condition; else the transition's number in its state */
  bool holds;
} espalier_step;

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

/* Trees that select: one leaf's behaviour is active, and another is chosen when a variable changes.

   espalier_update() evaluates the tree if a variable has changed or no leaf was selected last time, and switches to
   another leaf if one is selected. It returns ESPALIER_RUNNING, or ESPALIER_FAILURE where no leaf was selected: the
   agent then has no behaviour, and is evaluated again at the next update. Behaviours have `enter` (their leaf is
   selected), `leave` (it is no longer selected, or the agent is stopped) and `event` (a signal was raised while their
   leaf is selected); espalier_call.leaf is set in all of them, node_word is not. espalier_signal() sets variables
   first; the current behaviour then gets the signal with its data, and may set variables and raise signals, which work
   at once. A signal that is raised in `enter` reaches the behaviour that is entered. One that is raised in `leave`
   reaches no behaviour: during that call the agent has no current leaf. espalier_stop() keeps the variables.
   espalier_move_agent() keeps the leaf if the new tree has one with the same behaviour and the same names from the root
   to it, and the states of machines, by name; the next update evaluates an edited tree. espalier_visit_active() visits
   nothing: espalier_current_leaf() says what is active. */
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

/* The leaf selected last, or ESPALIER_NO_LEAF. Leaves count from 0 in the order of the file. */
uint32_t espalier_current_leaf(espalier_tree tree, const void* block);
uint32_t espalier_leaf_count(espalier_tree tree);
/* The behaviour of a leaf. Several leaves may have the same one. */
uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf);
/* The behaviour of the current leaf, or ESPALIER_NO_BEHAVIOR. */
uint32_t espalier_current_behavior(espalier_tree tree, const void* block);

/* ---- Tables: see espalier_prepare() ----------------------------------------------------------- */

/* Bytes of memory for espalier_make_tables(); 0: the tree is too deeply nested for tables, they would need more than 1
   GB, or making them would take more than about a second. This takes about as long as making them. A tree with 64
   leaves and 32 variables needs some 17 KB, one with 1,000 leaves and 64 variables 160 KB. */
size_t espalier_tables_bytes(espalier_tree tree);
/* Makes tables of what each value of a byte of variables leaves possible, in `memory`: espalier_tables_bytes() bytes at
   a multiple of 8, not 0, which must outlive `prepared` and all its copies. Their updates then look leaves up instead
   of testing one condition after another, with the same results. Any number of threads may use them. */
void espalier_make_tables(espalier_prepared* prepared, void* memory);

/* One step of a watched update: a condition that was tested. See watching.h. */
typedef struct espalier_step {
  uint32_t node_word; /* the node: its index in the asset's `nodes` */
  uint32_t leaf_base; /* which use of a shared unit: the number of leaves before it */
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

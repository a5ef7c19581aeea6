/* Trees of rules: one rule is the current one, and can be jumped to.

   espalier_update() runs rules until one returns running or the root has a result. The root's failure stops the
   agent, and so does reaching the tree's limit of runs in one update. A stopped agent continues after a jump or a
   restored position. Behaviours are actions: `is_bound` (called before the rule's conditions are asked; null: true),
   `enter` (called when the rule is run for the first time), `tick` (null: the action is not bound, and fails), `leave`
   (it has succeeded or failed) and `interrupt` (it ends without a result; null: `leave` is called). Conditions have
   `ask`; null: false. Parameters are those of the rule that calls or asks, and are all texts.
   An agent's block is aligned to 4. espalier_stop() resets the agent as espalier_start() does. espalier_move_agent()
   finds the current rule by its id (the root also without one); if the new tree has no such rule, the agent begins at
   the root. The times of an action count from the first run of its rule. A restored position has none: they are unknown
   until the next first run, `passed_us` until the next `tick`. */
#ifndef ESPALIER_RULES_H
#define ESPALIER_RULES_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define ESPALIER_NO_RULE UINT32_C(0xFFFFFFFF)

/* Rules count from 0. A rule's id is the one in the whole tree, with the prefixes of subtrees; empty: it has none. */
static inline uint32_t espalier_rule_count(espalier_tree tree) { return espalier_count(tree, ESPALIER_RULES); }
static inline const char* espalier_rule_id(espalier_tree tree, uint32_t rule) {
  return espalier_name(tree, ESPALIER_RULES, rule);
}
static inline espalier_status espalier_find_rule(espalier_tree tree, const char* id, uint32_t* rule) {
  return espalier_find(tree, ESPALIER_RULES, id, rule);
}
uint32_t espalier_run_limit(espalier_tree tree); /* runs of rules in one update at which the agent is stopped */
/* The current rule; ESPALIER_NO_RULE: the tree has none. */
uint32_t espalier_current_rule(espalier_tree tree, const void* block);
/* The node of a rule: its index in the asset's `nodes`. */
uint32_t espalier_rule_node(espalier_tree tree, uint32_t rule);
/* The parent of this rule, in its own or another file; ESPALIER_NO_RULE: it is the root. */
uint32_t espalier_rule_parent(espalier_tree tree, uint32_t rule);
/* Is the current rule an action that has returned running? */
bool espalier_is_action_running(espalier_tree tree, const void* block);
/* Was the agent stopped because it reached the run limit? */
bool espalier_has_run_away(espalier_tree tree, const void* block);
/* Makes a rule the current one; ESPALIER_NO_RULE: the root (a reset). A running action is interrupted. Nothing is run
   before the next update. An action may call it for its own agent: unless that action then returns running, the update
   continues with the new rule. */
void espalier_jump(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host);

/* Where an agent is, to be saved and restored, also with another version of the tree. */
typedef struct espalier_position {
  const char* id ESPALIER_ZERO; /* of the current rule; lies in the asset */
  bool is_first_run ESPALIER_ZERO;
  bool is_stopped ESPALIER_ZERO;
  espalier_result status ESPALIER_ZERO; /* of the last update; ESPALIER_STOPPED: there was none */
} espalier_position;
/* ESPALIER_NO_ID: the current rule has no id, and `*position` is unchanged. */
espalier_status espalier_save_position(espalier_tree tree, const void* block, espalier_position* position);
/* ESPALIER_NOT_FOUND: the tree has no rule of this id, and nothing is changed. Calls no function of the host. */
espalier_status espalier_restore_position(espalier_tree tree, void* block, const espalier_position* position);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

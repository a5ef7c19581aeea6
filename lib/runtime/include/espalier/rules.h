/* Trees of rules: one rule is the current one, and can be jumped to.

   espalier_update() runs rules until one answers running or the root has a result; the root's failure stops the agent,
   and so do as many runs as the tree's limit. An agent that has stopped goes on after a jump or a restored position.
   Behaviours are actions: `is_bound` (asked before its rule's conditions; null: it is), `enter` (called with its rule
   run first), `tick` (null: it is not bound, and fails), `leave` (it has succeeded or failed) and `interrupt` (it is
   left without a result; null: `leave` is called). Conditions have `ask`; null: false. Parameters, of the rule that
   calls or asks, are all texts.
   An agent's block lies at a multiple of 4. espalier_stop() begins the agent anew. */
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

/* Rules count from 0. An id is that of the whole tree, with its subtrees' prefixes; empty: the rule has none. */
static inline uint32_t espalier_rule_count(espalier_tree tree) { return espalier_count(tree, ESPALIER_RULES); }
static inline const char* espalier_rule_id(espalier_tree tree, uint32_t rule) {
  return espalier_name(tree, ESPALIER_RULES, rule);
}
static inline espalier_status espalier_find_rule(espalier_tree tree, const char* id, uint32_t* rule) {
  return espalier_find(tree, ESPALIER_RULES, id, rule);
}
uint32_t espalier_run_limit(espalier_tree tree); /* runs of rules in one update, at which they have run away */
/* The current rule; ESPALIER_NO_RULE: the tree has none. */
uint32_t espalier_current_rule(espalier_tree tree, const void* block);
/* The node of a rule: its first word in the asset's NODES. */
uint32_t espalier_rule_node(espalier_tree tree, uint32_t rule);
/* The rule around this one, of its own or another file; ESPALIER_NO_RULE: it is the root. */
uint32_t espalier_rule_parent(espalier_tree tree, uint32_t rule);
/* Is the current rule an action that has answered running? */
bool espalier_is_action_running(espalier_tree tree, const void* block);
/* Did rules run away, and is the agent stopped since? */
bool espalier_has_run_away(espalier_tree tree, const void* block);
/* Makes a rule the current one; ESPALIER_NO_RULE: the root (a reset). An action that runs is interrupted. Nothing is
   run before the next update. May be called by an action of this agent, which then counts only when it answers running.
 */
void espalier_jump(espalier_tree tree, void* block, uint32_t rule, const espalier_host* host);

/* Where an agent is, to be kept with a saved game and put back into another version of the tree. */
typedef struct espalier_position {
  const char* id ESPALIER_ZERO; /* of the current rule; lies in the asset */
  bool is_first_run ESPALIER_ZERO;
  bool is_stopped ESPALIER_ZERO;
  espalier_result status ESPALIER_ZERO; /* of the last update; ESPALIER_STOPPED: there was none */
} espalier_position;
/* ESPALIER_NO_ID: the rule cannot be told, and `*position` is left as it was. */
espalier_status espalier_save_position(espalier_tree tree, const void* block, espalier_position* position);
/* ESPALIER_NOT_FOUND: the tree has no such rule, and nothing is changed. Nothing is called. */
espalier_status espalier_restore_position(espalier_tree tree, void* block, const espalier_position* position);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

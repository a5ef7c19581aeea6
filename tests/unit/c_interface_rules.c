/* The C interface to trees of rules: a wanderer who flees when threatened. */
#include <string.h>

#include "c_interface.h"

#include <espalier/rules.h>
#include <espalier/watching.h>

/* A wanderer's game: what its functions were called with, and what they answer. */
typedef struct woods {
  journal entries;
  bool is_threatened;
} woods;

static void note(const espalier_call* call, const char* what) {
  woods* of = call->host->user;
  write_entry(&of->entries, what, espalier_behavior_name(call->tree.asset, call->behavior));
}

static void on_enter(const espalier_call* call) {
  espalier_parameter speed = {.text = "none"};
  (void)espalier_find_parameter(call, "speed", &speed);
  write_entry(&((woods*)call->host->user)->entries, "speed", speed.text);
  note(call, "enter");
}
static void on_interrupt(const espalier_call* call) { note(call, "interrupt"); }
static espalier_result on_action(const espalier_call* call) {
  note(call, "tick");
  return ESPALIER_RUNNING;
}
static bool on_ask(const espalier_call* call) {
  woods* of = call->host->user;
  write_entry(&of->entries, "ask", espalier_condition_name(call->tree.asset, call->behavior));
  return of->is_threatened;
}

void trees_of_rules(const espalier_asset* asset) {
  static const espalier_behavior acts = {.enter = on_enter, .interrupt = on_interrupt, .tick = on_action};
  const espalier_binding actions[] = {{"flee", acts}, {"wander", acts}};
  const espalier_binding conditions[] = {{"threatened", {.ask = on_ask}}};
  const espalier_tree tree = espalier_tree_at(asset, 0);
  woods game = {.is_threatened = false};
  espalier_behavior action_table[2];
  espalier_behavior condition_table[1];
  espalier_host host = {.behaviors = action_table, .user = &game, .conditions = condition_table};
  espalier_position position = {.id = "?"};
  uint32_t agent[1] = {0};
  uint32_t flee = 0;
  uint32_t missing = 0;

  check(espalier_bind(asset, actions, 2, action_table, NULL, 0, NULL) == ESPALIER_OK, "all actions are bound");
  check(espalier_bind_conditions(asset, actions, 2, condition_table, NULL, 0, &missing) == ESPALIER_MISSING_BINDING &&
            missing == 1,
        "an action is no condition");
  check(espalier_bind_conditions(asset, conditions, 1, condition_table, NULL, 0, NULL) == ESPALIER_OK,
        "the condition is bound");
  check(espalier_agent_bytes(tree) == sizeof agent && espalier_run_limit(tree) == 100, "an agent has 4 bytes");

  espalier_start(tree, agent);
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING, "it wanders");
  check(journal_is(&game.entries, "ask threatened; speed slow; enter wander; tick wander; "),
        "a choice tries the next rule when one fails, and actions have their rule's parameters");
  check(espalier_is_action_running(tree, agent) &&
            strcmp(espalier_rule_id(tree, espalier_current_rule(tree, agent)), "root.wander") == 0,
        "the current rule has an id");
  check(espalier_rule_parent(tree, espalier_current_rule(tree, agent)) == 0 &&
            espalier_rule_parent(tree, 0) == ESPALIER_NO_RULE,
        "a rule has a parent, the root has none");

  check(espalier_save_position(tree, agent, &position) == ESPALIER_OK && strcmp(position.id, "root.wander") == 0,
        "a position is saved by the rule's id");
  check(espalier_find_rule(tree, "root.flee", &flee) == ESPALIER_OK, "a rule is found by its id");
  espalier_jump(tree, agent, flee, &host);
  check(journal_is(&game.entries, "interrupt wander; "), "a jump interrupts what runs");
  game.is_threatened = true;
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING, "it flees");
  check(journal_is(&game.entries, "ask threatened; speed none; enter flee; tick flee; "),
        "the rule that was jumped to is run");

  check(espalier_restore_position(tree, agent, &position) == ESPALIER_OK, "the position is put back");
  espalier_prepared prepared;
  espalier_prepare(tree, &prepared);
  check(espalier_update_prepared(&prepared, agent, &host) == ESPALIER_RUNNING, "it wanders again");
  check(journal_is(&game.entries, "tick wander; "), "and is not entered anew");
  position.id = "gone";
  check(espalier_restore_position(tree, agent, &position) == ESPALIER_NOT_FOUND, "there is no such rule");
  check(!espalier_is_stopped(tree, agent) && !espalier_has_run_away(tree, agent), "nothing has stopped it");
  espalier_stop(tree, agent, &host);
  check(journal_is(&game.entries, "interrupt wander; "), "ending an agent interrupts what runs");
}

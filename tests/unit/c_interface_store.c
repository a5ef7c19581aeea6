/* The C interface to trees that store their results: two cooks at one stove, and one who is handed the washing. */
#include <string.h>

#include "c_interface.h"

#include <espalier/storing.h>
#include <espalier/watching.h>

/* The cooks' game: what its functions were called with, and what they answer. */
typedef struct kitchen {
  journal entries;
  bool burns;
  espalier_result rinsed;
  uint32_t too_deep_slot;
} kitchen;

static void note(const espalier_call* call, const char* what) {
  write_entry(&((kitchen*)call->host->user)->entries, what, espalier_behavior_name(call->tree.asset, call->behavior));
}

static void on_enter(const espalier_call* call) { note(call, "enter"); }
static void on_leave(const espalier_call* call) { note(call, "leave"); }
static void on_interrupt(const espalier_call* call) { note(call, "interrupt"); }
static void on_reset(const espalier_call* call) { note(call, "reset"); }
static espalier_result on_run(const espalier_call* call) {
  (void)call;
  return ESPALIER_RUNNING;
}
static espalier_result on_rinse(const espalier_call* call) { return ((kitchen*)call->host->user)->rinsed; }
static bool on_burns(const espalier_call* call) { return ((kitchen*)call->host->user)->burns; }
static void on_too_deep(const espalier_call* call, uint32_t slot) {
  ((kitchen*)call->host->user)->too_deep_slot = slot;
}

/* Nodes that a step is told of, by kind. */
typedef struct steps {
  unsigned counts[16];
} steps;

static void on_step(void* user, const espalier_node_step* step) { ++((steps*)user)->counts[step->kind]; }

typedef struct gate_search {
  const espalier_asset* asset;
  const void* shared;
  uint32_t found; /* UINT32_MAX: none yet */
} gate_search;

static void look_at_node(void* user, uint32_t node_word) {
  gate_search* search = user;
  if (espalier_inside_count(search->asset, search->shared, node_word) == 1) search->found = node_word;
}

static void a_slot_is_filled(espalier_tree cook, void* agent, espalier_host* host) {
  const espalier_asset* asset = cook.asset;
  uint32_t slot = 9;
  check(espalier_count(espalier_tree_at(asset, 0), ESPALIER_SLOTS) == 1 &&
            strcmp(espalier_name(espalier_tree_at(asset, 0), ESPALIER_SLOTS, 0), "hand") == 0,
        "a slot has its name");
  check(espalier_find_slot(asset, "hand", &slot) == ESPALIER_OK && slot == 0, "a slot is found by its name");
  check(espalier_find_slot(asset, "Hand", &slot) == ESPALIER_NOT_FOUND, "names of slots are exact");
  check(espalier_injected_tree(cook, agent, 0) == ESPALIER_NO_TREE, "slots begin empty");
  check(espalier_inject(cook, agent, 0, 0, false, host) == ESPALIER_NOT_ACCEPTED, "it holds what it accepts");
  check(espalier_injected_tree(cook, agent, 0) == ESPALIER_NO_TREE, "what is refused changes nothing");
  check(espalier_inject(cook, agent, 0, 1, false, host) == ESPALIER_OK, "a tree is put into it");
  check(espalier_injected_tree(cook, agent, 0) == 1, "and is there");
}

static void two_cooks_share_a_stove(espalier_tree cook, uint64_t (*agents)[16], espalier_host* host) {
  kitchen* game = host->user;
  gate_search search = {cook.asset, host->shared, UINT32_MAX};
  uint32_t gate;
  check(espalier_update(cook, agents[0], host) == ESPALIER_RUNNING, "the first one is at the stove");
  check(journal_is(&game->entries, "enter Fry; "), "which it enters");
  espalier_visit_active(cook, agents[0], look_at_node, &search);
  gate = search.found;
  check(gate != UINT32_MAX, "one is inside");
  check(espalier_update(cook, agents[1], host) == ESPALIER_RUNNING, "the second one waits");
  check(journal_is(&game->entries, "enter Wait; "), "since the stove is taken");
  game->burns = true;
  espalier_prepared prepared;
  espalier_prepare(cook, &prepared);
  check(espalier_update_prepared(&prepared, agents[0], host) == ESPALIER_RUNNING, "the fire is seen");
  check(journal_is(&game->entries, "interrupt Fry; enter Extinguish; "), "and what ran is interrupted");
  check(espalier_inside_count(cook.asset, host->shared, gate) == 0, "its place is given back");
}

static void an_update_can_be_watched(espalier_tree cook, void* agent, espalier_host* host) {
  kitchen* game = host->user;
  steps told = {{0}};
  const espalier_watcher watcher = {.user = &told, .node = on_step};
  game->burns = false;
  espalier_stop(cook, agent, host);
  check(journal_is(&game->entries, "interrupt Wait; "), "who waits is stopped");
  game->too_deep_slot = 9;
  game->rinsed = ESPALIER_SUCCESS;
  check(espalier_update_watched(cook, agent, host, &watcher) == ESPALIER_RUNNING, "a watched update is one as well");
  check(told.counts[ESPALIER_NODE_BEGIN] > 0, "its steps are told");
  espalier_stop(cook, agent, host);
  check(journal_is(&game->entries, "enter Fry; interrupt Fry; "), "it had the stove");
}

static void trees_end_where_they_may(espalier_tree cook, uint64_t (*agents)[16], espalier_host* host) {
  kitchen* game = host->user;
  check(espalier_update(cook, agents[0], host) == ESPALIER_RUNNING, "the stove is taken");
  check(journal_is(&game->entries, "enter Fry; "), "by the first one");
  check(espalier_check_shared(cook, host->shared) == ESPALIER_OK, "what they share is sound");
  check(espalier_check_agent(cook, agents[0], host->shared) == ESPALIER_OK, "and has the place that the first one has");
  uint64_t other[64];
  check(espalier_shared_bytes(cook) <= sizeof other, "another kitchen is as large");
  espalier_start_shared(cook, other);
  check(espalier_check_agent(cook, agents[0], other) == ESPALIER_DAMAGED_AGENT, "nobody has a place in that");
  check(espalier_update(cook, agents[1], host) == ESPALIER_RUNNING, "the second one washes, then waits");
  check(journal_is(&game->entries, "enter Rinse; leave Rinse; enter Wait; "), "in its slot");
  check(game->too_deep_slot == 0, "a third level is one too many");
  game->rinsed = ESPALIER_RUNNING;
  espalier_stop(cook, agents[1], host);
  check(journal_is(&game->entries, "interrupt Wait; reset Rinse; "), "what was done is cleaned up, backwards");
  check(espalier_update(cook, agents[1], host) == ESPALIER_RUNNING, "it rinses");
  check(espalier_inject(cook, agents[1], 0, ESPALIER_NO_TREE, true, host) == ESPALIER_OK, "the slot is emptied");
  check(journal_is(&game->entries, "enter Rinse; interrupt Rinse; "), "at once");
}

void trees_that_store(const espalier_asset* asset) {
  static const espalier_behavior acts = {
      .enter = on_enter, .leave = on_leave, .interrupt = on_interrupt, .tick = on_run, .reset = on_reset};
  static const espalier_behavior rinses = {
      .enter = on_enter, .leave = on_leave, .interrupt = on_interrupt, .tick = on_rinse, .reset = on_reset};
  const espalier_binding behaviors[] = {{"Extinguish", acts}, {"Fry", acts}, {"Rinse", rinses}, {"Wait", acts}};
  const espalier_binding conditions[] = {{"Burns", {.ask = on_burns}}};
  const espalier_tree cook = espalier_tree_at(asset, 0);
  kitchen game = {.too_deep_slot = 9};
  espalier_behavior behavior_table[4];
  espalier_behavior condition_table[1];
  uint64_t shared[4];
  uint64_t agents[2][16];
  espalier_host host = {.behaviors = behavior_table,
                        .user = &game,
                        .shared = shared,
                        .conditions = condition_table,
                        .too_deep = on_too_deep};
  check(espalier_bind(asset, behaviors, 4, behavior_table, NULL, 0, NULL) == ESPALIER_OK, "all actions are bound");
  check(espalier_bind_conditions(asset, conditions, 1, condition_table, NULL, 0, NULL) == ESPALIER_OK,
        "the condition is bound");
  check(espalier_agent_bytes(cook) <= sizeof agents[0], "an agent is small");
  check(espalier_shared_bytes(cook) <= sizeof shared, "so is what they share");
  espalier_start_shared(cook, shared);
  espalier_start(cook, agents[0]);
  espalier_start(cook, agents[1]);

  two_cooks_share_a_stove(cook, agents, &host);
  espalier_stop(cook, agents[0], &host);
  check(journal_is(&game.entries, "interrupt Extinguish; "), "the fire is out");
  an_update_can_be_watched(cook, agents[1], &host);
  a_slot_is_filled(cook, agents[1], &host);
  trees_end_where_they_may(cook, agents, &host);
}

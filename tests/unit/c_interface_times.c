/* Times of behaviours that are declared with them: a guard who selects, a ranger with rules, a cat that decides, and a
   cook who stores, with a pot in a slot. Trees that tick are in c_interface_ticking.c. */
#include <string.h>

#include "c_interface.h"

#include <espalier/debugging.h>
#include <espalier/deciders.h>
#include <espalier/rules.h>
#include <espalier/selecting.h>
#include <espalier/storing.h>

enum { kBehaviors = 12, kWords = 64 };

/* The last call of each behaviour. */
typedef struct watch {
  espalier_call last[kBehaviors];
  espalier_result answer;
} watch;

static void take(const espalier_call* call) {
  check(call->activation == NULL || call->activation->memory == call->memory, "a behaviour has one memory");
  ((watch*)call->host->user)->last[call->behavior] = *call;
}
static espalier_result on_tick(const espalier_call* call) {
  take(call);
  return ((watch*)call->host->user)->answer;
}
static bool on_activate(const espalier_call* call) {
  take(call);
  return true;
}

typedef struct scene {
  espalier_tree tree;
  espalier_host host;
  espalier_behavior table[kBehaviors];
  watch seen;
  uint64_t shared[kWords];
  uint64_t block[kWords];
  uint64_t moved[kWords];
} scene;

static void set_up(scene* all, const espalier_asset* asset, const char* tree) {
  static const espalier_behavior functions = {.enter = take,
                                              .leave = take,
                                              .tick = on_tick,
                                              .interrupt = take,
                                              .reset = take,
                                              .event = take,
                                              .activate = on_activate,
                                              .deactivate = take};
  memset(all, 0, sizeof *all);
  check(espalier_behavior_count(asset) <= kBehaviors, "there is room for the behaviours");
  for (uint32_t i = 0; i < espalier_behavior_count(asset); ++i) all->table[i] = functions;
  check(espalier_find_tree(asset, tree, &all->tree) == ESPALIER_OK, "the tree is found");
  all->seen.answer = ESPALIER_RUNNING;
  all->host.behaviors = all->table;
  all->host.user = &all->seen;
  all->host.shared = all->shared;
  all->host.clock_us = 5000000;
  check(espalier_agent_bytes(all->tree) <= sizeof all->block, "an agent fits");
  check(espalier_shared_bytes(all->tree) <= sizeof all->shared, "a shared block fits");
  espalier_start_shared(all->tree, all->shared);
  espalier_start(all->tree, all->block);
}

static void update_after(scene* all, uint64_t passed_us) {
  all->host.clock_us += passed_us;
  espalier_update(all->tree, all->block, &all->host);
}

/* Were these the times of the last call of a behaviour? */
static bool has_times(const scene* all, const char* behavior, uint64_t active_us, uint64_t passed_us) {
  for (uint32_t i = 0; i < espalier_behavior_count(all->tree.asset); ++i) {
    const espalier_call* last = &all->seen.last[i];
    if (strcmp(espalier_behavior_name(all->tree.asset, i), behavior) != 0) continue;
    return last->tree.asset != NULL && last->active_us == active_us && last->passed_us == passed_us;
  }
  return false;
}

/* To another block of the same tree, as in a hot reload, some time later. */
static void move_after(scene* all, uint64_t passed_us) {
  all->host.clock_us += passed_us;
  espalier_move_agent(all->tree, all->block, &all->host, all->tree, all->moved, &all->host);
  memcpy(all->block, all->moved, espalier_agent_bytes(all->tree));
}

static bool is_printed(const scene* all, const char* line) {
  const espalier_print_options options = {.host = &all->host};
  char text[4096];
  (void)espalier_print_text(all->tree, all->block, &options, text, sizeof text);
  return strstr(text, line) != NULL;
}

static void a_selected_behavior_has_times(const espalier_asset* asset) {
  scene all;
  uint32_t noise = 0;
  set_up(&all, asset, "Guard");
  check(espalier_agent_bytes(all.tree) == 24, "a tree that selects keeps the times of one behaviour");
  check(espalier_find_signal(all.tree, "OnNoise", &noise) == ESPALIER_OK, "the signal is found");
  update_after(&all, 0);
  check(has_times(&all, "Idle", ESPALIER_NO_TIME, ESPALIER_NO_TIME), "a behaviour without times has none");
  espalier_signal(all.tree, all.block, noise, &all.host, NULL);
  update_after(&all, 1000000);
  check(has_times(&all, "Attack", 0, 0), "times begin when a leaf is selected");
  all.host.clock_us += 250000;
  espalier_signal(all.tree, all.block, noise, &all.host, NULL);
  check(has_times(&all, "Attack", 250000, 250000), "an event has the time since the leaf was selected");
  all.host.clock_us += 500000;
  espalier_signal(all.tree, all.block, noise, &all.host, NULL);
  check(has_times(&all, "Attack", 750000, 500000), "an event has the time since the last one");
  move_after(&all, 250000);
  check(is_printed(&all, "Attack, leaf, active for 1 s"), "a leaf is printed with its time");
  espalier_stop(all.tree, all.block, &all.host);
  check(has_times(&all, "Attack", 1000000, 250000), "a reload carries times over, and leaving has them");
}

static void an_action_of_rules_has_times(const espalier_asset* asset) {
  scene all;
  espalier_position position = {.id = "?"};
  set_up(&all, asset, "ranger");
  check(espalier_agent_bytes(all.tree) == 20, "a tree of rules keeps the times of one action");
  update_after(&all, 0);
  check(has_times(&all, "flee", 0, 0), "times begin with the first run");
  update_after(&all, 300000);
  check(has_times(&all, "flee", 300000, 300000), "time passes between ticks");
  move_after(&all, 100000);
  update_after(&all, 100000);
  check(has_times(&all, "flee", 500000, 200000), "a reload carries times over");
  check(is_printed(&all, "flee: Speed fast, current, running, active for 0.5 s"), "a rule has a text, and its time");
  check(espalier_save_position(all.tree, all.block, &position) == ESPALIER_OK && !position.is_first_run,
        "the position is saved");
  check(espalier_restore_position(all.tree, all.block, &position) == ESPALIER_OK, "the position is restored");
  update_after(&all, 100000);
  check(has_times(&all, "flee", ESPALIER_NO_TIME, ESPALIER_NO_TIME), "a position has no times");
  update_after(&all, 100000);
  check(has_times(&all, "flee", ESPALIER_NO_TIME, 100000), "the time since the last call is known again");
  all.seen.answer = ESPALIER_FAILURE;
  update_after(&all, 100000);
  check(has_times(&all, "rest", ESPALIER_NO_TIME, ESPALIER_NO_TIME), "an action without times has none");
}

static void a_decider_has_times(const espalier_asset* asset) {
  scene all;
  uint32_t mouse = 0;
  set_up(&all, asset, "Cat");
  check(espalier_find_stimulus(all.tree, "Mouse", &mouse) == ESPALIER_OK, "the stimulus is found");
  update_after(&all, 0);
  update_after(&all, 100000);
  check(has_times(&all, "Sleep", 100000, ESPALIER_NO_TIME), "all deciders know since when they are active");
  espalier_set_stimulus(all.tree, all.block, mouse, all.host.clock_us, NULL);
  update_after(&all, 100000);
  check(has_times(&all, "Hunt", 0, 0), "times begin with the activation");
  update_after(&all, 400000);
  check(has_times(&all, "Hunt", 400000, 400000), "time passes between ticks");
  for (uint32_t i = 0; i < espalier_behavior_count(asset); ++i) {
    const espalier_call* last = &all.seen.last[i];
    if (strcmp(espalier_behavior_name(asset, i), "Hunt") != 0) continue;
    check(last->memory_bytes == 8, "times are no part of its memory");
  }
  check(espalier_active_decider_at(all.tree, all.block, 1).activation.memory_bytes == 8,
        "nor of the memory that the game asks for");
  move_after(&all, 100000);
  update_after(&all, 100000);
  check(has_times(&all, "Hunt", 600000, 200000), "a reload carries times over");
  espalier_clear_stimulus(all.tree, all.block, mouse);
  all.host.clock_us += 100000;
  espalier_stop(all.tree, all.block, &all.host);
  check(has_times(&all, "Hunt", 700000, 100000), "deactivating has the times");
}

static void a_stored_action_has_times(const espalier_asset* asset) {
  scene all;
  set_up(&all, asset, "Cook");
  update_after(&all, 0);
  check(has_times(&all, "Hum", ESPALIER_NO_TIME, ESPALIER_NO_TIME), "an action without times has none");
  check(has_times(&all, "Cut", 0, 0), "times begin with the action");
  check(espalier_check_agent(all.tree, all.block, all.shared) == ESPALIER_OK, "an agent with times is accepted");
  all.seen.answer = ESPALIER_SUCCESS;
  update_after(&all, 200000);
  check(has_times(&all, "Cut", 200000, 0), "times run on until the reset of what is done");
  check(has_times(&all, "Stir", 0, 0), "an action in a slot has times of its own");
}

static void a_stored_action_is_interrupted_with_its_times(const espalier_asset* asset) {
  scene all;
  set_up(&all, asset, "Cook");
  update_after(&all, 0);
  update_after(&all, 300000);
  check(has_times(&all, "Cut", 300000, 300000), "time passes between ticks");
  check(is_printed(&all, "Cut, running, active for 0.3 s"), "an action is printed with its time");
  all.host.clock_us += 200000;
  espalier_stop(all.tree, all.block, &all.host);
  check(has_times(&all, "Cut", 500000, 200000), "an interrupt has the times");
}

static const espalier_call* last_call(const scene* all, const char* behavior) {
  for (uint32_t i = 0; i < espalier_behavior_count(all->tree.asset); ++i) {
    if (strcmp(espalier_behavior_name(all->tree.asset, i), behavior) == 0) return &all->seen.last[i];
  }
  check(false, "the behaviour is known");
  return &all->seen.last[0];
}

static void a_stored_action_has_memory(const espalier_asset* asset) {
  static const char zeros[12] = {0};
  scene all;
  set_up(&all, asset, "Smith");
  update_after(&all, 0);
  const espalier_call* heat = last_call(&all, "Heat");
  check(heat->memory_bytes == 12 && (uintptr_t)heat->memory % 8 == 0, "an action has the memory that is declared");
  check((char*)heat->memory >= (char*)all.block &&
            (char*)heat->memory + 12 <= (char*)all.block + espalier_agent_bytes(all.tree),
        "the memory is in the agent's block");
  check(memcmp(heat->memory, zeros, 12) == 0, "the memory is zero when the action begins");
  memset(heat->memory, 0xEE, 12);
  void* const place = heat->memory;
  update_after(&all, 100000);
  check(heat->memory == place && *(unsigned char*)place == 0xEE, "the memory is kept while the action runs");
  check(espalier_check_agent(all.tree, all.block, all.shared) == ESPALIER_OK, "an agent with memory is accepted");
  all.seen.answer = ESPALIER_SUCCESS;
  update_after(&all, 100000);
  const espalier_call* forge = last_call(&all, "Forge");
  check(forge->memory_bytes >= 4 && forge->memory != place && forge->active_us == 0, "memory and times do not overlap");
  check(*(unsigned char*)place == 0xEE && heat->memory == place, "the reset of what is done has the memory");
  check(last_call(&all, "Hum")->memory == NULL, "an action without memory has none");
  all.seen.answer = ESPALIER_RUNNING;
  update_after(&all, 100000);
  check(memcmp(heat->memory, zeros, 12) == 0, "it is zero when the action begins anew");
}

void trees_with_times(const espalier_asset* asset) {
  a_selected_behavior_has_times(asset);
  an_action_of_rules_has_times(asset);
  a_decider_has_times(asset);
  a_stored_action_has_times(asset);
  a_stored_action_is_interrupted_with_its_times(asset);
  a_stored_action_has_memory(asset);
}

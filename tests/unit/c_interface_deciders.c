/* The C interface to trees of deciders: a cat that sleeps, hunts at night, and comes when it is called. */
#include <string.h>

#include "c_interface.h"

#include <espalier/deciders.h>
#include <espalier/watching.h>

/* A cat's game: what its functions were called with, and what they answer. */
typedef struct house {
  journal entries;
  double mouse;
  bool refuses;
} house;

static void note(const espalier_call* call, const char* what) {
  write_entry(&((house*)call->host->user)->entries, what, espalier_behavior_name(call->tree.asset, call->behavior));
}

static bool on_activate(const espalier_call* call) {
  house* of = call->host->user;
  const espalier_activation* own = call->activation;
  note(call, of->refuses ? "refuse" : "enter");
  if (own->block_bytes == 8) write_entry(&of->entries, "block", (const char*)own->block);
  if (own->memory_bytes == 4) memcpy(own->memory, "cat", 4);
  return !of->refuses;
}
static espalier_result on_tick(const espalier_call* call) {
  house* of = call->host->user;
  note(call, "tick");
  if (call->activation->memory_bytes == 4) {
    write_entry(&of->entries, "memory", (const char*)call->activation->memory);
  }
  check(call->memory == call->activation->memory && call->memory_bytes == call->activation->memory_bytes,
        "a behaviour's memory is in its call too");
  return ESPALIER_RUNNING;
}
static void on_deactivate(const espalier_call* call) { note(call, "leave"); }
static double on_decide(const espalier_call* call) {
  house* of = call->host->user;
  write_entry(&of->entries, "decide", espalier_condition_name(call->tree.asset, call->behavior));
  memcpy(call->activation->block, "mouse", 6);
  return of->mouse;
}

/* What is told or written, as text. */
typedef struct text {
  char bytes[1024];
  size_t size_bytes;
  unsigned levels; /* bit i: a step of level i was told */
} text;

static void on_write(void* user, const char* piece, size_t size_bytes) {
  text* to = user;
  if (size_bytes >= sizeof to->bytes - to->size_bytes) return;
  memcpy(to->bytes + to->size_bytes, piece, size_bytes);
  to->size_bytes += size_bytes;
  to->bytes[to->size_bytes] = '\0';
}
static void on_step(void* user, const espalier_decide_step* step) {
  ((text*)user)->levels |= 1u << espalier_step_level(step->kind);
}

static void what_a_decider_tree_names_is_found(espalier_tree tree) {
  uint32_t found = 9;
  const espalier_decider_memory memory = espalier_decider_memory_of(tree);
  check(espalier_find_stimulus(tree, "Bell", &found) == ESPALIER_OK && found == 0, "a stimulus is found by its name");
  check(espalier_find_stimulus(tree, "bell", &found) == ESPALIER_NOT_FOUND, "names of stimuli are exact");
  check(espalier_count(tree, ESPALIER_STIMULI) == 1 && strcmp(espalier_name(tree, ESPALIER_STIMULI, 0), "Bell") == 0,
        "it has its name");
  check(espalier_find_behavior_flag(tree, "purr", &found) == ESPALIER_OK && found == 1, "flags are numbered by use");
  check(espalier_count(tree, ESPALIER_BEHAVIOR_FLAGS) == 2 &&
            strcmp(espalier_name(tree, ESPALIER_BEHAVIOR_FLAGS, 0), "run") == 0,
        "a behaviour flag has its name");
  check(espalier_find_variable(tree, "Night", &found) == ESPALIER_OK && found == 0, "a decision flag is a variable");
  check(espalier_find_variable(tree, "night", &found) == ESPALIER_NOT_FOUND, "names of decision flags are exact");
  check(memory.path_bytes == 2 * 8 + 2 && memory.behaviors_bytes == 16 && memory.timers_bytes == 0,
        "memory is told by part");
  check(espalier_scratch_bytes(tree) == 0, "small choices need no memory of the host's");
}

static void an_agent_is_told_and_written(espalier_tree tree, void* agent, espalier_host* host) {
  text written = {.size_bytes = 0};
  const espalier_watcher watcher = {.user = &written, .decide = on_step};
  const espalier_decide_step step = {.kind = ESPALIER_DECIDE_BEGIN};
  espalier_active_decider active;
  espalier_host later = *host;
  const espalier_print_options options = {.active_only = true, .host = &later};
  char cut[8];
  check(espalier_update_watched(tree, agent, host, &watcher) == ESPALIER_RUNNING, "a watched update is one as well");
  check(written.levels == (1u << 3 | 1u << 4 | 1u << 5), "steps of an update that changes nothing are told");
  active = espalier_active_decider_at(tree, agent, 1);
  check(espalier_active_count(tree, agent) == 2 && strcmp(espalier_decider_name(tree, active.node_word), "Hunt") == 0,
        "the active path is told");
  check(active.since_us == 1000000 && strcmp((const char*)active.activation.memory, "cat") == 0,
        "with its time and memory");
  later.clock_us = 3000000;
  espalier_print(tree, agent, &options, on_write, &written);
  check(strcmp(written.bytes,
               "tree Cat\n"
               "  flags: Night\n"
               "  stimuli: none\n"
               "  path: Root > Hunt\n"
               "* 0 Root, group, prioritizedList, active for 3 s, active child 1\n"
               "*   1 Hunt, decider, active for 2 s, behavior Hunt\n") == 0,
        "the active path is written");
  check(espalier_print_text(tree, agent, &options, cut, sizeof cut) == strlen(written.bytes), "its size is told");
  check(strcmp(cut, "tree Ca") == 0, "and what fits is written");
  written.size_bytes = 0;
  espalier_print_step(tree, agent, &step, 1500000, 7, on_write, &written);
  check(strcmp(written.bytes, "3 agent 7 1.5 s: tick; flags: Night; stimuli: none") == 0, "a step is written");
}

void trees_of_deciders(const espalier_asset* asset) {
  static const espalier_behavior acts = {.activate = on_activate, .tick = on_tick, .deactivate = on_deactivate};
  const espalier_binding behaviors[] = {{"Come", acts}, {"Hunt", acts}, {"Sleep", acts}};
  const espalier_binding functions[] = {{"SmellsMouse", {.decide = on_decide}}};
  const espalier_tree tree = espalier_tree_at(asset, 0);
  const espalier_stimulus_data who = {.bytes = "cook", .size_bytes = 4};
  house game = {.mouse = 1};
  espalier_behavior behavior_table[3];
  espalier_behavior function_table[1];
  espalier_host host = {.behaviors = behavior_table, .user = &game, .conditions = function_table};
  espalier_stimulus_data data = {.size_bytes = 0};
  uint64_t agent[16];
  uint64_t saved[16];

  what_a_decider_tree_names_is_found(tree);
  check(espalier_bind(asset, behaviors, 3, behavior_table, NULL, 0, NULL) == ESPALIER_OK, "all behaviours are bound");
  check(espalier_bind_conditions(asset, functions, 1, function_table, NULL, 0, NULL) == ESPALIER_OK,
        "the Decide function is bound");
  check(espalier_agent_bytes(tree) <= sizeof agent, "an agent is small");

  espalier_start(tree, agent);
  espalier_seed(tree, agent, 1);
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING, "it sleeps");
  check(journal_is(&game.entries, "enter Sleep; tick Sleep; "), "preconditions come before any Decide");
  host.clock_us = 1000000;
  espalier_set_flags(tree, agent, 1);
  check(espalier_flags(tree, agent) == 1 && espalier_variable(tree, agent, 0), "a flag is set");
  espalier_prepared prepared;
  espalier_prepare(tree, &prepared);
  check(espalier_update_prepared(&prepared, agent, &host) == ESPALIER_RUNNING, "it hunts");
  check(journal_is(&game.entries, "decide SmellsMouse; leave Sleep; enter Hunt; block mouse; tick Hunt; memory cat; "),
        "what the Decide has written is there when its behaviour is activated");
  host.clock_us = 2000000;
  an_agent_is_told_and_written(tree, agent, &host);
  check(journal_is(&game.entries, "tick Hunt; memory cat; "), "the active one is not asked again");

  memcpy(saved, agent, sizeof saved);
  espalier_signal(tree, agent, 0, &host, &who);
  check(espalier_stimulus(tree, agent, 0, &data) && data.size_bytes == 4 && memcmp(data.bytes, "cook", 4) == 0,
        "a signal's data is its stimulus's");
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING, "it comes");
  check(journal_is(&game.entries, "leave Hunt; enter Come; tick Come; "), "a higher one takes over");
  espalier_clear_stimulus(tree, agent, 0);
  check(!espalier_stimulus(tree, agent, 0, NULL), "a stimulus is cleared");
  espalier_set_stimulus(tree, agent, 0, host.clock_us, NULL);
  check(espalier_stimulus(tree, agent, 0, &data) && data.size_bytes == 0, "and set again, with nothing");
  check(espalier_set_stimulus_for(tree, agent, 0, host.clock_us, 500000, NULL) == ESPALIER_OK,
        "it may be set for another time than the tree's");
  host.clock_us += 499999;
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING && espalier_stimulus(tree, agent, 0, NULL),
        "until then it is there");
  host.clock_us += 1;
  check(espalier_update(tree, agent, &host) == ESPALIER_RUNNING && !espalier_stimulus(tree, agent, 0, NULL),
        "then it is gone");
  check(journal_is(&game.entries, "tick Come; tick Come; "), "the test to begin is not the test to go on");
  host.clock_us -= 500000;

  espalier_restore(tree, agent, saved, &host);
  check(espalier_active_count(tree, agent) == 2 && !espalier_stimulus(tree, agent, 0, NULL), "all of it is put back");
  game.refuses = true;
  espalier_stop(tree, agent, &host);
  check(journal_is(&game.entries, "leave Hunt; "), "ending an agent leaves what is active");
  check(espalier_update(tree, agent, &host) == ESPALIER_FAILURE, "no behaviour would go on");
  check(journal_is(&game.entries, "decide SmellsMouse; refuse Hunt; block mouse; refuse Sleep; "),
        "a behaviour that refuses was never active");
}

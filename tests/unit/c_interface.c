/* The C interface, from a program in C99 that is linked by the C linker with the runtime alone. Its arguments are the
   assets that c_interface.xml, c_interface_ticking and c_interface_rules are compiled to. */
#include "c_interface.h"

#include <espalier/columns.h>
#include <espalier/selecting.h>
#include <espalier/watching.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failure_count = 0;

void check(bool holds, const char* sentence) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", sentence);
  ++failure_count;
}

/* Reads a file of at most `capacity_bytes` and gives its size, or 0. */
static size_t read_file(const char* path, void* buffer, size_t capacity_bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  const size_t size_bytes = fread(buffer, 1, capacity_bytes, file);
  fclose(file);
  return size_bytes;
}

void write_entry(journal* entries, const char* what, const char* name) {
  const size_t length = strlen(entries->text);
  snprintf(entries->text + length, sizeof entries->text - length, "%s %s; ", what, name);
}

static void note(const espalier_call* call, const char* what) {
  journal* entries = call->host->user;
  write_entry(entries, what, espalier_behavior_name(call->tree.asset, call->behavior));
  entries->last = *call;
}

static void on_enter(const espalier_call* call) { note(call, "enter"); }
static void on_leave(const espalier_call* call) { note(call, "leave"); }

/* Sets `Armed` by the distance that comes with the signal. */
static void on_event(const espalier_call* call) {
  note(call, "event");
  if (call->data != NULL) espalier_set(call->tree, call->agent, 1, *(const double*)call->data < 10);
}

bool journal_is(journal* entries, const char* expected) {
  const bool same = strcmp(entries->text, expected) == 0;
  if (!same) fprintf(stderr, "journal: %s\nexpected: %s\n", entries->text, expected);
  entries->text[0] = '\0';
  return same;
}

static void names_are_found(const espalier_asset* asset, espalier_tree guard) {
  espalier_tree found = guard;
  check(espalier_tree_count(asset) == 1, "the asset has one tree");
  check(strcmp(espalier_tree_name(guard), "Guard") == 0, "a tree has its name");
  check(espalier_find_tree(asset, "gUARD", &found) == ESPALIER_OK && found.index == 0 && found.asset == asset,
        "trees are found without case");
  check(espalier_find_tree(asset, "c_interface.xml: Guard", &found) == ESPALIER_OK &&
            espalier_find_tree(asset, "unit/c_interface.xml: Guard", &found) == ESPALIER_OK && found.index == 0,
        "a tree is found by its file and name");
  check(espalier_find_tree(asset, "interface.xml: Guard", &found) == ESPALIER_NOT_FOUND &&
            espalier_find_tree(asset, "more/unit/c_interface.xml: Guard", &found) == ESPALIER_NOT_FOUND &&
            espalier_find_tree(asset, "c_interface.xml: Gard", &found) == ESPALIER_NOT_FOUND &&
            espalier_find_tree(asset, ": Guard", &found) == ESPALIER_NOT_FOUND,
        "neither by another file nor by another name");
  check(espalier_find_tree(asset, "Gard", &found) == ESPALIER_NOT_FOUND && found.asset == asset,
        "a tree that is not there leaves the result as it was");

  uint32_t id = 77;
  check(espalier_count(guard, ESPALIER_VARIABLES) == 2, "the tree has two variables");
  check(espalier_find_variable(guard, "armed", &id) == ESPALIER_OK && id == 1, "variables are found without case");
  check(strcmp(espalier_name(guard, ESPALIER_VARIABLES, 1), "Armed") == 0, "a variable has its name");
  check(espalier_find_signal(guard, "onenemyseen", &id) == ESPALIER_NOT_FOUND && id == 1, "signals are found exactly");
  check(espalier_find_signal(guard, "OnEnemySeen", &id) == ESPALIER_OK, "a signal is found");
  check(strcmp(espalier_name(guard, ESPALIER_SIGNALS, id), "OnEnemySeen") == 0, "a signal has its name");
  check(espalier_count(guard, ESPALIER_SIGNALS) == 2, "the tree has two signals");
}

static void all_missing_bindings_are_told(const espalier_asset* asset) {
  const espalier_binding only_idle[] = {{"Idle", {.enter = on_enter}}};
  espalier_behavior table[3];
  uint32_t missing[1] = {77};
  uint32_t missing_count = 77;
  check(espalier_bind(asset, only_idle, 1, table, missing, 1, &missing_count) == ESPALIER_MISSING_BINDING,
        "a behaviour without functions is refused");
  check(missing_count == 2, "all behaviours without functions are counted");
  check(missing[0] < 3 && strcmp(espalier_behavior_name(asset, missing[0]), "Idle") != 0, "the first of them is named");
}

static void count_step(void* user, const espalier_step* step) {
  int* step_count = user;
  if (step->transition == -1) ++*step_count;
}

static void note_change(void* user, uint32_t variable, bool value) {
  if (variable == 0 && !value) ++*(int*)user;
}

static void agent_changes_its_behavior(const espalier_asset* asset, espalier_tree guard) {
  int mark = 0;
  const espalier_behavior behavior = {.enter = on_enter, .leave = on_leave, .user = &mark};
  const espalier_binding bindings[] = {
      {"Idle", behavior}, {"GuardAttack", behavior}, {"Flee", {.enter = on_enter, .event = on_event}}};
  espalier_behavior table[3];
  check(espalier_behavior_count(asset) == 3, "the asset has three behaviours");
  check(espalier_bind(asset, bindings, 3, table, NULL, 0, NULL) == ESPALIER_OK, "all behaviours are bound");

  uint32_t seen = 0;
  uint32_t lost = 0;
  check(espalier_find_signal(guard, "OnEnemySeen", &seen) == ESPALIER_OK, "OnEnemySeen is found");
  check(espalier_find_signal(guard, "OnEnemyLost", &lost) == ESPALIER_OK, "OnEnemyLost is found");

  journal entries = {.text = ""};
  const espalier_host host = {.behaviors = table, .user = &entries, .first_agent = 7};
  const size_t block_bytes = espalier_agent_bytes(guard);
  check(block_bytes % ESPALIER_AGENT_ALIGNMENT == 0, "agents' blocks can lie one behind the other");
  void* agent = malloc(block_bytes);
  void* saved = malloc(block_bytes);

  espalier_start(guard, agent);
  check(espalier_current_leaf(guard, agent) == ESPALIER_NO_LEAF, "an agent starts without a leaf");
  check(espalier_current_behavior(guard, agent) == ESPALIER_NO_BEHAVIOR, "an agent starts without a behaviour");
  check(!espalier_variable(guard, agent, 0) && espalier_variable(guard, agent, 1), "variables start at their defaults");
  check(espalier_update(guard, agent, &host) == ESPALIER_RUNNING, "the first update selects a behaviour");
  check(journal_is(&entries, "enter Idle; "), "the behaviour is entered");
  check(entries.last.agent == agent && entries.last.user == &mark && entries.last.leaf == 2,
        "a behaviour's function is told the agent, its own data and the leaf");
  check(entries.last.agent_number == 7, "a behaviour's function is told the host's number of the agent");

  memcpy(saved, agent, block_bytes);
  check(espalier_check_agent(guard, saved, NULL) == ESPALIER_OK, "a block that an agent has left is accepted");
  void* damaged = malloc(block_bytes);
  memset(damaged, 0x55, block_bytes);
  check(espalier_check_agent(guard, damaged, NULL) == ESPALIER_DAMAGED_AGENT, "a damaged block is refused");
  free(damaged);
  espalier_signal(guard, agent, seen, &host, NULL);
  espalier_update_all(guard, agent, block_bytes, 1, &host);
  check(journal_is(&entries, "leave Idle; enter GuardAttack; "),
        "the old behaviour is left before the new one is entered");
  check(espalier_current_leaf(guard, agent) == 0, "the leaf selected last is told");
  check(espalier_leaf_behavior(guard, 0) == espalier_current_behavior(guard, agent),
        "the current behaviour is the leaf's");
  check(espalier_leaf_count(guard) == 3, "the tree has three leaves");

  int step_count = 0;
  const espalier_watcher watcher = {.step = count_step, .user = &step_count};
  espalier_set(guard, agent, 1, false);
  check(espalier_update_watched(guard, agent, &host, &watcher) == ESPALIER_RUNNING, "a watched update selects as well");
  check(step_count >= 2, "a watched update tells the conditions it looked at");
  check(journal_is(&entries, "leave GuardAttack; enter Flee; "), "a variable can be set directly");

  const double distances[] = {5, 20};
  espalier_signal(guard, agent, seen, &host, &distances[0]);
  check(espalier_variable(guard, agent, 1), "the current behaviour sets a variable by the data of a signal");
  espalier_signal(guard, agent, seen, &host, &distances[1]);
  check(!espalier_variable(guard, agent, 1), "and another value by other data");
  check(journal_is(&entries, "event Flee; event Flee; ") && entries.last.signal == seen && entries.last.leaf == 1,
        "the current behaviour gets the signal");

  int change_count = 0;
  espalier_signal_watched(guard, agent, lost, &host, NULL, note_change, &change_count);
  check(change_count == 1, "a watched signal tells the variables it changes");
  check(espalier_update(guard, agent, &host) == ESPALIER_FAILURE, "an update can select nothing");
  check(journal_is(&entries, "event Flee; "), "a behaviour without `leave` is left silently");

  memcpy(agent, saved, block_bytes);
  check(espalier_update(guard, agent, &host) == ESPALIER_RUNNING, "a copied block restores the agent");
  check(journal_is(&entries, ""), "the restored agent goes on with its behaviour");
  espalier_stop(guard, agent, &host);
  check(journal_is(&entries, "leave Idle; "), "stopping leaves the behaviour");
  free(saved);
  free(agent);
}

/* Reads and opens an asset, or ends the program. */
static espalier_asset open_asset(const char* path, uint64_t* bytes, size_t capacity_bytes) {
  espalier_asset asset;
  espalier_fault fault = {ESPALIER_OK, NULL, 0};
  const size_t size_bytes = read_file(path, bytes, capacity_bytes);
  if (espalier_open(bytes, size_bytes, &asset, &fault) == ESPALIER_OK) return asset;
  fprintf(stderr, "cannot open '%s': %s\n", path, espalier_status_text(fault.status));
  exit(EXIT_FAILURE);
}

/* `bytes` hold an asset of trees that select. */
/* The same agent by a prepared tree, without and with tables. */
static void a_prepared_tree_selects(espalier_tree guard) {
  static uint64_t tables[4096];
  uint64_t block[2];
  espalier_prepared prepared;
  espalier_host host = {.clock_us = 0};
  check(espalier_agent_bytes(guard) <= sizeof block, "an agent is small");
  espalier_prepare(guard, &prepared);
  for (int with_tables = 0; with_tables < 2; ++with_tables) {
    espalier_start(guard, block);
    check(espalier_update_prepared(&prepared, block, &host) == ESPALIER_RUNNING, "a leaf is selected");
    check(espalier_current_leaf(guard, block) == 2, "the leaf is Idle");
    espalier_set(guard, block, 0, true);
    espalier_update_all_prepared(&prepared, block, sizeof block, 1, &host);
    check(espalier_current_leaf(guard, block) == 0, "the leaf is Attack");
    espalier_set(guard, block, 0, false);
    espalier_set(guard, block, 1, false);
    check(espalier_update_prepared(&prepared, block, &host) == ESPALIER_FAILURE, "no leaf is selected");
    check(espalier_tables_bytes(guard) > 0 && espalier_tables_bytes(guard) <= sizeof tables, "a small tree has tables");
    espalier_make_tables(&prepared, tables);
  }
}

/* A crowd in which agents 5 and 700 see an enemy, and the second is not armed. */
static void a_crowd_selects(espalier_tree guard) {
  static uint64_t code[4096];
  static uint64_t memory[8192];
  static uint8_t seeing[ESPALIER_COLUMN_AGENTS];
  static uint16_t leaves[ESPALIER_COLUMN_AGENTS];
  unsigned char* const block = (unsigned char*)memory + (64 - (uintptr_t)memory % 64) % 64;
  espalier_columns columns;
  const size_t code_bytes = espalier_columns_bytes(guard);
  check(code_bytes > 0 && code_bytes <= sizeof code, "a small tree has columns");
  espalier_make_columns(guard, code, &columns);
  check(64 + columns.block_bytes + columns.work_bytes <= sizeof memory, "a block and the work memory are small");
  espalier_start_columns(&columns, block, 1);
  espalier_update_columns(&columns, block, 1, block + columns.block_bytes);
  espalier_column_leaves(&columns, block, leaves);
  check(leaves[5] == 2 && leaves[700] == 2 && leaves[1023] == 2, "the leaf of all is Idle");
  seeing[5] = 1;
  seeing[700] = 255;
  espalier_set_column(&columns, block, 0, seeing);
  espalier_set_in_column(&columns, block, 700, 1, false);
  espalier_update_columns(&columns, block, 1, block + columns.block_bytes);
  espalier_column_leaves(&columns, block, leaves);
  check(leaves[5] == 0 && leaves[700] == 1 && leaves[4] == 2, "agents have leaves of their own");
  const uint64_t* switched = espalier_plane(block, columns.switched_plane);
  check(switched[0] == UINT64_C(1) << 5 && switched[700 / 64] == UINT64_C(1) << 700 % 64, "two have another leaf");
}

static void an_asset_opens_with_the_engines_of_its_trees(const uint64_t* bytes, size_t size_bytes) {
  const espalier_engine* const select = espalier_select_engine();
  const espalier_engine* const others[] = {espalier_tick_engine(), espalier_rule_engine(), espalier_decide_engine(),
                                           espalier_store_engine()};
  espalier_asset asset;
  espalier_fault fault = {ESPALIER_OK, NULL, 0};
  check(espalier_open_with(&select, 1, bytes, size_bytes, &asset, NULL) == ESPALIER_OK, "one engine is enough");
  check(espalier_tree_count(&asset) > 0, "the asset is open");
  check(espalier_open_with(others, 4, bytes, size_bytes, &asset, &fault) == ESPALIER_MISSING_ENGINE,
        "another engine's trees are refused");
  check(fault.status == ESPALIER_MISSING_ENGINE && fault.reason[0] != '\0', "the fault says why");
}

static void what_is_no_asset_is_refused(void) {
  static const uint64_t bytes[1] = {0};
  espalier_asset asset;
  espalier_fault fault = {ESPALIER_OK, NULL, 0};
  check(espalier_open(bytes, 3, &asset, &fault) == ESPALIER_NOT_AN_ASSET, "three bytes are no asset");
  check(fault.status == ESPALIER_NOT_AN_ASSET && fault.reason != NULL, "a refusal tells its reason");
  check(strlen(espalier_status_text(ESPALIER_WRONG_HASH)) > 0, "a status has a sentence");
}

int main(int argument_count, char** arguments) {
  static uint64_t selecting_bytes[8192];
  static uint64_t ticking_bytes[8192];
  static uint64_t rules_bytes[8192];
  static uint64_t deciders_bytes[8192];
  static uint64_t store_bytes[8192];
  static uint64_t times_bytes[8192];
  if (argument_count != 7) return EXIT_FAILURE;
  const espalier_asset selecting = open_asset(arguments[1], selecting_bytes, sizeof selecting_bytes);
  an_asset_opens_with_the_engines_of_its_trees(selecting_bytes,
                                               read_file(arguments[1], selecting_bytes, sizeof selecting_bytes));
  const espalier_asset ticking = open_asset(arguments[2], ticking_bytes, sizeof ticking_bytes);
  const espalier_asset rules = open_asset(arguments[3], rules_bytes, sizeof rules_bytes);
  const espalier_asset deciders = open_asset(arguments[4], deciders_bytes, sizeof deciders_bytes);
  const espalier_asset store = open_asset(arguments[5], store_bytes, sizeof store_bytes);
  const espalier_asset times = open_asset(arguments[6], times_bytes, sizeof times_bytes);
  what_is_no_asset_is_refused();
  names_are_found(&selecting, espalier_tree_at(&selecting, 0));
  all_missing_bindings_are_told(&selecting);
  agent_changes_its_behavior(&selecting, espalier_tree_at(&selecting, 0));
  a_prepared_tree_selects(espalier_tree_at(&selecting, 0));
  a_crowd_selects(espalier_tree_at(&selecting, 0));
  trees_that_tick(&ticking);
  trees_of_rules(&rules);
  trees_of_deciders(&deciders);
  trees_that_store(&store);
  trees_with_times(&times);
  return failure_count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

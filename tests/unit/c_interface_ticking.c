/* The C interface to trees that tick: walkers who walk until an alarm, of whom one rings the bell. */
#include <stdlib.h>
#include <string.h>

#include "c_interface.h"

#include <espalier/debugging.h>
#include <espalier/ticking.h>
#include <espalier/watching.h>

/* A walker's game: what its functions were called with, and what they answer. */
typedef struct town {
  journal entries;
  bool brave;
  espalier_result answer;
  bool was_told; /* the walker that was interrupted last */
  uint32_t queued;
  espalier_receivers receivers;
} town;

static void note(const espalier_call* call, const char* what) {
  town* of = call->host->user;
  write_entry(&of->entries, what, espalier_behavior_name(call->tree.asset, call->behavior));
  of->entries.last = *call;
}

static void on_enter(const espalier_call* call) { note(call, "enter"); }
static void on_leave(const espalier_call* call) { note(call, "leave"); }
static void on_interrupt(const espalier_call* call) { note(call, "interrupt"); }

/* A walker counts its steps in its memory. */
typedef struct walk {
  uint64_t step_count;
  bool is_told;
} walk;

static void on_walk(const espalier_call* call) {
  const walk zeros = {0, false};
  note(call, "enter");
  check(call->memory_bytes == sizeof(walk) && (uintptr_t)call->memory % 8 == 0, "an action has its memory");
  check(((const walk*)call->memory)->step_count == zeros.step_count && !((const walk*)call->memory)->is_told,
        "memory is all zeros when the action begins");
}

static void on_walk_told(const espalier_call* call) {
  note(call, "tell");
  ((walk*)call->memory)->is_told = true;
}

static void on_walk_interrupt(const espalier_call* call) {
  const walk* memory = call->memory;
  note(call, "interrupt");
  check(memory->step_count > 0, "an action keeps its memory until it has ended");
  ((town*)call->host->user)->was_told = memory->is_told;
}

static espalier_result on_action(const espalier_call* call) {
  if (call->memory_bytes == sizeof(walk)) ++((walk*)call->memory)->step_count;
  note(call, "tick");
  return ((town*)call->host->user)->answer;
}

static bool on_gate(const espalier_call* call) {
  note(call, "ask");
  return true;
}

static bool on_script(const espalier_call* call, uint32_t script) {
  town* of = call->host->user;
  write_entry(&of->entries, "script", espalier_script_text(call->tree.asset, script));
  return of->brave;
}

static void on_log(const espalier_call* call, const char* text) {
  town* of = call->host->user;
  write_entry(&of->entries, "log", text);
}

static void on_queue(const espalier_call* call, uint32_t signal, espalier_receivers receivers) {
  town* of = call->host->user;
  of->queued = signal;
  of->receivers = receivers;
}

static void values_are_read(const espalier_call* call) {
  espalier_parameter value = {.text = "?"};
  note(call, "enter");
  check(espalier_parameter_count(call) == 8, "a node gives its attributes and the declared defaults");
  check(espalier_find_parameter(call, "tune", &value) == ESPALIER_NOT_FOUND && strcmp(value.text, "?") == 0,
        "a parameter that is not there leaves the result as it was");
  check(espalier_find_parameter(call, "NAME", &value) == ESPALIER_OK && strcmp(value.name, "name") == 0,
        "parameters are found without case");
  check(value.type == ESPALIER_PARAMETER_TEXT && strcmp(value.text, "Big Tom") == 0, "a text is read");
  espalier_find_parameter(call, "times", &value);
  check(value.type == ESPALIER_PARAMETER_WHOLE && value.whole == 3, "a whole number is read");
  check(strcmp(value.text, "") == 0, "a number has an empty text");
  espalier_find_parameter(call, "strength", &value);
  check(value.type == ESPALIER_PARAMETER_NUMBER && value.numbers[0] == 0.5, "a number is read");
  espalier_find_parameter(call, "loud", &value);
  check(value.type == ESPALIER_PARAMETER_BOOLEAN && value.whole == 1, "a default is read");
  espalier_find_parameter(call, "hand", &value);
  check(value.type == ESPALIER_PARAMETER_CHOICE && value.whole == 1 && strcmp(value.text, "Right") == 0,
        "a choice is read as its number and its word");
  espalier_find_parameter(call, "at", &value);
  check(value.type == ESPALIER_PARAMETER_VECTOR && value.numbers[1] == 2.5 && value.numbers[2] == 3,
        "a vector is read");
  espalier_find_parameter(call, "answer", &value);
  check(value.type == ESPALIER_PARAMETER_EVENT && strcmp(value.text, "OnCalm") == 0, "an event is read");
  espalier_find_parameter(call, "song", &value);
  check(value.type == ESPALIER_PARAMETER_SCRIPT && strcmp(value.text, "return 1") == 0, "a script is read");
  check(espalier_parameter_at(call, 0).name != NULL, "parameters are counted from 0");
}

/* What a watcher was told. */
typedef struct steps {
  int counts[4];
  uint32_t sent;
  uint32_t changed;
} steps;

static void on_node(void* user, const espalier_node_step* step) {
  steps* told = user;
  ++told->counts[step->kind];
  if (step->kind == ESPALIER_NODE_SEND) told->sent = step->value;
}

static void on_change(void* user, uint32_t variable, bool value) { ((steps*)user)->changed = value ? variable : 77; }

/* What the active nodes of an agent tell. */
typedef struct inside {
  espalier_tree tree;
  const void* agent;
  int node_count;
  uint32_t state;
  uint64_t wait_end_us;
} inside;

static void look_at(void* user, uint32_t node_word) {
  inside* found = user;
  ++found->node_count;
  found->state += espalier_present_state(found->tree, found->agent, node_word);
  found->wait_end_us += espalier_wait_end_us(found->tree, found->agent, node_word);
}

static inside look_inside(espalier_tree tree, const void* agent) {
  inside found = {.tree = tree, .agent = agent};
  espalier_visit_active(tree, agent, look_at, &found);
  return found;
}

static uint32_t signal_of(espalier_tree tree, const char* name) {
  uint32_t signal = 77;
  check(espalier_find_signal(tree, name, &signal) == ESPALIER_OK, name);
  return signal;
}

/* Three walkers and what they share. */
typedef struct walkers {
  espalier_tree tree;
  espalier_behavior table[3];
  town town;
  espalier_host host;
  size_t block_bytes;
  void* blocks[3];
  void* saved;
} walkers;

static void begin(walkers* all, espalier_tree tree, void* shared, void* group) {
  const espalier_binding bindings[] = {
      {"Walk",
       {.enter = on_walk, .leave = on_leave, .interrupt = on_walk_interrupt, .tick = on_action, .event = on_walk_told}},
      {"Armed", {.enter = on_enter, .leave = on_leave, .allow = on_gate}},
      {"Ring", {.enter = values_are_read, .interrupt = on_interrupt, .tick = on_action}}};
  check(espalier_bind(tree.asset, bindings, 3, all->table, NULL, 0, NULL) == ESPALIER_OK, "actions are bound");
  all->tree = tree;
  all->town.brave = true;
  espalier_start_shared(tree, shared);
  espalier_start_group(tree.asset, group);
  all->host = (espalier_host){.behaviors = all->table,
                              .user = &all->town,
                              .shared = shared,
                              .group = group,
                              .script = on_script,
                              .log = on_log,
                              .queue = on_queue};
  all->block_bytes = espalier_agent_bytes(tree);
  all->saved = malloc(all->block_bytes);
  for (int i = 0; i < 3; ++i) {
    all->blocks[i] = malloc(all->block_bytes);
    espalier_start(tree, all->blocks[i]);
  }
  memcpy(all->saved, all->blocks[0], all->block_bytes);
  espalier_seed(tree, all->blocks[0], 5);
  check(memcmp(all->saved, all->blocks[0], all->block_bytes) != 0, "an agent keeps its seed");
}

/* Two are alarmed at once: in one group one of them rings, in two groups both. */
static void a_batch_has_a_group_for_each(espalier_tree tree, const espalier_host* given, void* group, void* other) {
  void* const groups[] = {group, other};
  const size_t block_bytes = espalier_agent_bytes(tree);
  unsigned char* blocks = malloc(2 * block_bytes);
  espalier_host host = *given;
  journal* entries = &((town*)host.user)->entries;
  host.shared = NULL;
  for (int round = 0; round < 2; ++round) {
    host.groups = round == 0 ? NULL : groups;
    host.first_agent = 20;
    for (int i = 0; i < 2; ++i) {
      espalier_start(tree, blocks + i * block_bytes);
      espalier_set(tree, blocks + i * block_bytes, 0, true);
    }
    entries->text[0] = '\0';
    espalier_update_all(tree, blocks, block_bytes, 2, &host);
    int ring_count = 0;
    for (const char* at = entries->text; (at = strstr(at, "enter Ring")) != NULL; ++at) ++ring_count;
    check(ring_count == 1 + round, "one of each group rings");
    check(entries->last.agent_number == 20 + (uint32_t)round, "the agents of a batch are numbered");
    for (int i = 0; i < 2; ++i) {
      host.first_agent = 20 + (uint32_t)i;
      host.group = round == 0 ? group : groups[i];
      espalier_stop(tree, blocks + i * block_bytes, &host);
    }
    host.group = group;
  }
  entries->text[0] = '\0';
  free(blocks);
}

static void end(walkers* all) {
  for (int i = 0; i < 3; ++i) free(all->blocks[i]);
  free(all->saved);
}

static void walks_until_tired(walkers* all) {
  int datum = 0;
  uint64_t time_us = 0;
  void* agent = all->blocks[0];
  journal* entries = &all->town.entries;
  check(espalier_update(all->tree, agent, &all->host) == ESPALIER_RUNNING, "a tree runs on");
  check(journal_is(entries, "script return brave; enter Armed; ask Armed; enter Walk; tick Walk; "),
        "scripts, gates and actions are asked from the root on");
  check(look_inside(all->tree, agent).state == 0, "a machine begins in its first state");

  const uint32_t tired = signal_of(all->tree, "OnTired");
  espalier_signal(all->tree, agent, tired, &all->host, &datum);
  check(journal_is(entries, "tell Walk; "), "an event is told to the active action");
  check(entries->last.signal == tired && entries->last.data == &datum, "an event comes with its data");

  espalier_signal(all->tree, agent, signal_of(all->tree, "OnShout"), &all->host, &datum);
  check(journal_is(entries, "tell Walk; "), "so is an event that only the project declares");

  all->host.clock_us = 1000000;
  espalier_prepared prepared;
  espalier_prepare(all->tree, &prepared);
  check(espalier_update_prepared(&prepared, agent, &all->host) == ESPALIER_RUNNING, "the next state runs");
  check(journal_is(entries, "interrupt Walk; leave Armed; "), "without interrupt, leave is called");
  check(all->town.was_told, "an event can write to the memory of an action");
  const inside found = look_inside(all->tree, agent);
  check(found.node_count >= 4, "the active nodes are visited");
  check(found.state == 1, "a machine tells its present state");
  check(found.wait_end_us >= 3000000 && found.wait_end_us <= 4000000, "a wait tells its end");
  check(!espalier_timestamp(all->tree, agent, 0, &time_us), "a timestamp starts never set");
  memcpy(all->saved, agent, all->block_bytes);
}

static void one_rings_the_bell(walkers* all) {
  steps told = {.counts = {0}};
  uint64_t time_us = 0;
  uint32_t id = 77;
  void* agent = all->blocks[0];
  const uint32_t alarm = signal_of(all->tree, "OnAlarm");
  espalier_signal_watched(all->tree, agent, alarm, &all->host, NULL, on_change, &told);
  check(told.changed == 0, "a watched event tells the variables it changes");
  check(espalier_find_timestamp(all->tree, "Alarm", &id) == ESPALIER_OK && id == 0, "timestamps are found");
  check(espalier_count(all->tree, ESPALIER_TIMESTAMPS) == 1, "timestamps are counted");
  check(strcmp(espalier_name(all->tree, ESPALIER_TIMESTAMPS, 0), "Alarm") == 0, "a timestamp has its name");
  check(espalier_timestamp(all->tree, agent, id, &time_us) && time_us == 1000000, "an event sets a timestamp");

  const espalier_watcher watcher = {.user = &told, .node = on_node, .changed = on_change};
  check(espalier_update_watched(all->tree, agent, &all->host, &watcher) == ESPALIER_RUNNING, "a higher case runs");
  check(journal_is(&all->town.entries, "log to arms; enter Ring; tick Ring; "), "messages are logged");
  check(all->town.queued == alarm && all->town.receivers == ESPALIER_OTHERS, "an event is queued for the others");
  check(told.counts[ESPALIER_NODE_INTERRUPT] > 0 && told.counts[ESPALIER_NODE_BEGIN] > 0 &&
            told.counts[ESPALIER_NODE_COMPLETE] == 3,
        "a watcher is told what happens to nodes");
  check(told.counts[ESPALIER_NODE_SEND] == 2 && told.sent == signal_of(all->tree, "OnRing"),
        "a watcher is told what nodes send");
  check(told.changed == 1, "a watcher is told the variables that a sent event changes");
}

static void places_are_shared(walkers* all) {
  const uint32_t alarm = signal_of(all->tree, "OnAlarm");
  journal* entries = &all->town.entries;
  espalier_signal(all->tree, all->blocks[1], alarm, &all->host, NULL);
  check(!espalier_is_stopped(all->tree, all->blocks[1]), "an agent is not stopped before its root's result");
  check(espalier_update(all->tree, all->blocks[1], &all->host) == ESPALIER_FAILURE, "the only place is taken");
  check(espalier_is_stopped(all->tree, all->blocks[1]), "its root's result stops an agent");
  check(espalier_update(all->tree, all->blocks[1], &all->host) == ESPALIER_STOPPED, "a stopped agent does nothing");

  espalier_restore(all->tree, all->blocks[0], all->saved, &all->host);
  check(look_inside(all->tree, all->blocks[0]).state == 1, "a saved agent is put back");
  espalier_signal(all->tree, all->blocks[2], alarm, &all->host, NULL);
  check(espalier_update(all->tree, all->blocks[2], &all->host) == ESPALIER_RUNNING, "putting back gives places back");
  check(journal_is(entries, "log to arms; enter Ring; tick Ring; "), "putting back calls nothing");

  espalier_move_agent(all->tree, all->blocks[2], &all->host, all->tree, all->blocks[1], &all->host);
  all->town.answer = ESPALIER_SUCCESS;
  check(journal_is(entries, ""), "what both versions have is not interrupted");
  check(espalier_update(all->tree, all->blocks[1], &all->host) == ESPALIER_SUCCESS, "a moved agent carries on");
  check(journal_is(entries, "tick Ring; "), "an action that succeeds is left");

  espalier_start(all->tree, all->blocks[2]);
  all->town.answer = ESPALIER_RUNNING;
  espalier_update_all(all->tree, all->blocks[2], all->block_bytes, 1, &all->host);
  espalier_stop(all->tree, all->blocks[2], &all->host);
  check(journal_is(entries,
                   "script return brave; enter Armed; ask Armed; enter Walk; tick Walk; interrupt Walk; leave Armed; "),
        "stopping interrupts what runs");
}

static void a_walker_has_times(walkers* all) {
  void* agent = all->blocks[2];
  const espalier_call* last = &all->town.entries.last;
  all->town.answer = ESPALIER_RUNNING;
  all->host.clock_us = 7000000;
  espalier_start(all->tree, agent);
  espalier_update(all->tree, agent, &all->host);
  check(last->clock_us == 7000000 && last->active_us == 0 && last->passed_us == 0, "times begin with the action");
  check(last->memory_bytes == sizeof(walk), "times are not a part of the memory that it sees");
  check(espalier_memory_of(last, sizeof(walk), 8) == last->memory, "memory is typed");
  check(espalier_memory_of(last, sizeof(walk) + 1, 8) == NULL, "a structure that is too large does not fit");
  all->host.clock_us = 7250000;
  espalier_update(all->tree, agent, &all->host);
  check(last->active_us == 250000 && last->passed_us == 250000, "time passes between updates");
  all->host.clock_us = 8000000;
  espalier_signal(all->tree, agent, signal_of(all->tree, "OnTired"), &all->host, NULL);
  check(last->active_us == 1000000 && last->passed_us == 750000, "an event has the times too");
  all->town.entries.text[0] = '\0';
}

static void a_walker_is_written(walkers* all) {
  espalier_completed entries[2];
  espalier_history history = {.entries = entries, .capacity = 2};
  const espalier_print_options options = {.active_only = true, .host = &all->host, .history = &history};
  char text[2048];
  espalier_result result = ESPALIER_ERROR;
  void* agent = all->blocks[2];
  espalier_start(all->tree, agent);
  espalier_update_recorded(all->tree, agent, &all->host, &history);
  check(espalier_print_text(all->tree, agent, &options, text, sizeof text) < sizeof text, "an agent is written");
  check(strstr(text, "tree walker, running\n  variables: Alarmed false, Ringing false\n") == text,
        "with its variables");
  check(strstr(text, "* ") != NULL && strstr(text, "Walk: step by step, running, active for ") != NULL,
        "a node has its text");
  check(history.count == 0 && espalier_recent(&history, 0) == NULL, "nothing was completed");
  all->town.answer = ESPALIER_SUCCESS;
  espalier_update_recorded(all->tree, agent, &all->host, &history);
  check(history.count == 2 && espalier_recent(&history, 0)->result == ESPALIER_SUCCESS, "completed nodes are recorded");
  check(espalier_last_of(&history, espalier_recent(&history, 1)->node_word) == espalier_recent(&history, 1),
        "and found by their nodes");
  check(espalier_node_name(all->tree.asset, espalier_recent(&history, 0)->node_word)[0] != '\0', "nodes have names");
  check(espalier_node_place(all->tree.asset, espalier_recent(&history, 0)->node_word).line > 0, "and places");
  check(!espalier_node_result(all->tree, agent, espalier_recent(&history, 0)->node_word, &result) &&
            result == ESPALIER_ERROR,
        "results are not stored");
  all->town.answer = ESPALIER_RUNNING;
  all->town.entries.text[0] = '\0';
}

void trees_that_tick(const espalier_asset* asset) {
  uint64_t shared[4];
  uint64_t group[4];
  espalier_tree tree;
  check(espalier_find_tree(asset, "Walker", &tree) == ESPALIER_OK, "a tree that ticks is found");
  check(espalier_count(espalier_tree_at(asset, 0), ESPALIER_SCRIPTS) == 1 &&
            strcmp(espalier_script_text(asset, 0), "return brave") == 0,
        "scripts are listed");
  check(espalier_shared_bytes(tree) > 0 && espalier_shared_bytes(tree) <= sizeof shared,
        "a limit needs a shared block");
  check(espalier_group_bytes(asset) > 0 && espalier_group_bytes(asset) <= sizeof group,
        "a scope needs a group's block");
  walkers all = {.town = {.brave = true}};
  begin(&all, tree, shared, group);
  walks_until_tired(&all);
  one_rings_the_bell(&all);
  places_are_shared(&all);
  a_walker_has_times(&all);
  a_walker_is_written(&all);
  uint64_t other[4];
  espalier_start_group(asset, group);
  espalier_start_group(asset, other);
  a_batch_has_a_group_for_each(tree, &all.host, group, other);
  end(&all);
}

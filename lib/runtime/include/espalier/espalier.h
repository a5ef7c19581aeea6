/* espalier's runtime for C (C99): runs compiled behaviour trees for very many agents. This header is all of it; link
   espalier_runtime with a C or a C++ linker. (C++ programs may use espalier.hpp, which says the same.)

     espalier_asset asset;                              // bytes: the file, read or mapped, at a multiple of 8
     if (espalier_open(bytes, size, &asset, NULL) != ESPALIER_OK) ...           // verified once, trusted after
     espalier_tree guard;
     espalier_find_tree(&asset, "Guard", &guard);
     espalier_bound table[N];                           // N = espalier_behavior_count(&asset)
     espalier_bind(&asset, bindings, binding_count, table, NULL, 0, &missing_count);

     espalier_host host = {table, my_game, clock_us};   // what is not named is null
     espalier_start(guard, block);                      // block: espalier_agent_bytes(guard) bytes, at a multiple of 8
     espalier_signal(guard, block, on_enemy_seen, &host, NULL);  // ids: espalier_find_signal()
     espalier_update(guard, block, &host);              // calls the behaviours

   There are trees that select (one leaf's behaviour is active, another is chosen when a variable changes), trees that
   tick (nodes run until they succeed or fail), trees of rules (one rule is the current one, and can be jumped to),
   trees of deciders (deciders from the root to one behaviour are active) and trees that store (every node keeps its
   result until it is reset). What is said of one kind alone begins with its name: select, tick, rule, decide, store.

   Nothing here allocates, throws, recurses, depends on the locale, or keeps a pointer to an agent's block: blocks can
   be copied and moved (what saving an agent takes: see "Saving"). No function needs more than ESPALIER_MAX_STACK_BYTES
   of stack. An asset and its trees are read-only and may be used from any number of threads; an agent's block by one at
   a time. All functions but espalier_open(), espalier_bind() and espalier_check_agent() trust their arguments: a tree
   comes from a verified asset, ids are below their counts, a block was begun with espalier_start() or accepted by
   espalier_check_agent(), and a `host` is not null. Strings that come from an asset end in NUL and live as long as its
   bytes. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* What a shared library gives: these functions and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Of stack, for each function; what the host's functions need comes on top. For builds with optimisation. */
#define ESPALIER_MAX_STACK_BYTES 8192

typedef enum espalier_status {
  ESPALIER_OK,
  ESPALIER_MISALIGNED,          /* the bytes do not lie at a multiple of 8 */
  ESPALIER_NOT_AN_ASSET,        /* no magic, or too short for a header */
  ESPALIER_UNSUPPORTED_VERSION, /* of another major version */
  ESPALIER_WRONG_SIZE,          /* cut off, or bytes behind the end */
  ESPALIER_WRONG_HASH,          /* changed since it was written */
  ESPALIER_MALFORMED,           /* a count, offset, extent or operand that cannot be right */
  ESPALIER_NOT_FOUND,           /* no such name */
  ESPALIER_MISSING_BINDING,     /* a behaviour without functions */
  ESPALIER_NO_ID,               /* the current rule has no id */
  ESPALIER_NOT_ACCEPTED,        /* a slot does not take this tree */
  ESPALIER_TOO_LARGE,           /* a tree does not fit a slot */
  ESPALIER_WRONG_BYTE_ORDER,    /* assets are little-endian: this host is not, or this asset's bytes are swapped */
  ESPALIER_DAMAGED_AGENT,       /* a block that no agent of its tree can have */
  ESPALIER_MISSING_ENGINE       /* the asset has a tree of an engine that was not given */
} espalier_status;

/* One sentence in English for messages; never null. */
const char* espalier_status_text(espalier_status status);

/* ---- Assets ---------------------------------------------------------------------------------- */

/* A view of a verified asset. Owns nothing; the bytes must outlive it and must not change. Its contents are private;
   copies are views of the same bytes. */
typedef struct espalier_asset {
  uint64_t internal[96];
} espalier_asset;

/* A view of one tree of an asset. The asset it came from must outlive it and stay where it is. Passed by value. */
typedef struct espalier_tree {
  const espalier_asset* asset;
  uint32_t index;
} espalier_tree;

/* Where and why verification failed. `reason` is a static string; `offset_bytes` is from the start of the asset. */
typedef struct espalier_fault {
  espalier_status status;
  const char* reason;
  uint64_t offset_bytes;
} espalier_fault;

/* Checks every byte that the runtime will rely on and makes a view. Linear in the size, allocates nothing. After
   ESPALIER_OK no update can read or write outside the asset and the agent's block, or run without end. On anything else
   `*asset` is left as it was; `fault`, when not null, tells more. Assets are little-endian; a big-endian host gets
   ESPALIER_WRONG_BYTE_ORDER. */
espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

/* An engine is a way of evaluating trees: see the kinds above. A program that opens its assets with the engines that it
   names links no other (where its linker leaves out what is not used: -Wl,--gc-sections). */
typedef struct espalier_engine espalier_engine;
const espalier_engine* espalier_select_engine(void);
const espalier_engine* espalier_tick_engine(void);
const espalier_engine* espalier_rule_engine(void);
const espalier_engine* espalier_decide_engine(void);
const espalier_engine* espalier_store_engine(void);
/* espalier_open() with these engines alone; ESPALIER_MISSING_ENGINE when a tree needs another. */
espalier_status espalier_open_with(const espalier_engine* const* engines, size_t engine_count, const void* bytes,
                                   size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

uint32_t espalier_tree_count(const espalier_asset* asset);
espalier_tree espalier_tree_at(const espalier_asset* asset, uint32_t index);
/* Without case; store: exact. `*tree` is left as it was on ESPALIER_NOT_FOUND. */
espalier_status espalier_find_tree(const espalier_asset* asset, const char* name, espalier_tree* tree);
const char* espalier_tree_name(espalier_tree tree);

/* Variables and signals belong to a tree, behaviours to the whole asset. Ids count from 0. decide: the variables are
   the decision flags. */
uint32_t espalier_variable_count(espalier_tree tree);
const char* espalier_variable_name(espalier_tree tree, uint32_t variable);
/* Without case; decide: exact. */
espalier_status espalier_find_variable(espalier_tree tree, const char* name, uint32_t* variable);
uint32_t espalier_signal_count(espalier_tree tree);
const char* espalier_signal_name(espalier_tree tree, uint32_t signal);
espalier_status espalier_find_signal(espalier_tree tree, const char* name, uint32_t* signal); /* exact */
uint32_t espalier_behavior_count(const espalier_asset* asset);
const char* espalier_behavior_name(const espalier_asset* asset, uint32_t behavior);

/* rule: what rules ask of the host; decide: the Decide functions. Their names are a set of their own: a behaviour may
   have the same one. */
uint32_t espalier_host_condition_count(const espalier_asset* asset);
const char* espalier_host_condition_name(const espalier_asset* asset, uint32_t condition);

/* ---- Behaviours ------------------------------------------------------------------------------ */

/* The result of an update, of a tree or of a behaviour. */
typedef enum espalier_result {
  ESPALIER_RUNNING, /* select: a behaviour is active */
  ESPALIER_FAILURE, /* select: nothing was selected: the agent has no behaviour, and is evaluated again at the next
                       update */
  ESPALIER_SUCCESS,
  ESPALIER_STOPPED, /* tick: the tree's root had a result before, and this tree is not begun again; rule: the agent is
                       stopped. Nothing was done */
  ESPALIER_ERROR    /* decide: groups decided again more often than the tree allows, and nothing is active; or there was
                       no scratch memory, and nothing was done */
} espalier_result;

/* decide: the memory of a decider that is called, all 0 at first. Null where it has none. */
typedef struct espalier_activation {
  uint32_t behavior_flags; /* bits, see espalier_find_behavior_flag() */
  void* memory;            /* a behaviour's own, until its Deactivate, at a multiple of 8; a Decide: null */
  uint32_t memory_bytes;
  void* block; /* the decider block: a Decide fills it, the behaviour that is activated reads it */
  uint32_t block_bytes;
} espalier_activation;

/* What a behaviour's functions are called with; valid during the call. They may signal and set the agent, but must not
   update, start or stop it. */
typedef struct espalier_call {
  espalier_tree tree;
  void* agent;        /* the agent's block */
  uint32_t behavior;  /* of the asset; of a host's condition: its number among those */
  uint32_t leaf;      /* select: of the tree: which leaf was selected (several may have one behaviour) */
  void* host;         /* espalier_host.user of this update */
  void* user;         /* espalier_behavior.user */
  uint32_t node_word; /* tick, rule, decide: the node, its first word in the asset's NODES */
  uint32_t signal;    /* event: of the tree */
  const void* data;   /* event: what espalier_signal() was given */
  const espalier_activation* activation; /* decide: never null */
} espalier_call;

typedef void (*espalier_behavior_function)(const espalier_call* call);
typedef espalier_result (*espalier_action_function)(const espalier_call* call);
typedef bool (*espalier_gate_function)(const espalier_call* call);
typedef double (*espalier_decide_function)(const espalier_call* call);

/* Functions of one behaviour, or of one of the host's conditions; any may be null. */
typedef struct espalier_behavior {
  /* It is selected, or entered; rule: it is called with its rule run first; decide: not called. */
  espalier_behavior_function construct;
  /* It is no longer selected; tick, rule, store: it has succeeded or failed; decide: Deactivate. */
  espalier_behavior_function destruct;
  void* user;
  /* tick, rule: it is left without a result; null: destruct is called. store: it is reset while it runs; null: nothing
     is called */
  espalier_behavior_function interrupt;
  /* tick, store: asked at each update, the first one included; null: success. rule: the same; null: it is not bound and
     fails. decide: Tick; running: it goes on, anything else: it fails; null: it goes on */
  espalier_action_function action;
  /* tick: of one with a child: is it let in? asked after construct; null: yes. rule, of an action: is it bound? asked
     before its rule's conditions; null: yes. Of one of the host's conditions: its answer; null: false. decide:
     Activate; false: it refuses, and was never active; null: yes */
  espalier_gate_function gate;
  espalier_behavior_function event; /* tick: an event has come while it is active, which has no child */
  /* store: it is reset after it was done, to clean up; null: nothing is called. */
  espalier_behavior_function reset;
  /* decide, of a condition: the decider's value; above 0: it accepts. Must not change the agent. Null: refused. */
  espalier_decide_function decide;
} espalier_behavior;

typedef struct espalier_binding {
  const char* name;
  espalier_behavior behavior;
} espalier_binding;

/* An entry of a table of bound behaviours. Its contents are private, and point into the table: a table stays where it
   is while it is used. */
typedef struct espalier_bound {
  void* internal[18];
} espalier_bound;

/* Fills `table` (espalier_behavior_count(asset) entries) from `bindings` by exact name; the first of a name counts.
   Behaviours that have none get null functions; the ids of the first `missing_capacity` of them are written to
   `missing` (may be null when that is 0), and `*missing_count` (may be null) is how many there are. Returns
   ESPALIER_MISSING_BINDING when there is one, so that all are known at once and at the start. `bindings` is copied. */
espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_bound* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count);

/* The same for the host's conditions: espalier_host_condition_count(asset) entries, of which `gate` (decide: `decide`)
   and `user` are used. */
espalier_status espalier_bind_conditions(const espalier_asset* asset, const espalier_binding* bindings,
                                         size_t binding_count, espalier_bound* table, uint32_t* missing,
                                         size_t missing_capacity, uint32_t* missing_count);

typedef enum espalier_parameter_type {
  ESPALIER_PARAMETER_TEXT,
  ESPALIER_PARAMETER_WHOLE,
  ESPALIER_PARAMETER_NUMBER,
  ESPALIER_PARAMETER_BOOLEAN,
  ESPALIER_PARAMETER_CHOICE,
  ESPALIER_PARAMETER_VECTOR,
  ESPALIER_PARAMETER_EVENT,
  ESPALIER_PARAMETER_SCRIPT
} espalier_parameter_type;

/* One value that the tree gives to a behaviour's node: an attribute, or its declared default. */
typedef struct espalier_parameter {
  const char* name;
  espalier_parameter_type type;
  const char* text;  /* text, event, script; choice: the word; else empty */
  int64_t whole;     /* whole; boolean: 0 or 1; choice: which of the declared words, from 0 */
  double numbers[3]; /* number: the first; vector: all */
} espalier_parameter;

/* tick: of the node that is called. */
uint32_t espalier_parameter_count(const espalier_call* call);
espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index);
/* Without case. `*parameter` is left as it was on ESPALIER_NOT_FOUND. */
espalier_status espalier_find_parameter(const espalier_call* call, const char* name, espalier_parameter* parameter);

/* ---- Agents ---------------------------------------------------------------------------------- */

#define ESPALIER_AGENT_ALIGNMENT 8
#define ESPALIER_NO_LEAF UINT32_C(0xFFFFFFFF)
#define ESPALIER_NO_BEHAVIOR UINT32_C(0xFFFFFFFF)

/* Bytes of an agent's block; it lies at a multiple of ESPALIER_AGENT_ALIGNMENT (rule: of 4). */
size_t espalier_agent_bytes(espalier_tree tree);
/* decide: bytes of memory that an update needs for choices that it has to keep for a while; 0: none, as mostly. One for
   each thread that updates agents is enough. */
size_t espalier_scratch_bytes(espalier_tree tree);
/* Bytes of the block that all agents of one tree share; 0: it needs none. */
size_t espalier_shared_bytes(espalier_tree tree);

/* tick: of a block that all agents of one group share, whatever their trees of this asset; 0: there are no scopes. */
size_t espalier_group_bytes(const espalier_asset* asset);
/* Begin a shared block, or a group's, with all places free. Agents may then be updated from several threads. */
void espalier_start_shared(espalier_tree tree, void* block);
void espalier_start_group(const espalier_asset* asset, void* block);

/* tick: which agents a queued event is for. */
typedef enum espalier_receivers { ESPALIER_SENDER, ESPALIER_GROUP, ESPALIER_OTHERS } espalier_receivers;

/* What an update is given. */
typedef struct espalier_host {
  const espalier_bound* behaviors; /* as filled by espalier_bind(); null: no behaviour is called */
  void* user;                      /* for the behaviours' functions */
  uint64_t clock_us;               /* the game's clock in microseconds; never goes back */
  /* The rest is for trees that tick. Null blocks: every place is free. */
  void* shared; /* espalier_shared_bytes(tree) bytes at a multiple of 8: of all agents of this tree */
  void* group;  /* espalier_group_bytes(asset) bytes at a multiple of 8: of the agent's group */
  /* Runs a script of the asset and gives its truth; null: false. */
  bool (*script)(const espalier_call* call, uint32_t script);
  /* A log message of the tree; null: dropped. */
  void (*log)(const espalier_call* call, const char* text);
  /* Keeps an event of the tree, to be raised with espalier_signal() before the next update of each agent that is
     meant. */
  void (*queue)(const espalier_call* call, uint32_t signal, espalier_receivers receivers);
  /* rule: as filled by espalier_bind_conditions(); null: every condition is false. decide: the same; null: every Decide
     refuses. */
  const espalier_bound* conditions;
  /* decide: espalier_scratch_bytes(tree) bytes at a multiple of 8, of any content; null where that is 0 */
  void* scratch;
  /* store: a slot's tree would be deeper within others than the agent's tree allows, or there has not the room that it
     needs, and fails. Null: dropped. */
  void (*too_deep)(const espalier_call* call, uint32_t slot);
} espalier_host;

/* Begins an agent in `block`, with its variables at their defaults and no behaviour. Nothing is called. */
void espalier_start(espalier_tree tree, void* block);
/* tick, decide: sets where the agent's random numbers (SplitMix64) begin. Nothing where no node draws. */
void espalier_seed(espalier_tree tree, void* block, uint64_t seed);
/* Ends an agent: what runs is interrupted (select, decide: destructed, the deepest first), places are given back. The
   block is then as after espalier_start() but for its variables and timestamps; decide: but for all that is not its
   path; store: but for what is in its slots and the times of its cooldowns. */
void espalier_stop(espalier_tree tree, void* block, const espalier_host* host);

/* ---- Saving ---------------------------------------------------------------------------------- */

/* A copy of a block, made between calls, can be put back for as long as the asset has the same bytes:
     select, rule: the copy is all of the agent. Copying it back restores it.
     decide: the same. What behaviours keep in their memory, and deciders in their blocks, is a part of it.
     tick: all of the agent but for its places in limits and scopes, which are counted in the shared block and in the
       group's. espalier_restore() puts a copy back and counts its places; into a block that was begun with
       espalier_start(), too.
     store: an agent's places in gates, its seats in groups and the times of cooldowns of all agents are in the shared
       block. That block and the blocks of all agents that share it are saved together and put back together, by copying
       all of them while none is updated; no agent can be put back by itself.
   Another version of the asset: espalier_move_agent(), which needs the old one; rule: espalier_save_position(). */

/* Puts back a block that was copied from an agent of this tree; `block` is an agent, which ends without a call. Nothing
   is called; places that the two hold are counted up and down by the difference, whatever their maximum says. store:
   nothing is done, since what agents share cannot be put back. */
void espalier_restore(espalier_tree tree, void* block, const void* saved, const espalier_host* host);
/* Is it safe to call functions with a block of any content, as it may come from a saved game? After ESPALIER_OK none of
   them reads or writes outside the block, the shared blocks and the asset, or runs without end; what they do then need
   not make sense. All blocks that an agent of this very tree has had between calls are accepted. `block` is
   espalier_agent_bytes(tree) bytes. Linear in the tree, or in the block where that is larger; needs little stack and
   calls nothing.
     decide: what behaviours keep in their memory, and deciders in their blocks, is the game's own to check.
     store: `shared`, when not null, is the block that the agent is to share, which espalier_check_shared() has
     accepted: what the agent holds in it must be held there. Null: nothing of that kind is checked, but all that is
     above holds.
   ESPALIER_MISALIGNED, ESPALIER_DAMAGED_AGENT. */
espalier_status espalier_check_agent(espalier_tree tree, const void* block, const void* shared);
/* The same of a shared block, which nobody uses meanwhile. tick: any content is safe, and so is a group's. */
espalier_status espalier_check_shared(espalier_tree tree, const void* shared);

/* Hot reload: begins an agent of `to` in `to_block` that carries on where `from_block` is: variables and timestamps by
   name, the running path as far as both trees have it, by name and structure. The rest is interrupted, with the hosts'
   functions: `from_host` has those of the old asset, `to_host` of the new. from_block is not an agent any more then.
   select: the current leaf where the new tree has one with the same behaviour and the same names from the root to it,
   and the states of machines, by name; of an edited asset the next update evaluates the tree. decide: stimuli, times,
   what ran last, orders and the generator by name too. store: it begins anew, with what is in its slots, by name. Names
   of nodes are debug data: between assets that were stripped, nodes are found by structure alone. */
void espalier_move_agent(espalier_tree from, void* from_block, const espalier_host* from_host, espalier_tree to,
                         void* to_block, const espalier_host* to_host);

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable);
void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value);
/* Sets the variables that this signal sets, at once. tick: then timestamps, to the host's clock_us; then the active
   nodes hear of it; behaviours that are actions get it with `data`. decide: sets its stimuli, at the host's clock_us;
   `data`, when not null, is an espalier_stimulus_data. Nothing is updated. */
void espalier_signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data);

/* select: evaluates the tree if a variable has changed (or none was selected last), and changes the behaviour if
   another leaf is selected. tick: goes on with what runs. rule: runs rules until one answers running or the root has a
   result; the root's failure stops the agent, and so do as many runs as the tree's limit. decide: one tick, from the
   root down the active path; failure: no behaviour would go on, and nothing is active. */
espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host);
/* `count` agents, `stride_bytes` apart (a multiple of 8; rule: of 4): the same as espalier_update() on each in turn. */
void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host);

/* The leaf selected last, or ESPALIER_NO_LEAF; leaves count from 0 in the order of the file. The behaviour of a leaf.
 */
uint32_t espalier_current_leaf(espalier_tree tree, const void* block);
uint32_t espalier_leaf_count(espalier_tree tree);
uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf);
/* Of the current leaf, or ESPALIER_NO_BEHAVIOR. */
uint32_t espalier_current_behavior(espalier_tree tree, const void* block);

/* tick: has the root's result ended this agent for good? rule: is it stopped until a jump, reset or restored position?
 */
bool espalier_is_stopped(espalier_tree tree, const void* block);

uint32_t espalier_timestamp_count(espalier_tree tree);
const char* espalier_timestamp_name(espalier_tree tree, uint32_t timestamp);
espalier_status espalier_find_timestamp(espalier_tree tree, const char* name, uint32_t* timestamp); /* exact */
/* The time it was set at, in microseconds. False: it never was, or was cleared. */
bool espalier_timestamp(espalier_tree tree, const void* block, uint32_t timestamp, uint64_t* time_us);

/* ---- Rules ----------------------------------------------------------------------------------- */

#define ESPALIER_NO_RULE UINT32_C(0xFFFFFFFF)

/* rule: rules count from 0. An id is that of the whole tree, with its subtrees' prefixes; empty: the rule has none. */
uint32_t espalier_rule_count(espalier_tree tree);
const char* espalier_rule_id(espalier_tree tree, uint32_t rule);
espalier_status espalier_find_rule(espalier_tree tree, const char* id, uint32_t* rule); /* exact */
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

/* Where an agent of rules is, to be kept with a saved game and put back into another version of the tree. */
typedef struct espalier_position {
  const char* id; /* of the current rule; lies in the asset */
  bool is_first_run;
  bool is_stopped;
  espalier_result status; /* of the last update; ESPALIER_STOPPED: there was none */
} espalier_position;
/* ESPALIER_NO_ID: the rule cannot be told, and `*position` is left as it was. */
espalier_status espalier_save_position(espalier_tree tree, const void* block, espalier_position* position);
/* ESPALIER_NOT_FOUND: the tree has no such rule, and nothing is changed. Nothing is called. */
espalier_status espalier_restore_position(espalier_tree tree, void* block, const espalier_position* position);

/* ---- Deciders -------------------------------------------------------------------------------- */

/* decide: all decision flags at once, bit i that of variable i. */
uint64_t espalier_flags(espalier_tree tree, const void* block);
void espalier_set_flags(espalier_tree tree, void* block, uint64_t flags);

/* decide: stimuli of a tree; ids count from 0. Names are exact. */
uint32_t espalier_stimulus_count(espalier_tree tree);
const char* espalier_stimulus_name(espalier_tree tree, uint32_t stimulus);
espalier_status espalier_find_stimulus(espalier_tree tree, const char* name, uint32_t* stimulus);

/* What a stimulus carries from its sender. */
typedef struct espalier_stimulus_data {
  unsigned char bytes[16];
  uint32_t size_bytes; /* at most 16 */
} espalier_stimulus_data;

/* From the clock on, for the time of its timeout; one that is present begins anew, with other data. Behaviours may call
   it: what is decided after that sees it. Null: no data. */
void espalier_set_stimulus(espalier_tree tree, void* block, uint32_t stimulus, uint64_t clock_us,
                           const espalier_stimulus_data* data);
void espalier_clear_stimulus(espalier_tree tree, void* block, uint32_t stimulus);
/* Is it present? As far as the last update has seen: timeouts run down there. `*data` (may be null): only if it is. */
bool espalier_stimulus(espalier_tree tree, const void* block, uint32_t stimulus, espalier_stimulus_data* data);

/* decide: the flags that deciders give to their behaviours, by the number of their bit. Names are exact. */
uint32_t espalier_behavior_flag_count(espalier_tree tree);
const char* espalier_behavior_flag_name(espalier_tree tree, uint32_t flag);
espalier_status espalier_find_behavior_flag(espalier_tree tree, const char* name, uint32_t* flag);

/* An active decider. */
typedef struct espalier_active_decider {
  uint32_t node_word;             /* its node, wherever it is placed: its first word in the asset's NODES */
  uint32_t behavior;              /* of the asset, or ESPALIER_NO_BEHAVIOR */
  uint64_t since_us;              /* the clock when it became active, of 48 bits */
  espalier_activation activation; /* of its behaviour */
} espalier_active_decider;

/* decide: how many deciders are active, one within the other; 0: nothing is. Level 0 is the root. */
uint32_t espalier_active_count(espalier_tree tree, const void* block);
espalier_active_decider espalier_active_decider_at(espalier_tree tree, void* block, uint32_t level);
/* A decider's name; empty when the asset was stripped. */
const char* espalier_decider_name(espalier_tree tree, uint32_t node_word);

/* decide: what an agent's bytes are for. All of them together, rounded up to a multiple of 8, are
   espalier_agent_bytes(). */
typedef struct espalier_decider_memory {
  uint32_t flags_bytes;
  uint32_t stimuli_bytes;   /* which are present, until when, with which data */
  uint32_t timers_bytes;    /* of deciders with `every` */
  uint32_t path_bytes;      /* the levels, and how many are active */
  uint32_t behaviors_bytes; /* the most memory and decider blocks that one path holds */
  uint32_t orders_bytes;    /* what ran last, and shuffled orders */
  uint32_t generator_bytes;
} espalier_decider_memory;
espalier_decider_memory espalier_decider_memory_of(espalier_tree tree);

/* ---- Slots ----------------------------------------------------------------------------------- */

#define ESPALIER_NO_TREE UINT32_C(0xFFFFFFFF)

/* store: where trees are put in at run time. Slots are of the asset; ids count from 0. Names are exact. */
uint32_t espalier_slot_count(const espalier_asset* asset);
const char* espalier_slot_name(const espalier_asset* asset, uint32_t slot);
espalier_status espalier_find_slot(const espalier_asset* asset, const char* name, uint32_t* slot);
/* Puts a tree of the asset (by index; ESPALIER_NO_TREE: none) into a slot of this agent, to be entered there next.
   `immediate`: what runs in the slot now is reset, at once. An agent whose own tree has no node
   for slots keeps nothing of it. ESPALIER_NOT_FOUND, ESPALIER_NOT_ACCEPTED, ESPALIER_TOO_LARGE: nothing is changed. */
espalier_status espalier_inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                                const espalier_host* host);
/* The tree that was put into a slot of this agent, or ESPALIER_NO_TREE. */
uint32_t espalier_injected_tree(espalier_tree tree, const void* block, uint32_t slot);
/* store: how many agents are inside a gate, or wait or are bound in a group: by its node, of any tree of the asset. */
uint32_t espalier_inside_count(const espalier_asset* asset, const void* shared, uint32_t node_word);

/* Scripts of the asset, for a host that compiles them once. Ids count from 0. */
uint32_t espalier_script_count(const espalier_asset* asset);
const char* espalier_script_text(const espalier_asset* asset, uint32_t script);

/* ---- Watching -------------------------------------------------------------------------------- */

/* One step of an evaluation: a condition that was looked at. */
typedef struct espalier_step {
  uint32_t node_word; /* the node: its first word in the asset's NODES */
  uint32_t leaf_base; /* which use of a shared unit: the leaves before it */
  uint32_t condition; /* as in the asset: 0 (always true) or 1 + its index */
  int32_t transition; /* -1: the node's own condition; else the transition's number in its state */
  bool holds;
} espalier_step;

/* tick, rule, store: what happens to a node, in order. The host's functions are called in between. */
typedef enum espalier_node_step_kind {
  ESPALIER_NODE_BEGIN,     /* it becomes active; rule: it is run, `value` is its number */
  ESPALIER_NODE_COMPLETE,  /* it has a result, and is no longer active; rule: the run is over, running too */
  ESPALIER_NODE_INTERRUPT, /* it is no longer active, without a result */
  ESPALIER_NODE_SEND,      /* it raises (or queues) the event `value`; before any effect of it */
  ESPALIER_NODE_RESTART    /* store: the agent's tree is reset because of it: a monitor has succeeded, or another agent
                              left a group */
} espalier_node_step_kind;

typedef struct espalier_node_step {
  espalier_node_step_kind kind;
  uint32_t node_word; /* the node: its first word in the asset's NODES */
  uint32_t value;     /* complete: an espalier_result; send: the signal; else 0 */
} espalier_node_step;

/* decide: what an update does, in order. Each kind is of an output level, 1 to 5, see espalier_step_level(). */
typedef enum espalier_decide_step_kind {
  ESPALIER_DECIDE_ACTIVATED,     /* 1: a behaviour is active now */
  ESPALIER_DECIDE_DEACTIVATED,   /* 2: it is not any more */
  ESPALIER_DECIDE_REFUSED,       /* 2: its Activate said no */
  ESPALIER_DECIDE_FAILED,        /* 2: a decider has failed, and is masked in its group; of the root: the tree has */
  ESPALIER_DECIDE_DECIDES_AGAIN, /* 2: a group, its child `other` being masked now, and others perhaps */
  ESPALIER_DECIDE_OVERRUN,       /* 2: in place of one time more than the tree allows; everything is deactivated then */
  ESPALIER_DECIDE_BEGIN,         /* 3: of the update; timeouts have run down */
  ESPALIER_DECIDE_TICKED,        /* 3: a behaviour; `value` 1: it goes on, 0: it has failed */
  ESPALIER_DECIDE_END,           /* 3: of the update; `value`: the espalier_result */
  ESPALIER_DECIDE_VISITED,       /* 4: a group that was active before; `other`: its active child */
  ESPALIER_DECIDE_GOES_ON,       /* 4: a group, with its active child `other` */
  ESPALIER_DECIDE_SWITCHES,      /* 4: a group, to its child `other` */
  ESPALIER_DECIDE_MASKED,        /* 5: a child is not asked */
  ESPALIER_DECIDE_EVERY_FAILED,  /* 5: preconditions that do not hold: it was called too short a time ago */
  ESPALIER_DECIDE_FLAGS_ALL_FAILED,
  ESPALIER_DECIDE_FLAGS_ANY_FAILED,
  ESPALIER_DECIDE_STIMULI_ALL_FAILED,
  ESPALIER_DECIDE_STIMULI_ANY_FAILED,
  ESPALIER_DECIDE_DECIDED,    /* 5: the host's Decide was called, and gave `value` */
  ESPALIER_DECIDE_ASKED,      /* 5: a child whose preconditions hold, if it has any, has answered `value`; above 0: it
                                 accepts */
  ESPALIER_DECIDE_CHOSEN,     /* 5: a group has chosen `other` */
  ESPALIER_DECIDE_REFUSED_ALL /* 5: a group has found no child that accepts */
} espalier_decide_step_kind;

typedef struct espalier_decide_step {
  espalier_decide_step_kind kind;
  uint32_t depth;     /* of the decider in the path, or where it would stand there: the root's is 0 */
  uint32_t node_word; /* the decider's node; begin, end: the root's */
  uint32_t other;     /* where said: another decider's node; else 0 */
  double value;       /* where said; else 0 */
} espalier_decide_step;

/* 1 to 5. */
unsigned espalier_step_level(espalier_decide_step_kind kind);

/* Functions that are told; any may be null. */
typedef struct espalier_watcher {
  void (*step)(void* user, const espalier_step* step); /* select */
  void* user;
  void (*node)(void* user, const espalier_node_step* step); /* tick, rule, store */
  /* tick: an event that a node raised gives a variable another value. */
  void (*changed)(void* user, uint32_t variable, bool value);
  void (*decide)(void* user, const espalier_decide_step* step); /* decide */
} espalier_watcher;

/* The same as espalier_update(), telling `watcher` each step. */
espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher);

/* The same as espalier_signal(), telling `changed` each variable that gets another value, in order (one may come
   several times). */
void espalier_signal_watched(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host,
                             const void* data, void (*changed)(void* user, uint32_t variable, bool value), void* user);

/* Writes what a step is as a line of text (without an end of line), piece by piece: level, agent, clock and the step's
   own words, indented by depth. `block` is the agent's as it is at the step. */
typedef void (*espalier_write)(void* user, const char* piece, size_t size_bytes);
void espalier_print_step(espalier_tree tree, const void* block, const espalier_decide_step* step, uint64_t clock_us,
                         uint32_t agent, espalier_write write, void* user);
/* decide: writes the tree as indented text, a line a decider: `*` before active ones, index in its group, name, kind,
   policy, how long it has been active, its behaviour with flags, the index of the active child. Shared deciders are
   written once, behind the tree. Where the asset was stripped a decider's name is `#` and its number. */
void espalier_debug_print(espalier_tree tree, const void* block, uint64_t clock_us, bool active_only,
                          espalier_write write, void* user);

/* tick: the nodes that are active now, in the order of the file, parents before their children. rule: the current rule,
   and before it those around it. decide: the active path. */
void espalier_visit_active(espalier_tree tree, const void* block, void (*visit)(void* user, uint32_t node_word),
                           void* user);

/* tick: of an active tick_machine, the number of its present state; of any other node 0. */
uint32_t espalier_present_state(espalier_tree tree, const void* block, uint32_t node_word);
/* tick: of an active tick_wait, when it ends, in microseconds; of any other node 0. */
uint64_t espalier_wait_end_us(espalier_tree tree, const void* block, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

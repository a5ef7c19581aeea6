/* espalier's runtime: runs compiled behaviour trees for very many agents. This header, in C99, is the interface that
   all trees have, and its manual; link espalier_runtime with a C or a C++ linker. espalier.hpp has the same for C++.

     espalier_asset asset;                              // bytes: the file, read or mapped, at a multiple of 8
     if (espalier_open(bytes, size, &asset, NULL) != ESPALIER_OK) ...           // verified once, trusted after
     espalier_tree guard;
     espalier_find_tree(&asset, "Guard", &guard);
     espalier_behavior table[N];                        // N = espalier_behavior_count(&asset)
     espalier_bind(&asset, bindings, binding_count, table, NULL, 0, &missing_count);

     espalier_host host = {.behaviors = table, .user = my_game, .clock_us = clock_us};
     espalier_start(guard, block);                      // block: espalier_agent_bytes(guard) bytes, at a multiple of 8
     espalier_signal(guard, block, on_enemy_seen, &host, NULL);  // ids: espalier_find_signal()
     espalier_update(guard, block, &host);              // calls the behaviours

   There are five kinds of trees. What only one of them has, and what it makes of the functions here, is in its header:
     selecting.h  one leaf's behaviour is active, and another is chosen when a variable changes
     ticking.h    nodes run until they succeed or fail
     rules.h      one rule is the current one, and can be jumped to
     deciders.h   deciders from the root to one behaviour are active
     storing.h    every node keeps its result until it is reset; trees are put into slots
   watching.h tells each step of an update, for tools.

   Nothing here allocates, throws, recurses, depends on the locale, or keeps a pointer to an agent's block: blocks can
   be copied and moved (what saving an agent takes: see "Saving"). No function needs more than ESPALIER_MAX_STACK_BYTES
   of stack. An asset and its trees are read-only and may be used from any number of threads; an agent's block by one at
   a time. All functions but espalier_open(), espalier_bind() and espalier_check_agent() trust their arguments: a tree
   comes from a verified asset, ids are below their counts, a block was begun with espalier_start() or accepted by
   espalier_check_agent(), and pointers are not null where it is not said. Strings that come from an asset end in NUL
   and live as long as its bytes. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* In C++ what a host fills begins as zero and null; in C it does where an initialiser names another member. */
#define ESPALIER_ZERO \
  {}
extern "C" {
#else
#define ESPALIER_ZERO
#endif
/* What a shared library gives: these functions and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Of stack, for each function; what the host's functions need comes on top. For builds with optimisation: without it
   frames are larger. */
#define ESPALIER_MAX_STACK_BYTES 8192

typedef enum espalier_status {
  ESPALIER_OK,
  ESPALIER_MISALIGNED,          /* the bytes do not lie at a multiple of 8 */
  ESPALIER_NOT_AN_ASSET,        /* no magic, or too short for a header */
  ESPALIER_UNSUPPORTED_VERSION, /* of another major version */
  ESPALIER_WRONG_SIZE,          /* cut off, or bytes after the end */
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

/* An engine evaluates one kind of trees. */
typedef struct espalier_engine espalier_engine;

/* A view of a verified asset. Owns nothing; the bytes must outlive it and must not change. Its contents are private;
   copies are views of the same bytes. */
typedef struct espalier_asset {
  const void* internal[49] ESPALIER_ZERO;
  const espalier_engine* internal_engines[5] ESPALIER_ZERO;
  uint32_t internal_numbers[96] ESPALIER_ZERO;
} espalier_asset;

/* A view of one tree of an asset. The asset it came from must outlive it and stay where it is. Passed by value. */
typedef struct espalier_tree {
  const espalier_asset* asset ESPALIER_ZERO;
  uint32_t index ESPALIER_ZERO;
} espalier_tree;

/* Where and why verification failed. `reason` is a static string; `offset_bytes` is from the start of the asset. */
typedef struct espalier_fault {
  espalier_status status ESPALIER_ZERO;
  const char* reason ESPALIER_ZERO;
  uint64_t offset_bytes ESPALIER_ZERO;
} espalier_fault;

/* Checks every byte that the runtime will rely on and makes a view. Linear in the size, allocates nothing. After
   ESPALIER_OK no update can read or write outside the asset and the agent's block, or run without end. On anything else
   `*asset` is left as it was; `fault`, when not null, tells more. Assets are little-endian; a big-endian host gets
   ESPALIER_WRONG_BYTE_ORDER. */
espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

/* A program that opens its assets with the engines that it names links no other (where its linker leaves out what is
   not used: -Wl,--gc-sections). */
const espalier_engine* espalier_select_engine(void);
const espalier_engine* espalier_tick_engine(void);
const espalier_engine* espalier_rule_engine(void);
const espalier_engine* espalier_decide_engine(void);
const espalier_engine* espalier_store_engine(void);
#define ESPALIER_ENGINE_COUNT 5
/* espalier_open() with these engines only, none twice; ESPALIER_MISSING_ENGINE when a tree needs another. */
espalier_status espalier_open_with(const espalier_engine* const* engines, size_t engine_count, const void* bytes,
                                   size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

/* ---- Names ----------------------------------------------------------------------------------- */

/* What an asset and its trees name. Ids count from 0 in each kind. */
typedef enum espalier_kind {
  /* Of an asset; any of its trees may be given, and of an asset without trees espalier_tree_at(asset, 0). */
  ESPALIER_TREES,      /* ids are indices; found without case, storing.h: exactly */
  ESPALIER_BEHAVIORS,  /* what trees call the host for */
  ESPALIER_CONDITIONS, /* what trees ask the host; a set of names of their own: a behaviour may have the same one */
  ESPALIER_SCRIPTS,    /* a name is the source, for a host that compiles them once */
  ESPALIER_SLOTS,      /* storing.h */
  /* Of a tree; 0 where it has no such thing. */
  ESPALIER_VARIABLES, /* found without case, deciders.h: exactly */
  ESPALIER_SIGNALS,
  ESPALIER_TIMESTAMPS,    /* ticking.h */
  ESPALIER_RULES,         /* rules.h: ids of rules in the file; an empty name is none */
  ESPALIER_STIMULI,       /* deciders.h */
  ESPALIER_BEHAVIOR_FLAGS /* deciders.h */
} espalier_kind;

uint32_t espalier_count(espalier_tree tree, espalier_kind kind);
const char* espalier_name(espalier_tree tree, espalier_kind kind, uint32_t id);
/* The first of this name, exactly where the kind says nothing else. On ESPALIER_NOT_FOUND `*id` is left as it was. */
espalier_status espalier_find(espalier_tree tree, espalier_kind kind, const char* name, uint32_t* id);
/* The same for a name of so many bytes. */
espalier_status espalier_find_n(espalier_tree tree, espalier_kind kind, const char* name, size_t name_bytes,
                                uint32_t* id);

static inline espalier_tree espalier_tree_at(const espalier_asset* asset, uint32_t index) {
  espalier_tree tree;
  tree.asset = asset;
  tree.index = index;
  return tree;
}
static inline uint32_t espalier_tree_count(const espalier_asset* asset) {
  return espalier_count(espalier_tree_at(asset, 0), ESPALIER_TREES);
}
static inline const char* espalier_tree_name(espalier_tree tree) {
  return espalier_name(tree, ESPALIER_TREES, tree.index);
}
/* On ESPALIER_NOT_FOUND `*tree` is left as it was. */
static inline espalier_status espalier_find_tree(const espalier_asset* asset, const char* name, espalier_tree* tree) {
  uint32_t index = 0;
  const espalier_status status = espalier_find(espalier_tree_at(asset, 0), ESPALIER_TREES, name, &index);
  if (status == ESPALIER_OK) *tree = espalier_tree_at(asset, index);
  return status;
}
static inline uint32_t espalier_behavior_count(const espalier_asset* asset) {
  return espalier_count(espalier_tree_at(asset, 0), ESPALIER_BEHAVIORS);
}
static inline const char* espalier_behavior_name(const espalier_asset* asset, uint32_t behavior) {
  return espalier_name(espalier_tree_at(asset, 0), ESPALIER_BEHAVIORS, behavior);
}
static inline uint32_t espalier_condition_count(const espalier_asset* asset) {
  return espalier_count(espalier_tree_at(asset, 0), ESPALIER_CONDITIONS);
}
static inline const char* espalier_condition_name(const espalier_asset* asset, uint32_t condition) {
  return espalier_name(espalier_tree_at(asset, 0), ESPALIER_CONDITIONS, condition);
}
static inline const char* espalier_script_text(const espalier_asset* asset, uint32_t script) {
  return espalier_name(espalier_tree_at(asset, 0), ESPALIER_SCRIPTS, script);
}
static inline espalier_status espalier_find_variable(espalier_tree tree, const char* name, uint32_t* variable) {
  return espalier_find(tree, ESPALIER_VARIABLES, name, variable);
}
static inline espalier_status espalier_find_signal(espalier_tree tree, const char* name, uint32_t* signal) {
  return espalier_find(tree, ESPALIER_SIGNALS, name, signal);
}

/* ---- Behaviours ------------------------------------------------------------------------------ */

/* The result of an update, of a tree or of a behaviour. Each kind of tree has its own of these. */
typedef enum espalier_result {
  ESPALIER_RUNNING, /* it goes on at the next update */
  ESPALIER_FAILURE,
  ESPALIER_SUCCESS,
  ESPALIER_STOPPED, /* nothing was done: the agent has stopped, see espalier_is_stopped() */
  ESPALIER_ERROR    /* it could not be done as the tree says */
} espalier_result;

#define ESPALIER_NO_BEHAVIOR UINT32_C(0xFFFFFFFF)

struct espalier_activation; /* deciders.h */
struct espalier_host;

/* What a function of the host is called with; valid during the call. It may signal and set the agent, but must not
   update, start or stop it; other agents it may. A field that has no meaning in the call is 0 or null. */
typedef struct espalier_call {
  espalier_tree tree;
  void* agent;                                  /* the agent's block */
  const struct espalier_host* host;             /* of this update */
  void* user;                                   /* espalier_behavior.user */
  uint32_t agent_number;                        /* the host's own: see espalier_host.first_agent */
  uint32_t behavior;                            /* of the asset, or ESPALIER_NO_BEHAVIOR; of a condition: its id */
  uint32_t leaf;                                /* selecting.h */
  uint32_t node_word;                           /* the node that calls: its first word in the asset's NODES */
  uint32_t signal;                              /* event: of the tree */
  const void* data;                             /* event: what espalier_signal() was given */
  const struct espalier_activation* activation; /* deciders.h */
} espalier_call;

/* The functions of one behaviour, or of one condition, any of which may be null. Which are called, and when, is for
   each kind of tree to say: see its header. */
typedef struct espalier_behavior {
  void (*enter)(const espalier_call* call) ESPALIER_ZERO;
  void (*leave)(const espalier_call* call) ESPALIER_ZERO;
  espalier_result (*tick)(const espalier_call* call) ESPALIER_ZERO;
  void (*interrupt)(const espalier_call* call) ESPALIER_ZERO;
  void (*reset)(const espalier_call* call) ESPALIER_ZERO;
  void (*event)(const espalier_call* call) ESPALIER_ZERO;
  bool (*allow)(const espalier_call* call) ESPALIER_ZERO;
  bool (*is_bound)(const espalier_call* call) ESPALIER_ZERO;
  bool (*activate)(const espalier_call* call) ESPALIER_ZERO;
  void (*deactivate)(const espalier_call* call) ESPALIER_ZERO;
  /* Of a condition. */
  bool (*ask)(const espalier_call* call) ESPALIER_ZERO;
  double (*decide)(const espalier_call* call) ESPALIER_ZERO;
  void* user ESPALIER_ZERO; /* for the functions: espalier_call.user */
} espalier_behavior;

typedef struct espalier_binding {
  const char* name ESPALIER_ZERO;
  espalier_behavior behavior;
} espalier_binding;

/* Fills `table` (espalier_behavior_count(asset) entries) from `bindings` by exact name; the first of a name counts.
   Behaviours that have none get null functions; the ids of the first `missing_capacity` of them are written to
   `missing` (may be null when that is 0), and `*missing_count` (may be null) is how many there are. Returns
   ESPALIER_MISSING_BINDING when there is one, so that all are known at once and at the start. */
espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_behavior* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count);
/* The same for conditions: espalier_condition_count(asset) entries, of which `user` and `ask` or `decide` are used. */
espalier_status espalier_bind_conditions(const espalier_asset* asset, const espalier_binding* bindings,
                                         size_t binding_count, espalier_behavior* table, uint32_t* missing,
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

/* Of the node that calls; 0 where it has none. */
uint32_t espalier_parameter_count(const espalier_call* call);
espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index);
/* Without case; rules.h: exactly. `*parameter` is left as it was on ESPALIER_NOT_FOUND. */
espalier_status espalier_find_parameter(const espalier_call* call, const char* name, espalier_parameter* parameter);

/* ---- Hosts ----------------------------------------------------------------------------------- */

/* Which agents a queued event is for. */
typedef enum espalier_receivers { ESPALIER_SENDER, ESPALIER_GROUP, ESPALIER_OTHERS } espalier_receivers;

/* What an update is given: the game, as trees see it. Any pointer may be null where it says so, and where no tree needs
   it; all may change between calls. */
typedef struct espalier_host {
  const espalier_behavior* behaviors ESPALIER_ZERO; /* as filled by espalier_bind(); null: no behaviour is called */
  void* user ESPALIER_ZERO;                         /* for the host's functions: espalier_call.host->user */
  uint64_t clock_us ESPALIER_ZERO;                  /* the game's clock in microseconds; never goes back */
  /* The number of the agent, or of the first of a batch; the others count from there. It is only handed on, as
     espalier_call.agent_number. */
  uint32_t first_agent ESPALIER_ZERO;
  /* espalier_shared_bytes(tree) bytes at a multiple of 8, begun with espalier_start_shared(). */
  void* shared ESPALIER_ZERO;
  /* A block of the agent's group, see ticking.h; `groups`, when not null, are those of a batch, one for each agent. */
  void* group ESPALIER_ZERO;
  void* const* groups ESPALIER_ZERO;
  /* espalier_scratch_bytes(tree) bytes at a multiple of 8, of any content. */
  void* scratch ESPALIER_ZERO;
  /* As filled by espalier_bind_conditions(); null: every condition is false. */
  const espalier_behavior* conditions ESPALIER_ZERO;
  /* Runs a script of the asset and gives its truth; null: false. */
  bool (*script)(const espalier_call* call, uint32_t script) ESPALIER_ZERO;
  /* A log message of the tree; null: dropped. */
  void (*log)(const espalier_call* call, const char* text) ESPALIER_ZERO;
  /* Keeps an event of the tree, to be raised with espalier_signal() before the next update of each agent that is
     meant. Null: dropped. */
  void (*queue)(const espalier_call* call, uint32_t signal, espalier_receivers receivers) ESPALIER_ZERO;
  /* The tree in a slot cannot be entered, see storing.h. Null: dropped. */
  void (*too_deep)(const espalier_call* call, uint32_t slot) ESPALIER_ZERO;
} espalier_host;

/* ---- Agents ---------------------------------------------------------------------------------- */

#define ESPALIER_AGENT_ALIGNMENT 8

/* Bytes of an agent's block, a multiple of its alignment; it lies at a multiple of ESPALIER_AGENT_ALIGNMENT (rules.h:
   of 4). */
size_t espalier_agent_bytes(espalier_tree tree);
/* Bytes of memory that an update needs for a while; 0: none, as mostly. One for each thread that updates is enough. */
size_t espalier_scratch_bytes(espalier_tree tree);
/* Bytes of the block that all agents of one tree share; 0: it needs none. */
size_t espalier_shared_bytes(espalier_tree tree);
/* Begins a shared block. Agents may then be updated from several threads. */
void espalier_start_shared(espalier_tree tree, void* block);

/* Begins an agent in `block`, with its variables at their defaults and nothing active. Nothing is called. */
void espalier_start(espalier_tree tree, void* block);
/* Sets where the agent's random numbers (SplitMix64) begin. Nothing where no node draws. */
void espalier_seed(espalier_tree tree, void* block, uint64_t seed);
/* Ends an agent: what runs is left, the innermost first, and what it holds in shared blocks is given back. The block is
   then as after espalier_start(), but for what the header of its kind says is kept. */
void espalier_stop(espalier_tree tree, void* block, const espalier_host* host);

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable);
void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value);
/* Sets what this signal sets, at once, with the host's clock. Behaviours that hear of it get `data`, which may be null.
   Nothing is updated. */
void espalier_signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data);

/* What an update does is in the header of the tree's kind. */
espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host);
/* `count` agents, `stride_bytes` apart (a multiple of the alignment of agents): the same as espalier_update() on each
   in turn, each with its own of host->groups. */
void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host);

/* Has the agent ended for good, so that updates do nothing? */
bool espalier_is_stopped(espalier_tree tree, const void* block);
/* Visits the nodes that are active now, in the order of the file, parents before their children: by their first words
   in the asset's NODES. */
void espalier_visit_active(espalier_tree tree, const void* block, void (*visit)(void* user, uint32_t node_word),
                           void* user);

/* ---- Saving ---------------------------------------------------------------------------------- */

/* A copy of a block, made between calls, can be put back for as long as the asset has the same bytes. Where agents
   share no block the copy is all of the agent, and copying it back restores it. Where they do, espalier_restore() puts
   it back and counts what the agent holds there; but see storing.h. Another version of the asset:
   espalier_move_agent(), which needs the old one. */

/* Puts back a block that was copied from an agent of this tree; `block` is an agent, which ends without a call. Nothing
   is called; what the two hold in shared blocks is counted up and down by the difference, whatever its maximum says. */
void espalier_restore(espalier_tree tree, void* block, const void* saved, const espalier_host* host);
/* Is it safe to call functions with a block of any content, as it may come from a saved game? After ESPALIER_OK none of
   them reads or writes outside the block, the shared blocks and the asset, or runs without end; what they do then need
   not make sense. All blocks that an agent of this very tree has had between calls are accepted. `block` is
   espalier_agent_bytes(tree) bytes. `shared`, when not null, is the block that the agent is to share, accepted by
   espalier_check_shared(): what the agent holds in it must be held there. Linear in the tree, or in the block where
   that is larger; calls nothing. ESPALIER_MISALIGNED, ESPALIER_DAMAGED_AGENT. */
espalier_status espalier_check_agent(espalier_tree tree, const void* block, const void* shared);
/* The same of a shared block, which nobody uses meanwhile. */
espalier_status espalier_check_shared(espalier_tree tree, const void* shared);

/* Hot reload: begins an agent of `to` in `to_block` that carries on where `from_block` is: variables by name, what is
   active as far as both trees have it, by name and structure; the header of the kind says what else. The rest is left,
   with the hosts' functions: `from_host` has those of the old asset, `to_host` of the new. from_block is not an agent
   any more then. Names of nodes are debug data: between assets that were stripped, nodes are found by structure only.
 */
void espalier_move_agent(espalier_tree from, void* from_block, const espalier_host* from_host, espalier_tree to,
                         void* to_block, const espalier_host* to_host);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

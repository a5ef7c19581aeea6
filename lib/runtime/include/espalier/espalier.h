/* espalier's runtime: runs compiled behaviour trees for very many agents. This header, in C99, is the interface that
   all trees share, with the contract of each function; link espalier_runtime with a C or a C++ linker. espalier.hpp is
   the same interface for C++. How to embed the runtime, step by step: lib/runtime/README.md.

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

   There are six kinds of trees. What only one of them has, and how the functions here behave for it, is in its header:
     selecting.h  one leaf's behaviour is active, and another one is chosen when a variable changes
     ticking.h    nodes run until they succeed or fail
     rules.h      one rule is the current one, and can be jumped to
     deciders.h   deciders from the root to one behaviour are active
     storing.h    every node keeps its result until it is reset; trees are put into slots
     polling.h    nodes are ticked by their parents, and share values on blackboards
   recording.h records runs, and repeats them. serving.h lets other programs watch an agent. watching.h reports each
   step of an update, for tools. checking.h is for builds that test arguments.

   Nothing here allocates, throws, depends on the locale, recurses, or keeps a pointer to an
   agent's block: blocks can be moved, and copied for saving (see "Saving"). No function needs more than
   ESPALIER_MAX_STACK_BYTES of stack. An asset and its trees are read-only and may be used from any number of threads;
   an agent's block by one at a time. Functions trust their arguments: a tree comes from a verified asset, ids are below
   their counts, a block was initialised with espalier_start() or accepted by espalier_check_agent(), and pointers are
   not null unless a comment allows it. Only the bytes for espalier_open() and the blocks for espalier_check_agent() and
   espalier_check_shared() may have any content. Strings that come from an asset end in NUL and live as long as its
   bytes. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* In C++ the members of these structures are zero or null unless they are set. In C, initialise them: {0}, or by the
   names of members. */
#define ESPALIER_ZERO \
  {}
extern "C" {
#else
#define ESPALIER_ZERO
#endif
/* A shared library exports these functions and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The most stack that a function of the runtime needs, without what the host's functions need. It holds for optimised
   builds: others have larger frames. */
#define ESPALIER_MAX_STACK_BYTES 8192

typedef enum espalier_status {
  ESPALIER_OK,
  ESPALIER_MISALIGNED,          /* the asset, or an agent's or a shared block, is not aligned */
  ESPALIER_NOT_AN_ASSET,        /* it does not begin with ESPB, or is too short for a header */
  ESPALIER_UNSUPPORTED_VERSION, /* another major version, or a required section that is unknown */
  ESPALIER_WRONG_SIZE,          /* truncated, or bytes after the end */
  ESPALIER_WRONG_HASH,          /* changed since it was written */
  ESPALIER_MALFORMED,           /* a count, offset, extent or operand that is not valid */
  ESPALIER_NOT_FOUND,           /* no such name or id */
  ESPALIER_MISSING_BINDING,     /* a behaviour without functions */
  ESPALIER_NO_ID,               /* the current rule has no id */
  ESPALIER_NOT_ACCEPTED,        /* a slot does not take this tree */
  ESPALIER_TOO_LARGE,           /* a tree does not fit a slot */
  ESPALIER_WRONG_BYTE_ORDER,    /* assets are little-endian: this host is not, or this asset's bytes are swapped */
  ESPALIER_DAMAGED_AGENT,       /* an agent's or a shared block with content that cannot occur */
  ESPALIER_MISSING_ENGINE,      /* the asset has a tree whose engine was not given */
  ESPALIER_DIVERGED             /* recording.h: a tree does not do what was recorded */
} espalier_status;

/* One sentence in English for messages; never null. */
const char* espalier_status_text(espalier_status status);

/* ---- Assets ---------------------------------------------------------------------------------- */

/* An engine evaluates one kind of tree. */
typedef struct espalier_engine espalier_engine;

/* A view of a verified asset. It owns nothing; the bytes must outlive it and must not change. Its members are private,
   with room for what later versions need; copies are views of the same bytes. */
typedef struct espalier_asset {
  const void* internal[80] ESPALIER_ZERO;
  uint32_t internal_numbers[136] ESPALIER_ZERO;
} espalier_asset;

/* A view of one tree of an asset. That espalier_asset must outlive it and must not be moved. Passed by value. */
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
   ESPALIER_OK no update can access memory outside the asset, the agent's block and the blocks of the host, or run
   without end. On any other status `*asset` is unchanged, and `*fault` says more unless `fault` is null. Assets are
   little-endian; a big-endian host gets ESPALIER_WRONG_BYTE_ORDER. */
espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

/* A program that opens its assets with espalier_open_with() links only the engines that it names, if its linker removes
   unused functions (-Wl,--gc-sections). */
const espalier_engine* espalier_select_engine(void);
const espalier_engine* espalier_tick_engine(void);
const espalier_engine* espalier_rule_engine(void);
const espalier_engine* espalier_decide_engine(void);
const espalier_engine* espalier_store_engine(void);
const espalier_engine* espalier_poll_engine(void);
/* The same with hot reload, which the engines above do not link. espalier_open() uses these. */
const espalier_engine* espalier_select_reload_engine(void);
const espalier_engine* espalier_tick_reload_engine(void);
const espalier_engine* espalier_rule_reload_engine(void);
const espalier_engine* espalier_decide_reload_engine(void);
const espalier_engine* espalier_store_reload_engine(void);
const espalier_engine* espalier_poll_reload_engine(void);
#define ESPALIER_ENGINE_COUNT 6
/* espalier_open() with only these engines, each at most once; ESPALIER_MISSING_ENGINE when a tree needs another one. */
espalier_status espalier_open_with(const espalier_engine* const* engines, size_t engine_count, const void* bytes,
                                   size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

/* ---- Names ----------------------------------------------------------------------------------- */

/* The kinds of names in an asset and its trees. Ids count from 0 in each kind. */
typedef enum espalier_kind {
  /* Of an asset: pass any of its trees, or espalier_tree_at(asset, 0), even when the asset has no trees. */
  ESPALIER_TREES,      /* ids are indices; found ignoring case, trees of storing.h exactly */
  ESPALIER_BEHAVIORS,  /* what trees call the host for */
  ESPALIER_CONDITIONS, /* what trees ask the host; separate from behaviours: both may have the same name */
  ESPALIER_SCRIPTS,    /* ticking.h; a name is the source: a host can compile each script once */
  ESPALIER_SLOTS,      /* storing.h */
  /* Of a tree; the count is 0 where its kind has none. */
  ESPALIER_VARIABLES, /* found ignoring case, those of deciders.h exactly */
  ESPALIER_SIGNALS,
  ESPALIER_TIMESTAMPS,     /* ticking.h */
  ESPALIER_RULES,          /* rules.h; a name is the rule's id in the source, empty when it has none */
  ESPALIER_STIMULI,        /* deciders.h */
  ESPALIER_BEHAVIOR_FLAGS, /* deciders.h */
  /* Of an asset. */
  ESPALIER_PRELUDES,      /* ticking.h; a name is the source of a file that runs before an agent's first script */
  ESPALIER_PRELUDE_FILES, /* the same files: their names, for messages */
  ESPALIER_ENTRIES        /* polling.h, of a tree: entries of blackboards; a name may occur on several of them */
} espalier_kind;

uint32_t espalier_count(espalier_tree tree, espalier_kind kind);
const char* espalier_name(espalier_tree tree, espalier_kind kind, uint32_t id);
/* The first one of this name; exact unless the kind says otherwise. On ESPALIER_NOT_FOUND `*id` is unchanged. */
espalier_status espalier_find(espalier_tree tree, espalier_kind kind, const char* name, uint32_t* id);
/* The same for a name of `name_bytes` bytes. */
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
/* `name`: of a tree, or its file and name, "nav/follow.xml: Main", where the name alone does not tell it. A tree whose
   name no other has is found by both, unless the asset was stripped of its files. On ESPALIER_NOT_FOUND `*tree` is
   unchanged. */
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

/* The result of an update, of a tree or of a behaviour. Which of them occur is in the header of the tree's kind. */
typedef enum espalier_result {
  ESPALIER_RUNNING, /* it continues at the next update */
  ESPALIER_FAILURE,
  ESPALIER_SUCCESS,
  ESPALIER_STOPPED, /* of an update: nothing was done, the agent has stopped: espalier_is_stopped() */
  ESPALIER_ERROR,   /* of an update: see the header of the tree's kind */
  ESPALIER_SKIPPED  /* polling.h: a node was not ticked, or chose to do nothing */
} espalier_result;

#define ESPALIER_NO_BEHAVIOR UINT32_C(0xFFFFFFFF)
#define ESPALIER_NO_TIME UINT64_C(0xFFFFFFFFFFFFFFFF)

struct espalier_activation; /* deciders.h */
struct espalier_host;
typedef struct espalier_recorder espalier_recorder; /* recording.h */

/* The argument of the host's functions; valid during the call. They may signal their agent and set its variables
   (`decide`: neither), but must not update, start, stop, restore or move it. With other agents they may. A field that
   has no meaning in the call is 0 or null, unless its comment says otherwise. */
typedef struct espalier_call {
  espalier_tree tree;
  void* agent;                                  /* the agent's block */
  const struct espalier_host* host;             /* of this update */
  void* user;                                   /* espalier_behavior.user */
  uint32_t agent_number;                        /* the host's own: see espalier_host.first_agent */
  uint32_t behavior;                            /* its id, or that of the condition, or ESPALIER_NO_BEHAVIOR */
  uint32_t leaf;                                /* selecting.h; other kinds: ESPALIER_NO_LEAF */
  uint32_t node_word;                           /* the node that calls: its index in the asset's `nodes` */
  uint32_t signal;                              /* `event`: its id in the tree */
  const void* data;                             /* `event`: the argument of espalier_signal() */
  const struct espalier_activation* activation; /* deciders.h */
  void* memory;                                 /* of the behaviour, at a multiple of 8, while it is active */
  uint32_t memory_bytes;                        /* 0: it has none */
  uint64_t clock_us;                            /* now: host->clock_us */
  /* Of a behaviour that is declared with "times": how long its node has been active, and the time since its last call:
     of `enter`, `activate` or `tick`, in selecting.h also `event`. Both are 0 in the update that enters it. Deciders
     have `active_us` without a declaration. ESPALIER_NO_TIME: not known. */
  uint64_t active_us;
  uint64_t passed_us;
} espalier_call;

/* The memory of the behaviour that is called, as a structure of this size and alignment; null: it has none, or less.
   The structure must not need a constructor: the memory is all 0 when the node becomes active. */
static inline void* espalier_memory_of(const espalier_call* call, size_t size_bytes, size_t alignment) {
  const bool fits = call->memory_bytes >= size_bytes && (uintptr_t)call->memory % alignment == 0;
  return fits ? call->memory : NULL;
}

/* The functions of one behaviour, or of one condition. Any may be null. Which are called, and when, is in the header of
   the tree's kind. */
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
  /* Of a condition: `decide` in deciders.h, `ask` in all others. */
  bool (*ask)(const espalier_call* call) ESPALIER_ZERO;
  double (*decide)(const espalier_call* call) ESPALIER_ZERO;
  void* user ESPALIER_ZERO;        /* for the functions: espalier_call.user */
  void* reserved[2] ESPALIER_ZERO; /* null, until a later version gives them a meaning */
} espalier_behavior;

typedef struct espalier_binding {
  const char* name ESPALIER_ZERO;
  espalier_behavior behavior;
} espalier_binding;

/* Fills `table` (espalier_behavior_count(asset) entries) from `bindings` by exact name; of two with the same name the
   first is used, and bindings that no tree names are ignored. Behaviours without a binding get null functions; the ids
   of the first `missing_capacity` of them are written to `missing` (may be null when that is 0), and their number to
   `*missing_count` (may be null). Returns ESPALIER_MISSING_BINDING when there is one. */
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

/* One value that the tree gives to a node of a behaviour or condition: an attribute, or its declared default. */
typedef struct espalier_parameter {
  const char* name;
  espalier_parameter_type type;
  const char* text;  /* text, event, script; choice: the word; else empty */
  int64_t whole;     /* whole; boolean: 0 or 1; choice: the index of the word among those declared */
  double numbers[3]; /* number: the first; vector: all three */
} espalier_parameter;

/* Of the node that calls a behaviour or asks a condition; 0 where it has none. selecting.h, deciders.h: always 0. */
uint32_t espalier_parameter_count(const espalier_call* call);
espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index);
/* Ignoring case; rules.h: exactly. On ESPALIER_NOT_FOUND `*parameter` is unchanged. */
espalier_status espalier_find_parameter(const espalier_call* call, const char* name, espalier_parameter* parameter);

/* ---- Hosts ----------------------------------------------------------------------------------- */

/* Which agents a queued event is for: the one that sends it, its whole group, or its group without it. */
typedef enum espalier_receivers { ESPALIER_SENDER, ESPALIER_GROUP, ESPALIER_OTHERS } espalier_receivers;

/* The game, as an update sees it. A pointer may be null where its comment says so, or where the tree does not need it.
   All members may change between calls. */
typedef struct espalier_host {
  const espalier_behavior* behaviors ESPALIER_ZERO; /* as filled by espalier_bind(); null: no behaviour is called */
  void* user ESPALIER_ZERO;                         /* for the host's functions: espalier_call.host->user */
  uint64_t clock_us ESPALIER_ZERO;                  /* the game's clock in microseconds; never goes back */
  /* The number of the agent, or of the first one of a batch; the others are numbered from there. It is only passed on,
     as espalier_call.agent_number. */
  uint32_t first_agent ESPALIER_ZERO;
  /* espalier_shared_bytes(tree) bytes at a multiple of 8, initialised with espalier_start_shared(). */
  void* shared ESPALIER_ZERO;
  /* The block of the agent's group, see ticking.h. In espalier_update_all(), `groups` is used instead when it is not
     null: one block for each agent of the batch. */
  void* group ESPALIER_ZERO;
  void* const* groups ESPALIER_ZERO;
  /* espalier_scratch_bytes(tree) bytes at a multiple of 8, of any content. */
  void* scratch ESPALIER_ZERO;
  /* As filled by espalier_bind_conditions(); null: every condition is false. */
  const espalier_behavior* conditions ESPALIER_ZERO;
  /* Runs a script of the asset and returns whether its result is true; null: false. */
  bool (*script)(const espalier_call* call, uint32_t script) ESPALIER_ZERO;
  /* A log message of the tree; null: dropped. */
  void (*log)(const espalier_call* call, const char* text) ESPALIER_ZERO;
  /* Stores an event of the tree: the host then calls espalier_signal() before the next update of each receiver. Null:
     dropped. */
  void (*queue)(const espalier_call* call, uint32_t signal, espalier_receivers receivers) ESPALIER_ZERO;
  /* The tree in a slot could not be entered, see storing.h; may be null. */
  void (*too_deep)(const espalier_call* call, uint32_t slot) ESPALIER_ZERO;
  espalier_recorder* recorder ESPALIER_ZERO; /* see recording.h; null: nothing is recorded */
  void* reserved[3] ESPALIER_ZERO;           /* null, until a later version gives them a meaning */
} espalier_host;

/* ---- Agents ---------------------------------------------------------------------------------- */

#define ESPALIER_AGENT_ALIGNMENT 8

/* Bytes of an agent's block, a multiple of its alignment, which is ESPALIER_AGENT_ALIGNMENT (rules.h: 4). */
size_t espalier_agent_bytes(espalier_tree tree);
/* Bytes of espalier_host.scratch that an update needs; 0 except for some large trees of deciders.h. One scratch block
   for each thread that updates is enough. */
size_t espalier_scratch_bytes(espalier_tree tree);
/* Bytes of the block that all agents of one tree share (storing.h: of all such trees); 0: it needs none. */
size_t espalier_shared_bytes(espalier_tree tree);
/* Initialises a shared block. Agents that share it may then be updated from several threads. */
void espalier_start_shared(espalier_tree tree, void* block);

/* Initialises an agent in `block`, with its variables at their defaults and nothing active. Calls no function of the
   host. */
void espalier_start(espalier_tree tree, void* block);
/* Seeds the agent's random numbers (SplitMix64). Without it all agents of a tree draw the same numbers. Does nothing if
   no node draws numbers. */
void espalier_seed(espalier_tree tree, void* block, uint64_t seed);
/* Ends an agent: what runs is left or interrupted, the innermost first, and what it holds in shared blocks is released.
   To be called before the block's memory is reused. The block is then as after espalier_start(), except for what the
   header of the tree's kind says is kept. */
void espalier_stop(espalier_tree tree, void* block, const espalier_host* host);

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable);
void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value);
/* Raises a signal: sets its variables (deciders.h: its stimuli) at once. The current behaviour of selecting.h, and the
   active behaviours of ticking.h, then get it with `data`, which may be null; in ticking.h it is an event, and also
   sets timestamps, to the host's clock. Nothing is updated: the next update evaluates the change. storing.h has no
   signals. */
void espalier_signal(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host, const void* data);

/* What an update does is in the header of the tree's kind. */
espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host);
/* `count` agents, `stride_bytes` apart (a multiple of the alignment of agents): the same as espalier_update() on each
   in turn, with its own agent_number and its own block of host->groups. */
void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host);

/* A tree with what its updates need looked up once. The host keeps it, may copy it, and passes it in place of the tree:
   an update of an agent that goes on as before then costs little; in selecting.h, where no variable has changed, one
   comparison in the host's own code. The asset must outlive it. Its members are private. */
typedef struct espalier_prepared {
  espalier_tree tree;
  const void* internal[8] ESPALIER_ZERO;
  uint32_t internal_numbers[16] ESPALIER_ZERO;
  espalier_result (*internal_evaluate)(const struct espalier_prepared* prepared, void* block,
                                       const espalier_host* host) ESPALIER_ZERO;
} espalier_prepared;

void espalier_prepare(espalier_tree tree, espalier_prepared* prepared);

/* espalier_update_all() with a prepared tree. */
void espalier_update_all_prepared(const espalier_prepared* prepared, void* blocks, size_t stride_bytes, size_t count,
                                  const espalier_host* host);

/* Of a tree that selects: the agent's leaf, with the bit above it that is set when a variable has changed. Below
   internal_numbers[1], which is 0 in other trees, nothing is to be done. */
static inline uint32_t espalier_internal_leaf(const espalier_prepared* prepared, const void* block) {
  const unsigned char* leaf = (const unsigned char*)block + prepared->internal_numbers[0];
  return leaf[0] | (uint32_t)leaf[1] << 8;
}
/* The next function, with a recorder. */
espalier_result espalier_internal_update(const espalier_prepared* prepared, void* block, const espalier_host* host);
/* espalier_update() with a prepared tree. */
static inline espalier_result espalier_update_prepared(const espalier_prepared* prepared, void* block,
                                                       const espalier_host* host) {
  if (espalier_internal_leaf(prepared, block) < prepared->internal_numbers[1]) return ESPALIER_RUNNING;
  return host == NULL || host->recorder == NULL ? prepared->internal_evaluate(prepared, block, host)
                                                : espalier_internal_update(prepared, block, host);
}

/* Has the agent stopped, so that updates do nothing and return ESPALIER_STOPPED? Only in ticking.h and rules.h, by the
   result of the tree. After espalier_stop() it is false: the agent begins again at the next update. */
bool espalier_is_stopped(espalier_tree tree, const void* block);
/* Visits the nodes that are active now, in the order of the file, parents before their children. `node_word` is as in
   espalier_call. In selecting.h nothing is visited. */
void espalier_visit_active(espalier_tree tree, const void* block, void (*visit)(void* user, uint32_t node_word),
                           void* user);

/* ---- Saving ---------------------------------------------------------------------------------- */

/* A copy of a block, made between calls, can be put back for as long as the asset has the same bytes. Where agents
   share no block the copy is all of the agent, and copying it back restores it. Where they do, espalier_restore() puts
   it back and counts what the agent holds there; in storing.h all blocks are copied together instead. For another
   version of the asset there is espalier_move_agent(), which needs the old asset. */

/* Copies `saved`, a copy of a block of this tree, to `block`, which must be an agent already, for example a newly
   started one. Calls no function of the host. What the old agent holds in the shared block and in the group's block is
   released there, and what the saved one holds is counted, even beyond a maximum. storing.h: does nothing. */
void espalier_restore(espalier_tree tree, void* block, const void* saved, const espalier_host* host);
/* Is it safe to call functions with a block of any content, for example from a saved game? After ESPALIER_OK none of
   them accesses memory outside the block, the shared blocks and the asset, or runs without end; but what they do need
   not make sense. Every block that an agent of this tree has had between calls is accepted. `block` is
   espalier_agent_bytes(tree) bytes. `shared` may be null; only storing.h uses it: the block that the agent is to share,
   already accepted by espalier_check_shared(), in which what the agent holds must be taken. Linear in the tree, or in
   the block where that is larger; calls no function of the host. ESPALIER_MISALIGNED, ESPALIER_DAMAGED_AGENT. */
espalier_status espalier_check_agent(espalier_tree tree, const void* block, const void* shared);
/* The same for a shared block, which no thread uses meanwhile. Only storing.h can refuse one: in other kinds of trees
   any content is safe. */
espalier_status espalier_check_shared(espalier_tree tree, const void* shared);

/* Hot reload: initialises an agent of `to` in `to_block` that continues where `from_block` is: variables by name, what
   is active as far as both trees have it, by name and structure; the header of the kind says more. What only the old
   tree has is left or interrupted. `from_host` has the functions and blocks of the old asset, `to_host` those of the
   new one. If the old asset was opened with an engine without hot reload, nothing that is active is kept; between trees
   of different kinds only variables are kept. In both cases the old agent is stopped. Afterwards `from_block` is not an
   agent. Names of nodes are debug data: between stripped assets, nodes are found by structure only. */
void espalier_move_agent(espalier_tree from, void* from_block, const espalier_host* from_host, espalier_tree to,
                         void* to_block, const espalier_host* to_host);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

/* espalier's runtime for C (C99): runs compiled behaviour trees for very many agents. This header is all of it; link
   espalier_runtime with a C or a C++ linker. (C++ programs may use espalier.hpp, which says the same.)

     espalier_asset asset;                              // bytes: the file, read or mapped, at a multiple of 8
     if (espalier_open(bytes, size, &asset, NULL) != ESPALIER_OK) ...           // verified once, trusted after
     espalier_tree guard;
     espalier_find_tree(&asset, "Guard", &guard);
     espalier_bound table[N];                           // N = espalier_behavior_count(&asset)
     espalier_bind(&asset, bindings, binding_count, table, NULL, 0, &missing_count);

     espalier_host host = {table, my_game, clock_us};
     espalier_start(guard, block);                      // block: espalier_agent_bytes(guard) bytes, at a multiple of 8
     espalier_signal(guard, block, on_enemy_seen);      // ids: espalier_find_signal()
     espalier_update(guard, block, &host);              // calls destruct and construct when the behaviour changes

   Nothing here allocates, throws, recurses, or keeps a pointer to an agent's block: copying the block saves the agent.
   An asset and its trees are read-only and may be used from any number of threads; an agent's block by one at a time.
   All functions but espalier_open() and espalier_bind() trust their arguments: a tree comes from a verified asset, ids
   are below their counts. Strings that come from an asset end in NUL and live as long as its bytes. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum espalier_status {
  ESPALIER_OK,
  ESPALIER_MISALIGNED,          /* the bytes do not lie at a multiple of 8 */
  ESPALIER_NOT_AN_ASSET,        /* no magic, or too short for a header */
  ESPALIER_UNSUPPORTED_VERSION, /* of another major version */
  ESPALIER_WRONG_SIZE,          /* cut off, or bytes behind the end */
  ESPALIER_WRONG_HASH,          /* changed since it was written */
  ESPALIER_MALFORMED,           /* a count, offset, extent or operand that cannot be right */
  ESPALIER_NOT_FOUND,           /* no such name */
  ESPALIER_MISSING_BINDING      /* a behaviour without functions */
} espalier_status;

/* One sentence in English for messages; never null. */
const char* espalier_status_text(espalier_status status);

/* ---- Assets ---------------------------------------------------------------------------------- */

/* A view of a verified asset. Owns nothing; the bytes must outlive it and must not change. Its contents are private;
   copies are views of the same bytes. */
typedef struct espalier_asset {
  uint64_t internal[56];
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
   `*asset` is left as it was; `fault`, when not null, tells more. */
espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault);

uint32_t espalier_tree_count(const espalier_asset* asset);
espalier_tree espalier_tree_at(const espalier_asset* asset, uint32_t index);
/* Without case. `*tree` is left as it was on ESPALIER_NOT_FOUND. */
espalier_status espalier_find_tree(const espalier_asset* asset, const char* name, espalier_tree* tree);
const char* espalier_tree_name(espalier_tree tree);

/* Variables and signals belong to a tree, behaviours to the whole asset. Ids count from 0. */
uint32_t espalier_variable_count(espalier_tree tree);
const char* espalier_variable_name(espalier_tree tree, uint32_t variable);
espalier_status espalier_find_variable(espalier_tree tree, const char* name, uint32_t* variable); /* without case */
uint32_t espalier_signal_count(espalier_tree tree);
const char* espalier_signal_name(espalier_tree tree, uint32_t signal);
espalier_status espalier_find_signal(espalier_tree tree, const char* name, uint32_t* signal); /* exact */
uint32_t espalier_behavior_count(const espalier_asset* asset);
const char* espalier_behavior_name(const espalier_asset* asset, uint32_t behavior);

/* ---- Behaviours ------------------------------------------------------------------------------ */

/* What a behaviour's functions are called with; valid during the call. They may signal and set the agent, but must not
   update, start or stop it. */
typedef struct espalier_call {
  espalier_tree tree;
  void* agent;       /* the agent's block */
  uint32_t behavior; /* of the asset */
  uint32_t leaf;     /* of the tree: which leaf was selected (several may have one behaviour) */
  void* host;        /* espalier_host.user of this update */
  void* user;        /* espalier_behavior.user */
} espalier_call;

typedef void (*espalier_behavior_function)(const espalier_call* call);

/* Functions of one behaviour; either may be null. */
typedef struct espalier_behavior {
  espalier_behavior_function construct;
  espalier_behavior_function destruct;
  void* user;
} espalier_behavior;

typedef struct espalier_binding {
  const char* name;
  espalier_behavior behavior;
} espalier_binding;

/* An entry of a table of bound behaviours. Its contents are private, and point into the table: a table stays where it
   is while it is used. */
typedef struct espalier_bound {
  void* internal[10];
} espalier_bound;

/* Fills `table` (espalier_behavior_count(asset) entries) from `bindings` by exact name; the first of a name counts.
   Behaviours that have none get null functions; the ids of the first `missing_capacity` of them are written to
   `missing` (may be null when that is 0), and `*missing_count` (may be null) is how many there are. Returns
   ESPALIER_MISSING_BINDING when there is one, so that all are known at once and at the start. `bindings` is copied. */
espalier_status espalier_bind(const espalier_asset* asset, const espalier_binding* bindings, size_t binding_count,
                              espalier_bound* table, uint32_t* missing, size_t missing_capacity,
                              uint32_t* missing_count);

/* ---- Agents ---------------------------------------------------------------------------------- */

#define ESPALIER_AGENT_ALIGNMENT 8
#define ESPALIER_NO_LEAF UINT32_C(0xFFFFFFFF)
#define ESPALIER_NO_BEHAVIOR UINT32_C(0xFFFFFFFF)

/* Bytes of an agent's block; it lies at a multiple of ESPALIER_AGENT_ALIGNMENT. Copying it saves the agent, copying it
   back restores it. */
size_t espalier_agent_bytes(espalier_tree tree);
/* Bytes of the block that all agents of one tree share; 0: it needs none. */
size_t espalier_shared_bytes(espalier_tree tree);

/* What an update is given. */
typedef struct espalier_host {
  const espalier_bound* behaviors; /* as filled by espalier_bind(); null: no behaviour is called */
  void* user;                      /* for the behaviours' functions */
  uint64_t clock_us;               /* the game's clock in microseconds; never goes back */
} espalier_host;

typedef enum espalier_result {
  ESPALIER_RUNNING, /* a behaviour is active */
  ESPALIER_FAILURE  /* nothing was selected: the agent has no behaviour, and is evaluated again at the next update */
} espalier_result;

/* Begins an agent in `block`, with its variables at their defaults and no behaviour. Nothing is called. */
void espalier_start(espalier_tree tree, void* block);
/* Ends an agent: its behaviour's destruct is called. The block is then as after espalier_start() but for its variables.
 */
void espalier_stop(espalier_tree tree, void* block, const espalier_host* host);

bool espalier_variable(espalier_tree tree, const void* block, uint32_t variable);
void espalier_set(espalier_tree tree, void* block, uint32_t variable, bool value);
/* Sets the variables that this signal sets, at once. */
void espalier_signal(espalier_tree tree, void* block, uint32_t signal);

/* Evaluates the tree if a variable has changed (or none was selected last), and changes the behaviour if another leaf
   is selected. */
espalier_result espalier_update(espalier_tree tree, void* block, const espalier_host* host);
/* `count` agents, `stride_bytes` apart (a multiple of 8): the same as espalier_update() on each in turn. */
void espalier_update_all(espalier_tree tree, void* blocks, size_t stride_bytes, size_t count,
                         const espalier_host* host);

/* The leaf selected last, or ESPALIER_NO_LEAF; leaves count from 0 in the order of the file. The behaviour of a leaf.
 */
uint32_t espalier_current_leaf(espalier_tree tree, const void* block);
uint32_t espalier_leaf_count(espalier_tree tree);
uint32_t espalier_leaf_behavior(espalier_tree tree, uint32_t leaf);
/* Of the current leaf, or ESPALIER_NO_BEHAVIOR. */
uint32_t espalier_current_behavior(espalier_tree tree, const void* block);

/* ---- Watching -------------------------------------------------------------------------------- */

/* One step of an evaluation: a condition that was looked at. */
typedef struct espalier_step {
  uint32_t node_word; /* the node: its first word in the asset's NODES */
  uint32_t leaf_base; /* which use of a shared unit: the leaves before it */
  uint32_t condition; /* as in the asset: 0 (always true) or 1 + its index */
  int32_t transition; /* -1: the node's own condition; else the transition's number in its state */
  bool holds;
} espalier_step;

typedef struct espalier_watcher {
  void (*step)(void* user, const espalier_step* step); /* not null */
  void* user;
} espalier_watcher;

/* The same as espalier_update(), telling `watcher` each step. */
espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher);

/* The same as espalier_signal(), telling `changed` each variable that gets another value, in order (one may come
   several times). */
void espalier_signal_watched(espalier_tree tree, void* block, uint32_t signal,
                             void (*changed)(void* user, uint32_t variable, bool value), void* user);

#ifdef __cplusplus
}
#endif

#endif

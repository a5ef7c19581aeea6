/* Trees of deciders: deciders from the root to one behaviour are active, and groups decide which one is next.

   espalier_update() is one tick, from the root down the active path. It returns ESPALIER_RUNNING; or ESPALIER_FAILURE:
   no behaviour continues, and nothing is active; or ESPALIER_ERROR: groups decided again more often than the tree
   allows, and nothing is active; or there was no scratch memory, and nothing was done.
   Behaviours have `activate` (false: it refuses, and `deactivate` is not called; null: it accepts), `tick` (running: it
   continues, anything else: it has failed; null: it continues) and `deactivate`. Conditions are Decide functions:
   `decide` returns the decider's value, and a value above 0 accepts; it must not change the agent; null: it refuses.
   The tree's variables are its decision flags; their names are case-sensitive. A signal sets its stimuli, at the host's
   clock, and its data, when not null, must be an espalier_stimulus_data.
   The memory of behaviours and the blocks of deciders are a part of the agent's block. espalier_check_agent() does not
   check what the game keeps in them. espalier_stop() keeps all but the active path. espalier_move_agent() carries over
   stimuli, timers, what ran last and shuffled orders by name, and the random numbers. */
#ifndef ESPALIER_DECIDERS_H
#define ESPALIER_DECIDERS_H

#include "debugging.h"
#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The memory of the decider that calls, all 0 at first. Null where it has none. */
typedef struct espalier_activation {
  uint32_t behavior_flags; /* bits, see espalier_find_behavior_flag() */
  void* memory;            /* the behaviour's, until `deactivate`, at a multiple of 8; in `decide` null */
  uint32_t memory_bytes;
  void* block; /* the decider block, at a multiple of 8: `decide` fills it, the behaviour that is activated reads it */
  uint32_t block_bytes;
} espalier_activation;

/* The decider block of the decider that calls, as a structure of this size and alignment; null: it has none, or less.
   The structure must not need a constructor: the block is all 0 at first. */
static inline void* espalier_block_of(const espalier_call* call, size_t size_bytes, size_t alignment) {
  const espalier_activation* own = call->activation;
  const bool fits = own != NULL && own->block_bytes >= size_bytes && (uintptr_t)own->block % alignment == 0;
  return fits ? own->block : NULL;
}

/* All decision flags at once: bit i is variable i. */
uint64_t espalier_flags(espalier_tree tree, const void* block);
void espalier_set_flags(espalier_tree tree, void* block, uint64_t flags);

/* The data of a stimulus. */
typedef struct espalier_stimulus_data {
  unsigned char bytes[16] ESPALIER_ZERO;
  uint32_t size_bytes ESPALIER_ZERO; /* at most 16 */
} espalier_stimulus_data;

static inline espalier_status espalier_find_stimulus(espalier_tree tree, const char* name, uint32_t* stimulus) {
  return espalier_find(tree, ESPALIER_STIMULI, name, stimulus);
}
/* The stimulus is present from `clock_us` on, until its timeout; one that is present already restarts, with the new
   data. Behaviours may call it: decisions after that see it. `data` may be null: no data. */
void espalier_set_stimulus(espalier_tree tree, void* block, uint32_t stimulus, uint64_t clock_us,
                           const espalier_stimulus_data* data);
/* The same with another timeout than the tree's, this time; UINT64_MAX: until it is cleared. ESPALIER_NOT_FOUND when
   the stimulus has no timeout in the tree: agents keep no time for it, and nothing is changed. */
espalier_status espalier_set_stimulus_for(espalier_tree tree, void* block, uint32_t stimulus, uint64_t clock_us,
                                          uint64_t timeout_us, const espalier_stimulus_data* data);
void espalier_clear_stimulus(espalier_tree tree, void* block, uint32_t stimulus);
/* Is it present? Timeouts are only evaluated by updates. `*data` (may be null) is set only if it is present. */
bool espalier_stimulus(espalier_tree tree, const void* block, uint32_t stimulus, espalier_stimulus_data* data);

/* The flags that deciders give to their behaviours, by the number of their bit. */
static inline espalier_status espalier_find_behavior_flag(espalier_tree tree, const char* name, uint32_t* flag) {
  return espalier_find(tree, ESPALIER_BEHAVIOR_FLAGS, name, flag);
}

/* An active decider. */
typedef struct espalier_active_decider {
  uint32_t node_word;             /* its node, also where it is shared: its index in the asset's `nodes` */
  uint32_t behavior;              /* of the asset, or ESPALIER_NO_BEHAVIOR */
  uint64_t since_us;              /* the lower 48 bits of the clock when it became active */
  espalier_activation activation; /* of its behaviour */
} espalier_active_decider;

/* How many deciders are active, one below the other; 0: none. Level 0 is the root. */
uint32_t espalier_active_count(espalier_tree tree, const void* block);
espalier_active_decider espalier_active_decider_at(espalier_tree tree, void* block, uint32_t level);
/* A decider's name; empty when the asset was stripped. */
static inline const char* espalier_decider_name(espalier_tree tree, uint32_t node_word) {
  return espalier_node_name(tree.asset, node_word);
}

/* What an agent's bytes are for. Their sum, rounded up to a multiple of 8, is espalier_agent_bytes(). */
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

/* ---- Watching: see watching.h ---------------------------------------------------------------- */

/* What an update does, in order. Each kind is of an output level, 1 to 5, see espalier_step_level(). */
typedef enum espalier_decide_step_kind {
  ESPALIER_DECIDE_ACTIVATED,     /* 1: a behaviour is active now */
  ESPALIER_DECIDE_DEACTIVATED,   /* 2: it is no longer active */
  ESPALIER_DECIDE_REFUSED,       /* 2: its `activate` returned false */
  ESPALIER_DECIDE_FAILED,        /* 2: a decider has failed, and is masked in its group; of the root: the tree has */
  ESPALIER_DECIDE_DECIDES_AGAIN, /* 2: a group, its child `other` and perhaps more being masked now */
  ESPALIER_DECIDE_OVERRUN,       /* 2: a group may not decide again in this update; everything is then deactivated */
  ESPALIER_DECIDE_BEGIN,         /* 3: of the update; timeouts have run down */
  ESPALIER_DECIDE_TICKED,        /* 3: a behaviour; `value` 1: it continues, 0: it has failed */
  ESPALIER_DECIDE_END,           /* 3: of the update; `value`: the espalier_result */
  ESPALIER_DECIDE_VISITED,       /* 4: a group that was active before; `other`: its active child */
  ESPALIER_DECIDE_GOES_ON,       /* 4: a group keeps its active child `other` */
  ESPALIER_DECIDE_SWITCHES,      /* 4: a group, to its child `other` */
  ESPALIER_DECIDE_MASKED,        /* 5: a child is not asked */
  ESPALIER_DECIDE_EVERY_FAILED,  /* 5: a precondition does not hold: it was called too short a time ago */
  ESPALIER_DECIDE_FLAGS_ALL_FAILED,
  ESPALIER_DECIDE_FLAGS_ANY_FAILED,
  ESPALIER_DECIDE_STIMULI_ALL_FAILED,
  ESPALIER_DECIDE_STIMULI_ANY_FAILED,
  ESPALIER_DECIDE_DECIDED,     /* 5: the host's `decide` was called, and returned `value` */
  ESPALIER_DECIDE_ASKED,       /* 5: a child whose preconditions hold, if it has any, was asked, and gave `value`; above
                                  0: it accepts */
  ESPALIER_DECIDE_CHOSEN,      /* 5: a group has chosen `other` */
  ESPALIER_DECIDE_REFUSED_ALL, /* 5: a group has found no child that accepts */
  ESPALIER_DECIDE_BREACH       /* 2: the same for a group that has just accepted: a breach of the Subset Rule */
} espalier_decide_step_kind;

typedef struct espalier_decide_step {
  espalier_decide_step_kind kind;
  uint32_t depth;     /* of the decider in the path, or of its place there if it were active: the root's is 0 */
  uint32_t node_word; /* the decider's node; begin, end: the root's */
  uint32_t other;     /* where said: another decider's node; else 0 */
  double value;       /* where said; else 0 */
} espalier_decide_step;

/* 1 to 5. */
unsigned espalier_step_level(espalier_decide_step_kind kind);

/* Writes a step as a line of text (without a line break), piece by piece: level, agent, clock and the step's
   own words, indented by depth. `block` is the agent's as it is at the step. */
void espalier_print_step(espalier_tree tree, const void* block, const espalier_decide_step* step, uint64_t clock_us,
                         uint32_t agent, espalier_write write, void* user);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

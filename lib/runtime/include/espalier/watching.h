/* Watching: what an update does, step by step, for tools. Programs that do not call these functions do not link
   them. */
#ifndef ESPALIER_WATCHING_H
#define ESPALIER_WATCHING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Trees that tick or store, and trees of rules: what happens to a node, in order. The host's functions are called in
   between. */
typedef enum espalier_node_step_kind {
  ESPALIER_NODE_BEGIN,     /* it becomes active; a rule: it is run, `value` is its number */
  ESPALIER_NODE_COMPLETE,  /* it has a result, and is no longer active; a rule: the run is over, running or not */
  ESPALIER_NODE_INTERRUPT, /* it is no longer active, without a result */
  ESPALIER_NODE_SEND,      /* it raises (or queues) the event `value`; reported before its effects */
  ESPALIER_NODE_RESTART,   /* the agent's tree is reset because of it: a monitor has succeeded, or another agent left a
                              group */
  ESPALIER_NODE_SKIP,      /* trees that store: it is not evaluated, because it keeps the result `value`. Trees that
                              poll: a precondition decides in its place, `value` is an espalier_skip_reason; or it
                              is skipped after it was ticked */
  ESPALIER_NODE_RESET      /* trees that store: it no longer has the result `value` */
} espalier_node_step_kind;

/* Of trees that poll: a node fails, succeeds or is skipped because of this. */
typedef enum espalier_skip_reason {
  ESPALIER_SKIP_FAILURE_IF, /* it fails */
  ESPALIER_SKIP_SUCCESS_IF, /* it succeeds */
  ESPALIER_SKIP_SKIP_IF,
  ESPALIER_SKIP_WHILE,
  ESPALIER_SKIP_CHILDREN /* no precondition: the nodes below it, or what it is */
} espalier_skip_reason;

typedef struct espalier_node_step {
  espalier_node_step_kind kind;
  uint32_t node_word; /* the node: its index in the asset's `nodes` */
  uint32_t value; /* complete, skip, reset: an espalier_result, or why it is skipped; send: the signal; begin of a rule:
                     its number; else 0 */
} espalier_node_step;

struct espalier_step;        /* selecting.h */
struct espalier_decide_step; /* deciders.h */

/* What an agent draws a random number for: 64 random bits. */
typedef enum espalier_draw_kind {
  ESPALIER_DRAW_CHANCE, /* a gate is open if the first 53 bits are at most `limit` */
  ESPALIER_DRAW_TIME,   /* a wait takes longer, by the share (bits / 2^64) of `limit` microseconds */
  ESPALIER_DRAW_PLACE,  /* one of `limit` things: the first 32 bits, times `limit`, over 2^32 */
  ESPALIER_DRAW_WEIGHT  /* nothing is drawn: a child of weight `limit` is the next one among which PLACE chooses */
} espalier_draw_kind;

/* The functions to call; any may be null. Each kind of tree calls those that its steps are for. */
typedef struct espalier_watcher {
  void (*step)(void* user, const struct espalier_step* step) ESPALIER_ZERO;
  void* user ESPALIER_ZERO;
  void (*node)(void* user, const espalier_node_step* step) ESPALIER_ZERO;
  /* An event that a node raised has changed a variable. */
  void (*changed)(void* user, uint32_t variable, bool value) ESPALIER_ZERO;
  void (*decide)(void* user, const struct espalier_decide_step* step) ESPALIER_ZERO;
  /* A random number was drawn: returns the bits to use in its place. PLACE for a random child comes after one WEIGHT
     for each child that accepts; `limit` is then their sum. */
  uint64_t (*draw)(void* user, espalier_draw_kind kind, uint64_t limit, uint64_t bits) ESPALIER_ZERO;
} espalier_watcher;

/* The same as espalier_update(), and reports each step to `watcher`. */
espalier_result espalier_update_watched(espalier_tree tree, void* block, const espalier_host* host,
                                        const espalier_watcher* watcher);

/* The same as espalier_signal(), and calls `changed` for each change of a variable, in order (a variable may change
   several times). */
void espalier_signal_watched(espalier_tree tree, void* block, uint32_t signal, const espalier_host* host,
                             const void* data, void (*changed)(void* user, uint32_t variable, bool value), void* user);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

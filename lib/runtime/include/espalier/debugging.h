/* Inspecting an agent, in a game or a tool: its tree as text with what is active, the names and places of nodes, their
   results, and the nodes that were completed last. Programs that do not call these functions do not link them, and
   agents that are not looked at pay nothing for them. Names and places are debug data: stripped assets have none. */
#ifndef ESPALIER_DEBUGGING_H
#define ESPALIER_DEBUGGING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ---- Nodes: `node_word` is the index of a node in the asset's `nodes`, as in espalier_call ---------------------- */

/* As in the source: the name that the author gave it, or else that of its element. Empty: it has none. */
const char* espalier_node_name(const espalier_asset* asset, uint32_t node_word);

/* Where a node is in the source. */
typedef struct espalier_place {
  const char* file; /* as given to the compiler; empty when the asset was stripped */
  uint32_t line;    /* from 1; 0 when the asset was stripped */
  uint32_t column;  /* from 1, in bytes; 0 when the asset was stripped */
} espalier_place;
espalier_place espalier_node_place(const espalier_asset* asset, uint32_t node_word);

/* The result that an agent has stored for a node: in storing.h of each node that runs or is done (in trees in slots: of
   the first place where the node has one), in rules.h of the current rule. False: it stores none, and `*result` is
   unchanged. What nodes of ticking.h returned is only kept in an espalier_history. */
bool espalier_node_result(espalier_tree tree, const void* block, uint32_t node_word, espalier_result* result);

/* ---- Recently completed nodes ---------------------------------------------------------------------------------- */

typedef struct espalier_completed {
  uint32_t node_word;
  espalier_result result;
  uint64_t clock_us; /* of the update in which it was completed */
} espalier_completed;

/* The nodes of one agent that were completed last. It is not a part of the agent's block: a game has one only for the
   agents that it looks at, with as many entries as it wants. Trees of ticking.h, rules.h and storing.h complete nodes;
   all others leave it empty. */
typedef struct espalier_history {
  espalier_completed* entries ESPALIER_ZERO; /* the game's memory, for `capacity` entries; the oldest is overwritten */
  uint32_t capacity ESPALIER_ZERO;
  uint32_t count ESPALIER_ZERO;         /* of the entries that are set, at most `capacity` */
  uint32_t internal_next ESPALIER_ZERO; /* where the next one goes */
} espalier_history;

/* The same as espalier_update(), and records the nodes that it completes: not those below a monitor, which are asked
   again in each update, and not those that stand for attributes. */
espalier_result espalier_update_recorded(espalier_tree tree, void* block, const espalier_host* host,
                                         espalier_history* history);
/* Records a step if it completes a node: for a watcher's own function `node`, see watching.h. */
struct espalier_node_step;
void espalier_record(espalier_history* history, const struct espalier_node_step* step, uint64_t clock_us);
/* The entry with this index, 0 being the newest; null: there are not as many. */
const espalier_completed* espalier_recent(const espalier_history* history, uint32_t index);
/* The newest entry of a node; null: there is none. */
const espalier_completed* espalier_last_of(const espalier_history* history, uint32_t node_word);

/* ---- Printing -------------------------------------------------------------------------------------------------- */

/* Receives text piece by piece; a piece does not end in NUL. */
typedef void (*espalier_write)(void* user, const char* piece, size_t size_bytes);

typedef struct espalier_print_options {
  bool active_only ESPALIER_ZERO; /* only nodes that are active */
  /* The clock, and the blocks that agents share; null: no times are written, and not who is inside gates and groups. */
  const espalier_host* host ESPALIER_ZERO;
  const espalier_history* history ESPALIER_ZERO; /* may be null: last results are not written */
} espalier_print_options;

/* Writes an agent and its tree as lines of text, in UTF-8: the tree's name and the agent's own state (variables,
   timestamps, flags and stimuli, the current rule), then a line a node: `*` if it is active, indented by depth, with
   its name, its place, its result, times left, who is inside, and the text that the host has declared for it or else
   its parameters. Deciders have no place, but their index and kind. Nodes within more than 128 others are left out.
   Allocates nothing, calls only `write`. `block` may be that of an agent that is being updated. `options` may be
   null. */
void espalier_print(espalier_tree tree, const void* block, const espalier_print_options* options, espalier_write write,
                    void* user);
/* The same into a buffer of `size_bytes` bytes, which may be 0: what fits, ending in NUL, and not in the middle of a
   character. Returns the size of the whole text without NUL. */
size_t espalier_print_text(espalier_tree tree, const void* block, const espalier_print_options* options, char* buffer,
                           size_t size_bytes);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

/* Trees that poll (BehaviorTree.CPP's). Every update ticks nodes from the root on. A node is running, has succeeded or
   failed until its parent resets it, or is skipped. Nodes share values on blackboards: entries that hold whole numbers,
   real numbers and texts, and whose types are checked.

   A behaviour is called by an action: `enter` when it starts, then `tick` in the same update and at every later one
   while it answers ESPALIER_RUNNING; `leave` when it is done, or skipped at its start; `interrupt` when it is halted
   while it runs. An action that is done is not called again until its parent resets it; one that is declared as
   synchronous is entered and ticked every time, and must not answer ESPALIER_RUNNING. A condition, and a gate, is
   called by `tick`: ESPALIER_SUCCESS is true, or an open gate. Both may answer ESPALIER_SKIPPED. Without functions,
   actions succeed, conditions are true and gates are open.

   espalier_update() returns ESPALIER_RUNNING, ESPALIER_SUCCESS, ESPALIER_FAILURE, ESPALIER_SKIPPED, or ESPALIER_ERROR:
   then the tree was halted, and the host's `log` got the reason, for the node that failed. An update begins again from
   the root, at most 1,000 times, while a node asks for it. espalier_stop() halts the tree; its blackboards, and what
   nodes keep when they are halted, stay as they are. */
#ifndef ESPALIER_POLLING_H
#define ESPALIER_POLLING_H

#include "espalier.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef enum espalier_value_kind {
  ESPALIER_VALUE_NONE, /* no entry, or one without a value */
  ESPALIER_VALUE_WHOLE,
  ESPALIER_VALUE_UNSIGNED, /* a whole number that is not negative, in `bits` */
  ESPALIER_VALUE_REAL,
  ESPALIER_VALUE_TEXT
} espalier_value_kind;

typedef struct espalier_value {
  espalier_value_kind kind ESPALIER_ZERO;
  int64_t whole ESPALIER_ZERO; /* whole, unsigned (converted) */
  double real ESPALIER_ZERO;
  const char* text ESPALIER_ZERO; /* text: not ended by NUL; valid until the entry is written, or the block is moved */
  uint32_t text_bytes ESPALIER_ZERO;
} espalier_value;

/* ---- Ports, during a call -------------------------------------------------------------------- */

/* Of the node that calls, by number: in the order of their names. */
uint32_t espalier_port_count(const espalier_call* call);
const char* espalier_port_name(const espalier_call* call, uint32_t port);
/* On ESPALIER_NOT_FOUND `*port` is unchanged. */
espalier_status espalier_find_port(const espalier_call* call, const char* name, uint32_t* port);
/* Can it be read, and does it have an attribute or a default? */
bool espalier_is_input(const espalier_call* call, uint32_t port);
/* The value of an input, as the type of the port: false if there is none, or it cannot be converted. `buffer` is for
   the text of a number. */
#define ESPALIER_NUMBER_TEXT 32
bool espalier_read_port(const espalier_call* call, uint32_t port, espalier_value* value,
                        char buffer[ESPALIER_NUMBER_TEXT]);
/* Writes an output. The kind is converted to the type of the port, which is that of the model. Without a connection it
   is dropped. False: the port cannot be written, or the entry has another type; the update then ends with an error. */
bool espalier_write_port(const espalier_call* call, uint32_t port, const espalier_value* value);

/* The same for true and false, which are not whole numbers where the port has no type. */
bool espalier_write_port_boolean(const espalier_call* call, uint32_t port, bool value);

/* ---- Entries, between updates ---------------------------------------------------------------- */

/* Entries are numbered: espalier_find(tree, ESPALIER_ENTRIES, ...) finds the first one of a name, which is that of the
   tree's own blackboard if it has one. The path of its blackboard is empty, or that of the subtree. */
const char* espalier_entry_path(espalier_tree tree, uint32_t entry);
espalier_status espalier_find_entry(espalier_tree tree, const char* path, const char* name, uint32_t* entry);
/* A SetBlackboard whose output_key is an entry writes the entry that this entry names. If nothing else in the tree uses
   that name, the entry exists only in the agent's block: this finds it there, once it has been written. */
espalier_status espalier_find_entry_now(espalier_tree tree, const void* block, const char* path, const char* name,
                                        uint32_t* entry);
/* The entry of this name on the tree's own blackboard, for espalier_set_entry(), even if nothing in the tree uses the
   name. ESPALIER_NOT_FOUND: the tree has no such SetBlackboard, or no room for another name. */
espalier_status espalier_name_entry(espalier_tree tree, void* block, const char* name, uint32_t* entry);
/* Its value; false if the entry does not exist or has no value. */
bool espalier_entry(espalier_tree tree, const void* block, uint32_t entry, espalier_value* value);
/* Writes an entry as a host does: a whole number as a 64-bit one, or with the type of the entry. False: it cannot be
   converted to that type, or a text is longer than texts can be; the entry is then as before. */
bool espalier_set_entry(espalier_tree tree, void* block, uint32_t entry, const espalier_value* value);

/* The same for true and false, which are not whole numbers where the entry has no type. */
bool espalier_set_entry_boolean(espalier_tree tree, void* block, uint32_t entry, bool value);

/* The status of a node: ESPALIER_STOPPED if it is idle. */
espalier_result espalier_node_status(espalier_tree tree, const void* block, uint32_t node_word);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

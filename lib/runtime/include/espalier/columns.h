/* Crowds: a million agents of one tree that selects, updated 1,024 at a time.

   The agents of a crowd have no blocks of their own. They are in blocks of ESPALIER_COLUMN_AGENTS, each a row of
   planes: a plane is 16 words of 64 bits with one bit for each agent, agent i in bit i % 64 of word i / 64. The first
   planes are the variables, in their order; the next one says which agents have changed. A game writes variables and
   this bit itself, or with the functions below, and then updates all blocks: the tree's conditions are computed for all
   agents of a block at once, in the widest vectors of the processor. Every agent gets the leaf, and its machines the
   states, that espalier_update() would give it, whatever the vectors are.

   No behaviour is called and no signal is raised. Instead, the plane after the changed ones says which agents'
   leaves the update has changed. A crowd needs no clock and no host. Blocks and work memory are given by the game and
   must lie at multiples of 64. Different threads may update different blocks if each has its own work memory. */
#ifndef ESPALIER_COLUMNS_H
#define ESPALIER_COLUMNS_H

#include "selecting.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define ESPALIER_COLUMN_AGENTS 1024u                       /* in a block */
#define ESPALIER_PLANE_WORDS (ESPALIER_COLUMN_AGENTS / 64) /* of 64 bits */

/* What the blocks of a tree's crowds are made of. The asset and the memory must outlive it; it may be copied. */
typedef struct espalier_columns {
  espalier_tree tree;
  uint32_t changed_plane ESPALIER_ZERO;  /* the number of variables */
  uint32_t switched_plane ESPALIER_ZERO; /* the next one */
  /* The first plane of the leaf's number, with its lowest bit. The tree's leaf count stands for no leaf. */
  uint32_t leaf_plane ESPALIER_ZERO;
  uint32_t leaf_planes ESPALIER_ZERO;
  uint32_t block_bytes ESPALIER_ZERO;
  uint32_t work_bytes ESPALIER_ZERO;
  const void* internal ESPALIER_ZERO;
} espalier_columns;

/* Bytes of memory for espalier_make_columns(). 0: the tree has behaviours with times, is nested more than 32
   nodes deep, or is very large. */
size_t espalier_columns_bytes(espalier_tree tree);
/* Translates the tree for updates of crowds, in `memory` of espalier_columns_bytes() bytes, which is not 0, at a
   multiple of 8. */
void espalier_make_columns(espalier_tree tree, void* memory, espalier_columns* columns);

/* Fills blocks of `block_bytes` each: all agents as espalier_start() starts one. */
void espalier_start_columns(const espalier_columns* columns, void* blocks, size_t block_count);
/* Updates the agents that have changed and those without a leaf. `work`: `work_bytes` bytes, of any content. */
void espalier_update_columns(const espalier_columns* columns, void* blocks, size_t block_count, void* work);

/* Sets a variable of all agents of a block from one byte an agent: 0 is false, all others are true. The agents
   whose value differs count as changed. */
void espalier_set_column(const espalier_columns* columns, void* block, uint32_t variable, const uint8_t* bytes);
/* The leaf of each agent of a block; the tree's leaf count stands for no leaf. */
void espalier_column_leaves(const espalier_columns* columns, const void* block, uint16_t* leaves);

/* Puts agents into a block, from 0 on, or stores them from there: their variables, leaf, states of machines, and
   whether they have changed. `agents`: blocks of espalier_agent_bytes(), `stride_bytes` apart, at most
   ESPALIER_COLUMN_AGENTS. */
void espalier_load_columns(const espalier_columns* columns, void* block, const void* agents, size_t stride_bytes,
                           size_t count);
void espalier_store_columns(const espalier_columns* columns, const void* block, void* agents, size_t stride_bytes,
                            size_t count);

static inline uint64_t* espalier_plane(void* block, uint32_t plane) {
  return (uint64_t*)block + (size_t)plane * ESPALIER_PLANE_WORDS;
}
/* Sets a variable of one agent, in the block that contains it. */
static inline void espalier_set_in_column(const espalier_columns* columns, void* block, uint32_t agent,
                                          uint32_t variable, bool value) {
  uint64_t* word = espalier_plane(block, variable) + agent / 64;
  uint64_t* changed = espalier_plane(block, columns->changed_plane) + agent / 64;
  const uint64_t difference = (*word ^ (value ? ~UINT64_C(0) : 0)) & UINT64_C(1) << agent % 64;
  *word ^= difference;
  *changed |= difference;
}

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

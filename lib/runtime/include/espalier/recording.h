/* Recording: what the host told its agents and what its functions answered, so that the same run can be repeated bit
   for bit, in a test or at a desk. Programs that do not call these functions do not link them.

     espalier_recorder* recorder;
     espalier_recorder_options options = {.write = append_to_file, .user = file};
     void* memory = malloc(espalier_recorder_bytes(&asset, agent_count, &options));  // at a multiple of 8
     espalier_recorder_begin(&asset, agent_count, &options, memory, &recorder);
     espalier_start(tree, block);
     espalier_recorder_agent(recorder, 0, tree, block, host.shared, host.group);     // as agent_number 0
     host.recorder = recorder;
     for (;;) {
       espalier_recorder_frame(recorder, host.clock_us);
       espalier_update(tree, block, &host);
     }
     espalier_recorder_end(recorder);

   A recording has what an update cannot compute: the clock, the answers of the host's functions, and what reaches the
   agents from outside. A call whose answer is the last one of the same agent and node costs no bytes. While
   espalier_host.recorder is set, updates, signals, jumps, stops, trees put into slots, and what the host's functions
   write to ports are recorded. Functions without a host (espalier_set() and others) are not: the functions
   espalier_record_...() below call them and record the call; inside a call, the recorder is call->host->recorder. What
   agents hold when they are started, restored or moved is recorded by espalier_recorder_agent(); functions that
   espalier_move_agent() calls must not update agents that share a block with the moved one. A hot reload ends the
   recording of the old asset: begin another one with the new asset, and tell it of the agents that were moved.

   An agent is known by its number: espalier_host.first_agent, espalier_call.agent_number. One recorder is used by one
   thread at a time, and agents that share a block belong to one recorder. The tables of functions may change, but
   not which of them are null. Columns (columns.h) cannot be recorded. */
#ifndef ESPALIER_RECORDING_H
#define ESPALIER_RECORDING_H

#include "deciders.h"
#include "espalier.h"
#include "polling.h"
#include "watching.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The recording contains the asset: whoever has it needs nothing else. */
#define ESPALIER_RECORD_ASSET UINT32_C(1)
/* It also has what functions write to the memory of their behaviour and to decider blocks. */
#define ESPALIER_RECORD_MEMORY UINT32_C(2)
/* It also has a hash of all blocks, 8 bytes a frame, which a playback compares. Includes ESPALIER_RECORD_MEMORY.
   Agents' blocks then stay where they were when the recorder last saw them. */
#define ESPALIER_RECORD_HASHES UINT32_C(4)

typedef struct espalier_recorder_options {
  /* Of memory for what is not written yet; 0: 65,536. At least 1,024. With `ring_segments`, of one segment of the ring:
     it must have room for the blocks of all agents, and agents' blocks must stay where they are. */
  uint32_t segment_bytes ESPALIER_ZERO;
  /* 0: what is recorded is given to `write`, at the latest after `flush_ms`. Else a flight recorder: the last segments
     are kept, for espalier_recorder_save(). At least 2. */
  uint32_t ring_segments ESPALIER_ZERO;
  uint32_t flags ESPALIER_ZERO; /* ESPALIER_RECORD_... */
  /* By the clock of frames, in milliseconds; 0: 1,000. What is recorded is written so often. A crash costs what was not
     written yet. Each time takes about 30 bytes: 110 KB an hour, 11 KB with 10,000. */
  uint32_t flush_ms ESPALIER_ZERO;
  /* Appends bytes to a file. False: the recording ends; the agents go on. */
  bool (*write)(void* user, const void* bytes, size_t size_bytes) ESPALIER_ZERO;
  void* user ESPALIER_ZERO;
  /* Redaction: names of entries of blackboards whose values are not recorded, by any name that a port or blackboard has
     for them; they must stay until the recording ends. A hash stands for a text, and 0 for a number. The hash is of the
     text and `redact_salt`: without a secret one, a text that can be guessed can be found. Where a tree compares such a
     value, the playback may differ (ESPALIER_DIVERGED). Copies in other entries are covered if these are named, too.
     Not with ESPALIER_RECORD_HASHES. */
  const char* const* redact ESPALIER_ZERO;
  uint32_t redact_count ESPALIER_ZERO;
  uint64_t redact_salt ESPALIER_ZERO;
} espalier_recorder_options;

/* Bytes of memory that a recorder needs, for agents with numbers below `agent_count`. */
size_t espalier_recorder_bytes(const espalier_asset* asset, uint32_t agent_count,
                               const espalier_recorder_options* options);
/* `memory`: espalier_recorder_bytes() bytes at a multiple of 8, which the recorder uses until it has ended. The asset
   must outlive it. ESPALIER_TOO_LARGE: an option is out of its range, or does not go with another; `*recorder` is then
   unchanged. */
espalier_status espalier_recorder_begin(const espalier_asset* asset, uint32_t agent_count,
                                        const espalier_recorder_options* options, void* memory,
                                        espalier_recorder** recorder);
/* An agent that has been started, restored or moved, before its next update: records its block. `shared` and `group`
   are those of its host, null where it has none; what they hold is recorded when they are seen first. `block` null: the
   agent is no more. */
void espalier_recorder_agent(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, const void* block,
                             const void* shared, const void* group);
/* Before the updates of a frame, at the clock that their host will have. */
void espalier_recorder_frame(espalier_recorder* recorder, uint64_t clock_us);
/* The last frames of a flight recorder, as a file: its size in bytes, which is written if `size_bytes` is not less.
   Takes no lock and calls nothing of the host, so that a handler of signals may call it. */
size_t espalier_recorder_save(const espalier_recorder* recorder, void* bytes, size_t size_bytes);
/* Writes the rest. The host's `recorder` must be null from then on. */
void espalier_recorder_end(espalier_recorder* recorder);
/* Why it records no more, as a static string; null: it does. */
const char* espalier_recorder_fault(const espalier_recorder* recorder);

/* The functions without a host, recorded. */
void espalier_record_set(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                         uint32_t variable, bool value);
bool espalier_record_entry(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block, uint32_t entry,
                           const espalier_value* value);
bool espalier_record_entry_boolean(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                   uint32_t entry, bool value);
espalier_status espalier_record_name_entry(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                           const char* name, uint32_t* entry);
void espalier_record_flags(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                           uint64_t flags);
void espalier_record_stimulus(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                              uint32_t stimulus, uint64_t clock_us, const espalier_stimulus_data* data);
espalier_status espalier_record_stimulus_for(espalier_recorder* recorder, uint32_t agent, espalier_tree tree,
                                             void* block, uint32_t stimulus, uint64_t clock_us, uint64_t timeout_us,
                                             const espalier_stimulus_data* data);
void espalier_record_clear_stimulus(espalier_recorder* recorder, uint32_t agent, espalier_tree tree, void* block,
                                    uint32_t stimulus);

/* ---- Playback -------------------------------------------------------------------------------- */

typedef struct espalier_playback espalier_playback;

/* The asset inside a recording; null: it has none. `bytes` may have any content. */
const void* espalier_recorded_asset(const void* bytes, size_t size_bytes, size_t* asset_bytes);
/* Bytes of memory that a playback needs; 0: espalier_playback_open() will refuse the recording. */
size_t espalier_playback_bytes(const void* bytes, size_t size_bytes, const espalier_asset* asset);
/* `bytes` may have any content, and must outlive the playback, as must the asset, which must be the recorded one
   (ESPALIER_WRONG_HASH), and not compressed (ESPALIER_UNSUPPORTED_VERSION). What follows a damaged or missing part of
   the recording is ignored. `memory`: espalier_playback_bytes() bytes at a multiple of 8. */
espalier_status espalier_playback_open(const void* bytes, size_t size_bytes, const espalier_asset* asset, void* memory,
                                       espalier_playback** playback, espalier_fault* fault);
/* Runs one frame. `watcher` may be null. ESPALIER_NOT_FOUND: there is no other one. ESPALIER_DIVERGED: what the trees
   do is not what was recorded, and the playback has ended. */
espalier_status espalier_playback_step(espalier_playback* playback, const espalier_watcher* watcher);
/* The clock of the last frame, and how many there were. */
uint64_t espalier_playback_clock_us(const espalier_playback* playback);
uint64_t espalier_playback_frame(const espalier_playback* playback);
/* The agent's block, and its tree; null: there is no such agent now. `tree` may be null. */
void* espalier_playback_block(const espalier_playback* playback, uint32_t agent, espalier_tree* tree);
/* Are its blocks compared with ESPALIER_RECORD_HASHES? */
bool espalier_playback_has_hashes(const espalier_playback* playback);
/* Were values left out (espalier_recorder_options.redact)? */
bool espalier_playback_is_redacted(const espalier_playback* playback);
/* The numbers of agents are below this. */
uint32_t espalier_playback_agent_count(const espalier_playback* playback);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif

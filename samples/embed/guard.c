/* Runs one guard on the asset of samples/guard, in C: guard GUARD.espb
   See main.cpp for the same in C++, with many guards. */
#include <espalier/selecting.h>
#include <stdio.h>

#include "guard_ids.h"

static uint64_t bytes[8192]; /* an asset is read in place, at a multiple of 8 bytes */
static uint64_t agent[8];

static void begin(const espalier_call* call) {
  printf("begins %s\n", espalier_behavior_name(call->tree.asset, call->behavior));
}

int main(int count, char** words) {
  FILE* file = fopen(count > 1 ? words[1] : "guard.espb", "rb");
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);

  /* Only the engine of such trees is linked. */
  const espalier_engine* const engines[] = {espalier_select_engine()};
  espalier_asset asset;
  espalier_tree tree;
  const espalier_status status = espalier_open_with(engines, 1, bytes, size_bytes, &asset, NULL);
  if (status != ESPALIER_OK) return fprintf(stderr, "guard: %s\n", espalier_status_text(status)), 1;
  if (!guard_matches_asset(bytes) || espalier_find_tree(&asset, "Guard", &tree) != ESPALIER_OK) return 1;
  if (espalier_agent_bytes(tree) > sizeof agent) return 1;

  const espalier_binding bindings[] = {
      {"Patrol", {.enter = begin}}, {"Search", {.enter = begin}}, {"Attack", {.enter = begin}}};
  espalier_behavior behaviors[3];
  if (espalier_bind(&asset, bindings, 3, behaviors, NULL, 0, NULL) != ESPALIER_OK) return 1;

  /* What happens in the game, one signal a frame. */
  const uint32_t happens[] = {guard_Guard_signals_OnNoise, guard_Guard_signals_OnEnemySeen,
                              guard_Guard_signals_OnEnemyLost, guard_Guard_signals_OnCalmDown};
  espalier_host host = {.behaviors = behaviors};
  espalier_start(tree, agent);
  espalier_update(tree, agent, &host);
  for (size_t frame = 0; frame < sizeof happens / sizeof *happens; ++frame) {
    host.clock_us += 16667;
    espalier_signal(tree, agent, happens[frame], &host, NULL);
    espalier_update(tree, agent, &host);
  }
  espalier_stop(tree, agent, &host);
  return 0;
}

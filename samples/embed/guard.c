/* Runs one guard on the asset of samples/guard, in C: guard_c GUARD.espb
   What main.cpp does for 1,000: open, bind, start, signal, update. */
#include <espalier/espalier.h>
#include <espalier/selecting.h>
#include <stdio.h>

#include "guard_ids.h"

enum { kBehaviorCount = 3 };

/* Words, because the runtime reads an asset in place, and an agent's block, at a multiple of 8 bytes. */
static uint64_t bytes[4096];
static uint64_t agent[16];

static void begin(const espalier_call* call) {
  printf("The guard begins: %s\n", espalier_behavior_name(call->tree.asset, call->behavior));
}

int main(int count, char** words) {
  FILE* file = fopen(count > 1 ? words[1] : "guard.espb", "rb");
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);

  /* Checked once. After this no update can leave the asset or the agent's block. */
  espalier_asset asset;
  const espalier_status status = espalier_open(bytes, size_bytes, &asset, NULL);
  if (status != ESPALIER_OK) return fprintf(stderr, "guard_c: %s\n", espalier_status_text(status)), 1;
  espalier_tree tree;
  if (espalier_find_tree(&asset, "Guard", &tree) != ESPALIER_OK || !guard_matches_asset(bytes) ||
      espalier_behavior_count(&asset) != kBehaviorCount || espalier_agent_bytes(tree) > sizeof agent) {
    fprintf(stderr, "guard_c: this is another asset than the one this program was built with\n");
    return 1;
  }

  /* Names become functions once. */
  const espalier_binding bindings[kBehaviorCount] = {
      {"Patrol", {.enter = begin}}, {"Search", {.enter = begin}}, {"Attack", {.enter = begin}}};
  espalier_behavior behaviors[kBehaviorCount];
  uint32_t missing_count = 0;
  if (espalier_bind(&asset, bindings, kBehaviorCount, behaviors, NULL, 0, &missing_count) != ESPALIER_OK) {
    fprintf(stderr, "guard_c: %u behaviors of the asset have no function here\n", (unsigned)missing_count);
    return 1;
  }

  const espalier_host host = {.behaviors = behaviors};
  espalier_start(tree, agent);
  espalier_update(tree, agent, &host);
  espalier_signal(tree, agent, guard_Guard_signals_OnEnemySeen, &host, NULL);
  espalier_update(tree, agent, &host);
  espalier_signal(tree, agent, guard_Guard_signals_OnEnemyLost, &host, NULL);
  espalier_update(tree, agent, &host);
  espalier_stop(tree, agent, &host);
  return 0;
}

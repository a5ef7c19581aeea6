/* Uses an installed espalier from C: outside_c GUARD.espb. Prints the behaviour before and after a signal. */
#include <espalier/espalier.h>
#include <espalier/selecting.h>
#include <stdio.h>

static uint64_t bytes[8192];

static void print_behavior(const espalier_asset* asset, espalier_tree tree, const void* agent) {
  printf("%s\n", espalier_behavior_name(asset, espalier_current_behavior(tree, agent)));
}

int main(int count, char** words) {
  FILE* file = count == 2 ? fopen(words[1], "rb") : NULL;
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  espalier_asset asset;
  espalier_tree tree;
  uint32_t on_enemy_seen;
  uint64_t agent[8];
  const espalier_host host = {.clock_us = 0};
  const espalier_status status = espalier_open(bytes, size_bytes, &asset, NULL);
  if (file != NULL) fclose(file);
  if (status != ESPALIER_OK) return fprintf(stderr, "%s\n", espalier_status_text(status)), 1;
  if (espalier_find_tree(&asset, "Guard", &tree) != ESPALIER_OK) return 1;
  if (espalier_find_signal(tree, "OnEnemySeen", &on_enemy_seen) != ESPALIER_OK) return 1;
  if (espalier_agent_bytes(tree) > sizeof agent) return 1;

  espalier_start(tree, agent);
  espalier_update(tree, agent, &host);
  print_behavior(&asset, tree, agent);
  espalier_signal(tree, agent, on_enemy_seen, &host, NULL);
  espalier_update(tree, agent, &host);
  print_behavior(&asset, tree, agent);
  return 0;
}

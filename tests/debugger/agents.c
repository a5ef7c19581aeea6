/* A game of one agent of each tree of an asset, for a debugger to look at: it stops in look() and in on_enter(). */
#include <espalier/espalier.h>
#include <espalier/ticking.h>

#include <stdio.h>
#include <stdlib.h>

static uint64_t words[1 << 16];
static uint64_t shared[1 << 10];
static uint64_t group[1 << 6];

void look(espalier_tree tree, const void* block);
void look(espalier_tree tree, const void* block) {
  if (block == NULL) printf("%u\n", tree.index);
}

void on_enter(const espalier_call* call);
void on_enter(const espalier_call* call) {
  if (call->agent == NULL) printf("%u\n", call->behavior);
}

static espalier_result on_tick(const espalier_call* call) {
  (void)call;
  return ESPALIER_RUNNING;
}

static bool on_ask(const espalier_call* call) {
  (void)call;
  return true;
}

static double on_decide(const espalier_call* call) {
  (void)call;
  return 1;
}

int main(int count, char** arguments) {
  static espalier_behavior behaviors[64];
  static espalier_behavior conditions[64];
  espalier_host host = {.behaviors = behaviors, .conditions = conditions, .shared = shared, .group = group};
  espalier_asset asset;
  size_t size_bytes = 0;
  uint32_t i = 0;
  FILE* file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return 1;
  size_bytes = fread(words, 1, sizeof words, file);
  fclose(file);
  if (espalier_open(words, size_bytes, &asset, NULL) != ESPALIER_OK) return 1;
  for (i = 0; i < 64; ++i) {
    behaviors[i].enter = on_enter;
    behaviors[i].tick = on_tick;
    conditions[i].ask = on_ask;
    conditions[i].decide = on_decide;
  }
  for (i = 0; i < espalier_tree_count(&asset); ++i) {
    const espalier_tree tree = espalier_tree_at(&asset, i);
    void* block = calloc(1, espalier_agent_bytes(tree));
    if (block == NULL) return 1;
    espalier_start_shared(tree, shared);
    espalier_start_group(&asset, group);
    espalier_start(tree, block);
    host.clock_us += 1500000;
    espalier_update(tree, block, &host);
    look(tree, block);
    free(block);
  }
  return 0;
}

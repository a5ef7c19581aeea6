/* Runs a courier robot on the asset of samples/btcpp, trees of BehaviorTree.CPP, in C: robot_c BTCPP.espb
   What robot.cpp does, in small: nodes that read and write ports, a condition, and an entry that the program reads. */
#include <espalier/espalier.h>
#include <espalier/polling.h>
#include <stdio.h>
#include <string.h>

#include "btcpp_ids.h"

enum { kMaxNodes = 16, kTickCount = 40 };

/* Words, because the runtime reads an asset in place, and an agent's block, at a multiple of 8 bytes. */
static uint64_t bytes[4096];
static uint64_t agent[1024];

struct robot {
  bool is_battery_ok;
  int tick_count; /* on the present way */
};

static struct robot* robot_of(const espalier_call* call) { return call->host->user; }

/* ---- Nodes */

static espalier_result is_battery_ok(const espalier_call* call) {
  return robot_of(call)->is_battery_ok ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}

static espalier_result succeed_with(const espalier_call* call, const char* name, const char* text) {
  uint32_t port = 0;
  espalier_value value = {.kind = ESPALIER_VALUE_TEXT, .text = text, .text_bytes = (uint32_t)strlen(text)};
  const bool is_written =
      espalier_find_port(call, name, &port) == ESPALIER_OK && espalier_write_port(call, port, &value);
  return is_written ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}

static espalier_result take_parcel(const espalier_call* call) { return succeed_with(call, "room", "room 12"); }

static espalier_result find_path(const espalier_call* call) { return succeed_with(call, "path", "the corridor"); }

/* `enter` when it starts; then `tick` at each update while it answers that it runs. */
static void begin_way(const espalier_call* call) {
  uint32_t port = 0;
  espalier_value path = {0};
  char number[ESPALIER_NUMBER_TEXT];
  robot_of(call)->tick_count = 0;
  if (espalier_find_port(call, "path", &port) != ESPALIER_OK || !espalier_read_port(call, port, &path, number)) return;
  printf("The courier drives: %.*s\n", (int)path.text_bytes, path.text);
}

static espalier_result follow_way(const espalier_call* call) {
  return ++robot_of(call)->tick_count < 10 ? ESPALIER_RUNNING : ESPALIER_SUCCESS;
}

/* A parent that takes another way halts it. */
static void halt_way(const espalier_call* call) {
  (void)call;
  printf("The courier is halted\n");
}

static espalier_result charge(const espalier_call* call) {
  robot_of(call)->is_battery_ok = true;
  printf("The courier is charged\n");
  return ESPALIER_SUCCESS;
}

/* ---- The program */

static int fail(const char* why) {
  fprintf(stderr, "robot_c: %s\n", why);
  return 1;
}

int main(int count, char** words) {
  FILE* file = fopen(count > 1 ? words[1] : "btcpp.espb", "rb");
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);
  espalier_asset asset;
  espalier_tree tree;
  const espalier_status status = espalier_open(bytes, size_bytes, &asset, NULL);
  if (status != ESPALIER_OK) return fail(espalier_status_text(status));
  if (espalier_find_tree(&asset, "Courier", &tree) != ESPALIER_OK || !btcpp_matches_asset(bytes) ||
      espalier_behavior_count(&asset) > kMaxNodes || espalier_condition_count(&asset) > kMaxNodes ||
      espalier_agent_bytes(tree) > sizeof agent)
    return fail("this is another asset than the one this program was built with");

  const espalier_binding actions[] = {{"TakeParcel", {.tick = take_parcel}},
                                      {"FindPath", {.tick = find_path}},
                                      {"FollowPath", {.enter = begin_way, .tick = follow_way, .interrupt = halt_way}},
                                      {"HandOver", {0}}, /* without functions it succeeds */
                                      {"Charge", {.tick = charge}}};
  const espalier_binding asked[] = {{"IsBatteryOk", {.tick = is_battery_ok}}};
  espalier_behavior nodes[kMaxNodes], conditions[kMaxNodes];
  if (espalier_bind(&asset, actions, sizeof actions / sizeof *actions, nodes, NULL, 0, NULL) != ESPALIER_OK ||
      espalier_bind_conditions(&asset, asked, 1, conditions, NULL, 0, NULL) != ESPALIER_OK)
    return fail("some nodes of the asset have no function here");

  struct robot robot = {.is_battery_ok = true};
  espalier_host host = {.behaviors = nodes, .conditions = conditions, .user = &robot};
  espalier_start(tree, agent);
  for (int i = 0; i < kTickCount; ++i) {
    host.clock_us += 100000; /* ten ticks a second */
    if (i == 5) robot.is_battery_ok = false;
    const espalier_result result = espalier_update(tree, agent, &host);
    uint32_t delivered = 0;
    espalier_value value = {0};
    if (result == ESPALIER_RUNNING || espalier_find_entry(tree, "", "delivered", &delivered) != ESPALIER_OK) continue;
    if (!espalier_entry(tree, agent, delivered, &value) || value.real == 0) continue; /* scripts have real numbers */
    printf("The parcel is delivered\n");
    break;
  }
  espalier_stop(tree, agent, &host);
  return 0;
}

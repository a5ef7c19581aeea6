/* A robot that patrols, on a microcontroller: no file, no heap, no C++ library. It drives between two places, and to
   its dock when the battery is low. Ten updates a second; a board with motors would wait for its timer between them. */
#include <espalier/polling.h>
#include <string.h>

#include "board.h"

/* The runtime reads an asset in place, and an agent's block, at a multiple of 8 bytes. The asset stays in flash. */
_Alignas(8) static const unsigned char bytes[] = {
#include "patrol.inc"
};
_Alignas(8) static unsigned char agent[16]; /* `espalier compile -v` says how many */

enum { kTickCount = 150, kNodes = 3, kLow = 30, kFull = 100 };

struct robot {
  int battery;       /* percent */
  int left_to_drive; /* ticks */
};

static struct robot* robot_of(const espalier_call* call) { return call->host->user; }

static void say(const espalier_call* call, const char* what, const char* name, size_t size_bytes) {
  char line[64];
  const unsigned tenths = (unsigned)(call->host->clock_us / 100000);
  const char time[] = {tenths < 100 ? ' ' : (char)('0' + tenths / 100),
                       (char)('0' + tenths / 10 % 10),
                       '.',
                       (char)('0' + tenths % 10),
                       ' ',
                       's',
                       ' ',
                       ' '};
  size_t used = sizeof time;
  memcpy(line, time, sizeof time);
  for (; *what != '\0' && used < sizeof line - 2; ++what) line[used++] = *what;
  for (; size_bytes != 0 && used < sizeof line - 2; --size_bytes) line[used++] = *name++;
  line[used++] = '\n';
  line[used] = '\0';
  board_write(line);
}

/* ---- Nodes */

static espalier_result is_battery_ok(const espalier_call* call) {
  return robot_of(call)->battery >= kLow ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}

static void begin_drive(const espalier_call* call) {
  uint32_t port = 0;
  espalier_value place = {0};
  char number[ESPALIER_NUMBER_TEXT];
  robot_of(call)->left_to_drive = 20;
  if (espalier_find_port(call, "place", &port) != ESPALIER_OK || !espalier_read_port(call, port, &place, number))
    return;
  say(call, "drives to the ", place.text, place.text_bytes);
}

static espalier_result drive(const espalier_call* call) {
  struct robot* const robot = robot_of(call);
  robot->battery -= robot->battery > 0;
  return --robot->left_to_drive > 0 ? ESPALIER_RUNNING : ESPALIER_SUCCESS;
}

static void stop_drive(const espalier_call* call) { say(call, "stops on the way", "", 0); }

static espalier_result look(const espalier_call* call) {
  say(call, "looks around", "", 0);
  return ESPALIER_SUCCESS;
}

static espalier_result charge(const espalier_call* call) {
  struct robot* const robot = robot_of(call);
  robot->battery += 10;
  if (robot->battery < kFull) return ESPALIER_RUNNING;
  say(call, "is charged", "", 0);
  return ESPALIER_SUCCESS;
}

/* ---- The program */

static const espalier_binding actions[kNodes] = {
    {"DriveTo", {.enter = begin_drive, .tick = drive, .interrupt = stop_drive}},
    {"Look", {.tick = look}},
    {"Charge", {.tick = charge}}};
static const espalier_binding asked[] = {{"IsBatteryOk", {.tick = is_battery_ok}}};

static int fail(const char* why) {
  board_write(why);
  return 1;
}

int main(void) {
  const espalier_engine* const engines[] = {espalier_poll_engine()}; /* the others are not linked */
  espalier_asset asset;
  const espalier_status status = espalier_open_with(engines, 1, bytes, sizeof bytes, &asset, NULL);
  if (status != ESPALIER_OK) return fail(espalier_status_text(status));
  const espalier_tree tree = {&asset, 0};
  if (espalier_agent_bytes(tree) > sizeof agent || espalier_behavior_count(&asset) != kNodes)
    return fail("another asset");
  espalier_behavior nodes[kNodes], conditions[1];
  if (espalier_bind(&asset, actions, kNodes, nodes, NULL, 0, NULL) != ESPALIER_OK ||
      espalier_bind_conditions(&asset, asked, 1, conditions, NULL, 0, NULL) != ESPALIER_OK)
    return fail("a node of the tree has no function here");

  struct robot robot = {.battery = 60};
  espalier_host host = {.behaviors = nodes, .conditions = conditions, .user = &robot};
  espalier_start(tree, agent);
  for (int i = 0; i < kTickCount; ++i) {
    host.clock_us += 100000;
    espalier_update(tree, agent, &host);
  }
  return 0;
}

/* Runs a robot on the asset of samples/robot/now, a tree of BehaviorTree.CPP, in C: robot ROBOT.espb
   What such trees need beyond guard.c: conditions, actions that take time and can be halted, ports and entries. See
   courier.cpp for the same in C++. */
#include <espalier/polling.h>
#include <stdio.h>

static uint64_t bytes[8192];
static uint64_t agent[128];

typedef struct Robot {
  double battery; /* 0 to 1 */
} Robot;

/* A condition answers by `tick`, like an action. */
static espalier_result is_battery_low(const espalier_call* call) {
  const Robot* robot = call->host->user;
  uint32_t port;
  espalier_value value;
  char buffer[ESPALIER_NUMBER_TEXT];
  const bool is_given = espalier_find_port(call, "min_battery", &port) == ESPALIER_OK &&
                        espalier_read_port(call, port, &value, buffer) && value.kind == ESPALIER_VALUE_REAL;
  return is_given && robot->battery < value.real ? ESPALIER_SUCCESS : ESPALIER_FAILURE;
}

static void begin_to_drive(const espalier_call* call) {
  uint32_t port;
  espalier_value value;
  char buffer[ESPALIER_NUMBER_TEXT];
  if (espalier_find_port(call, "path", &port) != ESPALIER_OK || !espalier_read_port(call, port, &value, buffer)) return;
  if (value.kind == ESPALIER_VALUE_TEXT) printf("drives %.*s\n", (int)value.text_bytes, value.text);
}

static espalier_result drive(const espalier_call* call) {
  Robot* robot = call->host->user;
  robot->battery -= 0.1;
  return ESPALIER_RUNNING;
}

static void stop(const espalier_call* call) {
  const Robot* robot = call->host->user;
  printf("stops, with %d %% left\n", (int)(robot->battery * 100 + 0.5));
}

int main(int count, char** words) {
  FILE* file = fopen(count > 1 ? words[1] : "robot.espb", "rb");
  const size_t size_bytes = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);

  const espalier_engine* const engines[] = {espalier_poll_engine()};
  espalier_asset asset;
  espalier_tree tree;
  const espalier_status status = espalier_open_with(engines, 1, bytes, size_bytes, &asset, NULL);
  if (status != ESPALIER_OK) return fprintf(stderr, "robot: %s\n", espalier_status_text(status)), 1;
  if (espalier_find_tree(&asset, "Drive", &tree) != ESPALIER_OK || espalier_agent_bytes(tree) > sizeof agent) return 1;

  const espalier_binding actions[] = {{"FollowPath", {.enter = begin_to_drive, .tick = drive, .interrupt = stop}}};
  const espalier_binding asked[] = {{"IsBatteryLow", {.tick = is_battery_low}}};
  espalier_behavior behaviors[1];
  espalier_behavior conditions[1];
  if (espalier_bind(&asset, actions, 1, behaviors, NULL, 0, NULL) != ESPALIER_OK) return 1;
  if (espalier_bind_conditions(&asset, asked, 1, conditions, NULL, 0, NULL) != ESPALIER_OK) return 1;

  Robot robot = {.battery = 0.55};
  espalier_host host = {.behaviors = behaviors, .conditions = conditions, .user = &robot};
  espalier_start(tree, agent);

  /* The program writes an entry of the blackboard, as a planner would. */
  uint32_t path;
  if (espalier_find_entry(tree, "", "path", &path) != ESPALIER_OK) return 1;
  const char to_the_kitchen[] = "to the kitchen";
  const espalier_value value = {
      .kind = ESPALIER_VALUE_TEXT, .text = to_the_kitchen, .text_bytes = sizeof to_the_kitchen - 1};
  if (!espalier_set_entry(tree, agent, path, &value)) return 1;

  for (int tick = 0; tick < 100; ++tick) {
    host.clock_us += 100000;
    if (espalier_update(tree, agent, &host) != ESPALIER_RUNNING) break;
  }
  espalier_stop(tree, agent, &host);
  return 0;
}

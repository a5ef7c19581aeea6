// What happens during a replay, as values, and the forms it is written in.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/format/opcode.h"

namespace espalier::replay {

// Those of all dialects.
enum class EventKind : std::uint8_t {
  enter,
  tick,
  leave,
  interrupt,
  reset,
  decide,
  ask,
  signal,
  send,
  set,
  log,
  status,
  error,
  refuse,
  count
};

std::string_view name_of(EventKind kind);

const std::vector<std::string_view>& kind_names();
bool is_kind_name(std::string_view name);

struct KindSet {
  std::uint32_t bits = 0;
  void add(EventKind kind) { bits |= 1u << static_cast<unsigned>(kind); }
  bool has(EventKind kind) const { return (bits >> static_cast<unsigned>(kind) & 1) != 0; }
  // Adds a kind by its name. False when there is none.
  [[nodiscard]] bool add(std::string_view name);
};
KindSet all_kinds();
// What can happen in trees of a engine.
KindSet kinds_of(EngineId engine_id);
// What `expect` compares when the trace does not tell.
KindSet kinds_expected_by_default();

struct Event {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  EventKind kind = EventKind::enter;
  std::string name;                       // of the behaviour, signal or variable; the status; a text
  std::string value = {};                 // set, ask: true or false; tick: a result
  std::vector<std::string> details = {};  // error: what stands behind the name
  std::string reason = {};                // error of an injection: for people alone
  bool waits = false;                     // send: it is queued, and comes with a later update
  std::vector<std::string> rules = {};    // error of rules that have run away: which ones, newest last
  std::uint64_t times = 0;                // how often they were run one after the other; 1: others before them
};

// "enter GruntIdle", "set Alerted true"; with "N:" before it when there are several agents.
std::string event_text(const Event& event, bool several_agents);
// {"t": 0.1, "agent": 0, "event": "enter", "name": "GruntIdle"}; `set` and `ask` have a "value", `tick` a "result",
// rules that have run away "rules" and "times".
std::string event_json(const Event& event);

// Seconds as the shortest decimal that reads back the same.
std::string seconds_text(std::uint64_t time_us);
// A string of JSON, with its quotes.
std::string json_string(std::string_view text);
// A list of them.
std::string json_list(const std::vector<std::string>& texts);

}  // namespace espalier::replay

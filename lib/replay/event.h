// What happens during a replay, as values, and the forms it is written in. Kinds are in events.def.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/format/opcode.h"

namespace espalier::replay {

enum class EventKind : std::uint8_t {
#define EVENT(name, use, value_key, engines, meaning) name,
#include "replay/events.def"
#undef EVENT
  count
};

std::string_view name_of(EventKind kind);
// The names of the kinds that traces and options can name.
const std::vector<std::string_view>& kind_names();
bool is_kind_name(std::string_view name);

struct KindSet {
  std::uint32_t bits = 0;
  void add(EventKind kind) { bits |= 1u << static_cast<unsigned>(kind); }
  bool has(EventKind kind) const { return (bits >> static_cast<unsigned>(kind) & 1) != 0; }
  // Adds a kind by its name. False when there is none.
  [[nodiscard]] bool add(std::string_view name);
};
static_assert(static_cast<unsigned>(EventKind::count) <= 32);

// The kinds that can be written.
bool is_written(EventKind kind);
KindSet written_kinds();
// Those of them of these names, which exist; all when there are none.
KindSet written_kinds(const std::vector<std::string>& names);
// What can happen in trees of an engine.
KindSet kinds_of(EngineId engine);
// What `expect` compares when the trace does not say.
KindSet kinds_expected_by_default();

// A node of an asset, whose places and names it gives; none where an event is of no node.
struct NodeOf {
  const Asset* asset = nullptr;
  std::uint32_t word = 0;
};

// A step of an update, as the engines report it.
using EngineStep = std::variant<Step, DecideStep, NodeStep>;

struct Event {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  EventKind kind = EventKind::enter;
  NodeOf node = {};
  std::string subject;                    // the behaviour, signal or variable; the status; a text
  std::string value = {};                 // see events.def
  std::vector<std::string> details = {};  // error: further words
  std::vector<std::string> cause = {};    // error: why; of rules that have run away: which, newest last
  std::uint64_t times = 0;                // how often these were run one after the other; 1: others before them
  const EngineStep* step = nullptr;       // of `step`; valid while the event is told
};

// "enter GruntIdle", "set Alerted true"; with "N:" before it when there are several agents.
std::string event_text(const Event& event, bool several_agents);
// {"t": 0.1, "agent": 0, "event": "enter", "name": "GruntIdle", "file": "grunt.xml", "line": 12}. The value has the key
// of its kind; rules that have run away are "rules" and "times". An event of no node, and any of a stripped asset, has
// no file and line.
std::string event_json(const Event& event);

// Seconds as the shortest decimal that reads back the same.
std::string seconds_text(std::uint64_t time_us);
// A list of them.
std::string json_list(const std::vector<std::string>& texts);

}  // namespace espalier::replay

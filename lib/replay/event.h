// Events of a replay as values, and their written forms. Kinds are in events.def.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/format/kinds.h"

namespace espalier::replay {

struct AgentView;

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
  // Adds a kind by its name. False if no kind has this name.
  [[nodiscard]] bool add(std::string_view name);
};
static_assert(static_cast<unsigned>(EventKind::count) <= 32);

// The kinds that can be written.
constexpr bool is_written(EventKind kind) { return kind < EventKind::spawn; }
KindSet written_kinds();
// Do the names, which must exist, select kinds? "steps" only adds those of nodes.
bool selects_kinds(const std::vector<std::string>& names);
// The written kinds with these names; all if they select none.
KindSet written_kinds(const std::vector<std::string>& names);
// Are there kinds of what happens to the tree's own nodes?
bool has_nodes(KindSet kinds);
// The kinds that can occur in trees of an engine.
KindSet kinds_of(EngineId engine);
// What `expect` compares unless the trace sets other kinds.
KindSet kinds_expected_by_default();

// A node of an asset, from which an event gets its name and place; none for events that are not of a node.
struct NodeOf {
  const Asset* asset = nullptr;
  std::uint32_t word = 0;
};

// A step of an update, as the engines report it.
using EngineStep = std::variant<Step, DecideStep, NodeStep>;

// Owns nothing: valid only during the call that passes the event.
struct Event {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  EventKind kind = EventKind::enter;
  bool names_agent = false;  // there are several agents, or were
  NodeOf node = {};
  std::string_view subject;                   // the behaviour, signal or variable; the status; a text
  std::string_view value = {};                // see events.def
  const Call* call = nullptr;                 // enter: the call, which has the parameters
  std::span<const std::string> details = {};  // error: additional text
  // error, read: why; for runaway rules: the rules, newest last; signal: the behaviours that react to it, as the trace
  // says
  std::span<const std::string> cause = {};
  std::uint64_t times = 0;  // how often these rules ran one after the other; 1: others ran before them
  // Only for observers with `watches`:
  const EngineStep* step = nullptr;  // of `step`
  const AgentView* state = nullptr;  // of the agent
};

// "enter GruntIdle", "set Alerted true"; with "N:" before it if there are several agents. Without the text of `print`.
std::string event_text(const Event& event, bool several_agents);
// The same without agent and kind.
std::string event_words(const Event& event);
// Is an event's text this one, or this one with a value behind it, which it lacks?
bool is_event(std::string_view text, std::string_view wanted);
// {"t": 0.1, "agent": 0, "event": "enter", "name": "GruntIdle", "file": "grunt.xml", "line": 12, "node": "Idle"}. The
// key of the value depends on the kind; runaway rules are "rules" and "times". Events without a node, and all events of
// stripped assets, have no file and line.
std::string event_json(const Event& event);

// The value, as `read` tells it: texts as they are.
std::string input_text(const Parameter& parameter);
// The parameters of the node that calls, by name, each value as JSON; none without a call.
std::vector<std::pair<std::string, std::string>> parameters_of(const Call* call);
// " (speed 2, to "Cover")", the first `most` of them; empty: there are none.
std::string parameters_text(const std::vector<std::pair<std::string, std::string>>& parameters,
                            std::size_t most = std::string::npos);

// Seconds as the shortest decimal that reads back the same.
std::string seconds_text(std::uint64_t time_us);
// A JSON list of strings.
std::string json_list(std::span<const std::string> texts);

}  // namespace espalier::replay

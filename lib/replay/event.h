// What happens during a replay, as values.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::replay {

enum class EventKind : std::uint8_t { enter, leave, refuse, signal, set, status };

std::string_view name_of(EventKind kind);
// By name; false when there is no such kind. Kinds of other dialects are known, and never happen: `*kind` is left as it
// was.
struct KindSet {
  std::uint32_t bits = 0;
  void add(EventKind kind) { bits |= 1u << static_cast<unsigned>(kind); }
  bool has(EventKind kind) const { return (bits >> static_cast<unsigned>(kind) & 1) != 0; }
};
// All kinds that some dialect has, by name. Empty names: what `expect` compares when nothing is said.
// False when one of them is no kind; `unknown` is then that one.
[[nodiscard]] bool kinds_from(const std::vector<std::string>& names, KindSet* kinds, std::string* unknown);
KindSet expected_by_default();
KindSet all_kinds();
const std::vector<std::string_view>& kind_names();

struct Event {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  EventKind kind = EventKind::enter;
  std::string name;    // of the behaviour, signal or variable; the status
  bool value = false;  // set
};

// "enter GruntIdle", "set Alerted true"; with "N:" before it when there are several agents.
std::string event_text(const Event& event, bool several_agents);
// {"t": 0.1, "agent": 0, "event": "enter", "name": "GruntIdle"}; `set` has a "value".
std::string event_json(const Event& event);
// Seconds as the shortest decimal that reads back the same.
std::string seconds_text(std::uint64_t time_us);

}  // namespace espalier::replay

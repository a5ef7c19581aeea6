// Events and their forms. See event.h.
#include "replay/event.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace espalier::replay {

const std::vector<std::string_view>& kind_names() {
  static const std::vector<std::string_view> names = {"enter",  "tick",   "leave",  "interrupt", "reset",
                                                      "decide", "ask",    "signal", "send",      "set",
                                                      "log",    "status", "error",  "refuse"};
  return names;
}

std::string_view name_of(EventKind kind) { return kind_names()[static_cast<std::size_t>(kind)]; }

bool is_kind_name(std::string_view name) {
  return std::find(kind_names().begin(), kind_names().end(), name) != kind_names().end();
}

bool KindSet::add(std::string_view name) {
  const auto found = std::find(kind_names().begin(), kind_names().end(), name);
  if (found == kind_names().end()) return false;
  add(static_cast<EventKind>(found - kind_names().begin()));
  return true;
}

KindSet all_kinds() { return {0xFFFFFFFF}; }

KindSet kinds_of(EngineId engine_id) {
  constexpr unsigned kSelect = 1, kTick = 2, kRule = 4, kDecide = 8, kStore = 16;
  constexpr unsigned kAll = kSelect | kTick | kRule | kDecide | kStore;
  // In the order of the kinds.
  constexpr unsigned kEngines[] = {
      kAll,                       // enter
      kAll & ~kSelect,            // tick
      kAll,                       // leave
      kAll & ~kSelect,            // interrupt
      kStore,                     // reset
      kDecide,                    // decide
      kTick | kRule | kStore,     // ask
      kAll,                       // signal
      kTick,                      // send
      kSelect | kTick,            // set
      kTick,                      // log
      kAll,                       // status
      kAll & ~kSelect,            // error
      kSelect | kRule | kDecide,  // refuse
  };
  static_assert(std::size(kEngines) == static_cast<std::size_t>(EventKind::count));
  constexpr unsigned kBits[] = {kSelect, kTick, kRule, kDecide, kStore};
  KindSet kinds;
  for (unsigned kind = 0; kind < std::size(kEngines); ++kind) {
    if ((kEngines[kind] & kBits[static_cast<unsigned>(engine_id)]) != 0) kinds.add(static_cast<EventKind>(kind));
  }
  return kinds;
}

KindSet kinds_expected_by_default() {
  KindSet kinds;
  for (const EventKind kind : {EventKind::enter, EventKind::leave, EventKind::interrupt, EventKind::reset,
                               EventKind::send, EventKind::refuse}) {
    kinds.add(kind);
  }
  return kinds;
}

std::string event_text(const Event& event, bool several_agents) {
  std::string text = several_agents ? std::to_string(event.agent) + ":" : std::string();
  text += name_of(event.kind);
  text += ' ' + event.name;
  if (!event.value.empty()) text += ' ' + event.value;
  for (const std::string& detail : event.details) text += ' ' + detail;
  return text;
}

std::string event_json(const Event& event) {
  std::string name = event.name;
  for (const std::string& detail : event.details) name += ' ' + detail;
  std::string text = "{\"t\": " + seconds_text(event.time_us) + ", \"agent\": " + std::to_string(event.agent) +
                     ", \"event\": " + json_string(name_of(event.kind)) + ", \"name\": " + json_string(name);
  if (event.kind == EventKind::tick) {
    text += ", \"result\": " + json_string(event.value);
  } else if (!event.value.empty()) {
    text += ", \"value\": " + event.value;
  }
  if (!event.rules.empty()) {
    text += ", \"rules\": " + json_list(event.rules) + ", \"times\": " + std::to_string(event.times);
  }
  return text + "}";
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_string(text);
  return '[' + list + ']';
}

std::string seconds_text(std::uint64_t time_us) {
  constexpr std::uint64_t kSecond_us = 1'000'000;
  std::string whole = std::to_string(time_us / kSecond_us);
  if (time_us % kSecond_us == 0) return whole;
  std::string fraction = std::to_string(kSecond_us + time_us % kSecond_us);  // 1 and the six digits
  fraction.front() = '.';
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return whole + fraction;
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace espalier::replay

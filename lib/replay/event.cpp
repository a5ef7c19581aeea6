// Events and their forms. See event.h.
#include "replay/event.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace espalier::replay {

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::enter:
      return "enter";
    case EventKind::leave:
      return "leave";
    case EventKind::refuse:
      return "refuse";
    case EventKind::signal:
      return "signal";
    case EventKind::set:
      return "set";
    case EventKind::status:
      return "status";
  }
  return "";
}

const std::vector<std::string_view>& kind_names() {
  static const std::vector<std::string_view> names = {"enter",  "tick",   "leave",  "interrupt", "reset",
                                                      "decide", "ask",    "signal", "send",      "set",
                                                      "log",    "status", "error",  "refuse"};
  return names;
}

bool kinds_from(const std::vector<std::string>& names, KindSet* kinds, std::string* unknown) {
  for (const std::string& name : names) {
    bool is_known = false;
    for (const std::string_view known : kind_names()) is_known = is_known || known == name;
    if (!is_known) {
      *unknown = name;
      return false;
    }
    for (unsigned i = 0; i <= static_cast<unsigned>(EventKind::status); ++i) {
      if (name_of(static_cast<EventKind>(i)) == name) kinds->add(static_cast<EventKind>(i));
    }
  }
  return true;
}

KindSet expected_by_default() {
  KindSet kinds;
  kinds.add(EventKind::enter);
  kinds.add(EventKind::leave);
  kinds.add(EventKind::refuse);
  return kinds;
}

KindSet all_kinds() { return {0xFFFFFFFF}; }

std::string event_text(const Event& event, bool several_agents) {
  std::string text = several_agents ? std::to_string(event.agent) + ":" : std::string();
  text += name_of(event.kind);
  text += ' ';
  text += event.name;
  if (event.kind == EventKind::set) text += event.value ? " true" : " false";
  return text;
}

std::string event_json(const Event& event) {
  const auto string = [](std::string_view value) {
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string text = "{\"t\": " + seconds_text(event.time_us) + ", \"agent\": " + std::to_string(event.agent) +
                     ", \"event\": " + string(name_of(event.kind)) + ", \"name\": " + string(event.name);
  if (event.kind == EventKind::set) text += event.value ? ", \"value\": true" : ", \"value\": false";
  return text + "}";
}

std::string seconds_text(std::uint64_t time_us) {
  std::array<char, 32> digits = {};
  const std::string whole = std::to_string(time_us / 1'000'000);
  if (time_us % 1'000'000 == 0) return whole;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), 1'000'000 + time_us % 1'000'000).ptr;
  std::string fraction(digits.data() + 1, end);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return whole + "." + fraction;
}

}  // namespace espalier::replay

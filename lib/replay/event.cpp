// Events and their written forms. See event.h.
#include "replay/event.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "replay/names.h"
#include "text/json.h"

namespace espalier::replay {
namespace {

enum class Use : std::uint8_t { expected, written, told };

struct EventRow {
  std::string_view name;
  Use use;
  std::string_view value_key;
  std::string_view engines;
};

constexpr EventRow kKinds[] = {
#define EVENT(name, use, value_key, engines, meaning) {#name, Use::use, value_key, engines},
#include "replay/events.def"
#undef EVENT
};

const EventRow& row_of(EventKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

template <typename Test>
KindSet kinds_where(const Test& test) {
  KindSet kinds;
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    if (test(kKinds[i])) kinds.add(static_cast<EventKind>(i));
  }
  return kinds;
}

}  // namespace

std::string_view name_of(EventKind kind) { return row_of(kind).name; }

const std::vector<std::string_view>& kind_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> written;
    for (const EventRow& row : kKinds) {
      if (row.use != Use::told) written.push_back(row.name);
    }
    return written;
  }();
  return names;
}

bool is_kind_name(std::string_view name) {
  return std::find(kind_names().begin(), kind_names().end(), name) != kind_names().end();
}

bool KindSet::add(std::string_view name) {
  const KindSet named = kinds_where([&](const EventRow& row) { return row.name == name && row.use != Use::told; });
  bits |= named.bits;
  return named.bits != 0;
}

bool is_written(EventKind kind) { return row_of(kind).use != Use::told; }

KindSet written_kinds() {
  return kinds_where([](const EventRow& row) { return row.use != Use::told; });
}

KindSet written_kinds(const std::vector<std::string>& names) {
  if (names.empty()) return written_kinds();
  KindSet kinds;
  for (const std::string& name : names) static_cast<void>(kinds.add(name));
  return kinds;
}

KindSet kinds_of(EngineId engine) {
  return kinds_where([&](const EventRow& row) { return names_engine(row.engines, engine); });
}

KindSet kinds_expected_by_default() {
  return kinds_where([](const EventRow& row) { return row.use == Use::expected; });
}

std::string event_text(const Event& event, bool several_agents) {
  std::string text = several_agents ? std::to_string(event.agent) + ":" : std::string();
  text += name_of(event.kind);
  text += ' ' + event.subject;
  if (!event.value.empty() && event.kind != EventKind::print) text += ' ' + event.value;
  for (const std::string& detail : event.details) text += ' ' + detail;
  return text;
}

std::string event_json(const Event& event) {
  std::string name = event.subject;
  for (const std::string& detail : event.details) name += ' ' + detail;
  std::string text = "{\"t\": " + seconds_text(event.time_us) + ", \"agent\": " + std::to_string(event.agent) +
                     ", \"event\": " + text::json_string(name_of(event.kind)) +
                     ", \"name\": " + text::json_string(name);
  if (!event.value.empty()) {
    const bool is_word = event.kind == EventKind::tick || event.kind == EventKind::print;  // else a number or boolean
    text += ", " + text::json_string(row_of(event.kind).value_key) + ": " +
            (is_word ? text::json_string(event.value) : event.value);
  }
  if (event.times > 0) {
    text += ", \"rules\": " + json_list(event.cause) + ", \"times\": " + std::to_string(event.times);
  }
  if (event.node.asset != nullptr) {
    const codegen::NodeDebug place = codegen::node_debug(*event.node.asset, event.node.word);
    if (place.line != 0) {
      text += ", \"file\": " + text::json_string(place.file) + ", \"line\": " + std::to_string(place.line);
    }
  }
  return text + "}";
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text::json_string(text);
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

}  // namespace espalier::replay

// Lines of traces. See line.h; schemas/trace.schema.json says the same.
#include "replay/line.h"

#include <cmath>
#include <set>
#include <vector>

#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

enum class ValueType : std::uint8_t { one, string, object, strings, seconds, count, string_or_null };

struct KindRow {
  std::string_view key;
  LineKind kind;
  ValueType type;
  std::vector<std::string_view> companions;  // keys that may stand beside it, with `agent` and `comment`
};

const std::vector<KindRow>& kinds() {
  static const std::vector<KindRow> rows = {
      {"trace", LineKind::trace, ValueType::one, {"tree", "agents", "seed", "name", "events"}},
      {"signal", LineKind::signal, ValueType::string, {"data"}},
      {"set", LineKind::set, ValueType::object, {}},
      {"flags", LineKind::flags, ValueType::strings, {}},
      {"stimulus", LineKind::stimulus, ValueType::string, {"data", "clear"}},
      {"host", LineKind::host, ValueType::object, {}},
      {"tick", LineKind::tick, ValueType::seconds, {"times"}},
      {"jump", LineKind::jump, ValueType::string_or_null, {}},
      {"inject", LineKind::inject, ValueType::object, {"immediate"}},
      {"spawn", LineKind::spawn, ValueType::count, {}},
      {"destroy", LineKind::destroy, ValueType::count, {}},
      {"reload", LineKind::reload, ValueType::string, {}},
      {"save", LineKind::save, ValueType::string, {}},
      {"restore", LineKind::restore, ValueType::string, {}},
      {"expect", LineKind::expect, ValueType::object, {}},
  };
  return rows;
}

const KindRow* find_kind(std::string_view key) {
  for (const KindRow& row : kinds()) {
    if (row.key == key) return &row;
  }
  return nullptr;
}

bool is_count(const Json& value) { return value.is_number_integer() && value >= 0 && value <= 0xFFFFFFFFu; }

bool is_strings(const Json& value) {
  if (!value.is_array()) return false;
  for (const Json& item : value) {
    if (!item.is_string()) return false;
  }
  return true;
}

// Null when the value is of this type; else what it should be.
const char* type_fault(ValueType type, const Json& value) {
  switch (type) {
    case ValueType::one:
      return value == 1 ? nullptr : "1, the version of the format";
    case ValueType::string:
      return value.is_string() ? nullptr : "a string";
    case ValueType::object:
      return value.is_object() ? nullptr : "an object";
    case ValueType::strings:
      return is_strings(value) ? nullptr : "a list of strings";
    case ValueType::seconds:
      return value.is_number() && to_microseconds(value.get<double>()) ? nullptr : "a number of seconds, 0 or more";
    case ValueType::count:
      return is_count(value) ? nullptr : "a whole number, 0 or more";
    case ValueType::string_or_null:
      return value.is_string() || value.is_null() ? nullptr : "a string or null";
  }
  return nullptr;
}

// Of the keys that stand beside others.
const char* companion_fault(std::string_view key, const Json& value) {
  if (key == "tree" || key == "name" || key == "comment") return type_fault(ValueType::string, value);
  if (key == "agents" || key == "times") return type_fault(ValueType::count, value);
  if (key == "seed") return value.is_number_integer() ? nullptr : "a whole number";
  if (key == "events") return type_fault(ValueType::strings, value);
  if (key == "clear" || key == "immediate") return value.is_boolean() ? nullptr : "true or false";
  if (key == "agent") return is_count(value) || value == "all" ? nullptr : "the index of an agent, or \"all\"";
  if (key == "data") {
    constexpr std::size_t kMaxDataBytes = 16;
    return value.is_string() && value.get_ref<const std::string&>().size() <= kMaxDataBytes
               ? nullptr
               : "a string of at most 16 bytes";
  }
  return nullptr;
}

// Collects the keys of one object as they are read: later ones of the same name would win unseen.
struct KeyWatch {
  std::vector<std::set<std::string>> open;
  std::string repeated;

  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second &&
        repeated.empty()) {
      repeated = parsed.get<std::string>();
    }
    return true;
  }
};

std::optional<LineFault> parse(std::string_view text, Json& object) {
  KeyWatch watch;
  try {
    object = Json::parse(
        text, [&watch](int depth, Json::parse_event_t event, Json& parsed) { return watch(depth, event, parsed); });
  } catch (const Json::parse_error& error) {
    const std::size_t byte = std::min(error.byte, text.size() + 1);
    return LineFault{Rule::TRC_not_json, static_cast<std::uint32_t>(std::max<std::size_t>(byte, 1)),
                     "the line is not JSON", byte > text.size() ? "it ends too early" : ""};
  }
  if (!object.is_object()) return LineFault{Rule::TRC_not_json, 1, "the line is not a JSON object"};
  if (!watch.repeated.empty()) {
    return LineFault{Rule::TRC_unknown_key, column_of(text, watch.repeated),
                     "the key " + text::quoted(watch.repeated) + " is given twice"};
  }
  return std::nullopt;
}

bool is_recorded_event(const Json& object) { return object.contains("event") && object.contains("t"); }

// A key that may not stand where it does: misspelt, or the second of two that each make a line.
LineFault key_fault(std::string_view text, const std::string& key, const KindRow* row) {
  LineFault fault{Rule::TRC_unknown_key, column_of(text, key), {}};
  std::vector<std::string_view> known = {"agent", "comment"};
  if (row != nullptr) {
    known.insert(known.end(), row->companions.begin(), row->companions.end());
    fault.message = "the key " + text::quoted(key) + " cannot stand beside " + text::quoted(row->key);
    if (find_kind(key) != nullptr) {
      fault.hint = "one line does one thing: write two lines";
      return fault;
    }
  } else {
    for (const KindRow& kind : kinds()) known.push_back(kind.key);
    fault.message = "traces know no key " + text::quoted(key);
  }
  fault.hint = text::did_you_mean(key, known);
  return fault;
}

std::optional<LineFault> check_keys(std::string_view text, const KindRow* row, const Json& object) {
  for (const auto& [key, value] : object.items()) {
    if (row != nullptr && key == row->key) continue;
    bool is_known = key == "agent" || key == "comment";
    if (row != nullptr) {
      for (const std::string_view companion : row->companions) is_known = is_known || companion == key;
    }
    if (!is_known) return key_fault(text, key, row);
    if (const char* expected = companion_fault(key, value)) {
      return LineFault{Rule::TRC_wrong_value, column_of(text, key), text::quoted(key) + " should be " + expected};
    }
  }
  return std::nullopt;
}

}  // namespace

const Json& Line::value() const { return object[std::string(key_of(kind))]; }

std::string_view key_of(LineKind kind) {
  for (const KindRow& row : kinds()) {
    if (row.kind == kind) return row.key;
  }
  return "comment";
}

std::optional<LineFault> read_line(std::string_view text, Line& line) {
  line = {};
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  if (auto fault = parse(text, line.object)) return fault;
  if (is_recorded_event(line.object)) return std::nullopt;
  const KindRow* row = nullptr;
  for (const auto& [key, value] : line.object.items()) {
    if (row == nullptr) row = find_kind(key);
  }
  if (auto fault = check_keys(text, row, line.object)) return fault;
  if (row == nullptr) {
    if (line.object.contains("agent"))
      return LineFault{Rule::TRC_unknown_key, column_of(text, "agent"), "the line does nothing"};
    return std::nullopt;
  }
  line.kind = row->kind;
  if (const char* expected = type_fault(row->type, line.value())) {
    return LineFault{Rule::TRC_wrong_value, column_of(text, row->key),
                     text::quoted(row->key) + " should be " + expected};
  }
  if (line.object.contains("agent")) {
    const Json& agent = line.object["agent"];
    line.all_agents = agent.is_string();
    if (!line.all_agents) line.agent = agent.get<std::uint32_t>();
  }
  return std::nullopt;
}

std::uint32_t column_of(std::string_view text, std::string_view key) {
  const std::size_t place = text.find('"' + std::string(key) + '"');
  return place == std::string_view::npos ? 1 : static_cast<std::uint32_t>(place + 1);
}

std::optional<std::uint64_t> to_microseconds(double seconds) {
  constexpr double kMaxSeconds = 100.0 * 366 * 24 * 3600;
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kMaxSeconds) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(seconds * 1e6));
}

}  // namespace espalier::replay

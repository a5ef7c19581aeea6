// Lines of traces. See line.h, and schemas/trace.schema.json, which describes the same format.
#include "replay/line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "replay/event.h"
#include "replay/names.h"
#include "rules/traces.h"
#include "text/names.h"
#include "text/plain_json.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

enum class ValueType : std::uint8_t {
  agent,
  allowed,
  boolean,
  count,
  data,
  group,
  object,
  part,
  seconds,
  seed,
  signal_data,
  string,
  string_or_null,
  string_or_strings,
  strings,
  version,
};

struct Companion {
  std::string_view key;
  ValueType type;
};

struct KindRow {
  std::string_view key;
  LineKind kind;
  ValueType type;
  std::vector<Companion> companions;  // further keys that are allowed with it, besides those of every line
};

const std::vector<KindRow>& kinds() {
  static const std::vector<KindRow> rows = {
      {"trace",
       LineKind::trace,
       ValueType::version,
       {{"tree", ValueType::string_or_strings},
        {"file", ValueType::string},
        {"agents", ValueType::count},
        {"seed", ValueType::seed},
        {"name", ValueType::string},
        {"events", ValueType::strings},
        {"errors", ValueType::allowed}}},
      {"signal", LineKind::signal, ValueType::string, {{"data", ValueType::signal_data}}},
      {"broadcast",
       LineKind::broadcast,
       ValueType::string,
       {{"data", ValueType::signal_data}, {"group", ValueType::group}}},
      {"when",
       LineKind::when,
       ValueType::object,
       {{"set", ValueType::object},
        {"signal", ValueType::string},
        {"stimulus", ValueType::string},
        {"data", ValueType::data},
        {"timeout", ValueType::seconds},
        {"clear", ValueType::boolean}}},
      {"set", LineKind::set, ValueType::object, {}},
      {"flags", LineKind::flags, ValueType::strings, {}},
      {"stimulus",
       LineKind::stimulus,
       ValueType::string,
       {{"data", ValueType::data}, {"timeout", ValueType::seconds}, {"clear", ValueType::boolean}}},
      {"host", LineKind::host, ValueType::object, {}},
      {"tick", LineKind::tick, ValueType::seconds, {{"times", ValueType::count}}},
      {"jump", LineKind::jump, ValueType::string_or_null, {}},
      {"inject", LineKind::inject, ValueType::object, {{"immediate", ValueType::boolean}}},
      {"spawn", LineKind::spawn, ValueType::count, {{"tree", ValueType::string}}},
      {"destroy", LineKind::destroy, ValueType::count, {}},
      {"halt", LineKind::halt, ValueType::boolean, {}},
      {"reload", LineKind::reload, ValueType::string, {}},
      {"save", LineKind::save, ValueType::string, {}},
      {"restore", LineKind::restore, ValueType::string, {}},
      {"print", LineKind::print, ValueType::part, {}},
      {"expect", LineKind::expect, ValueType::object, {}},
  };
  return rows;
}

constexpr std::string_view kNoAgents = "none";
constexpr Companion kEverywhere[] = {{"agent", ValueType::agent}, {"comment", ValueType::string}};

const KindRow* find_kind(std::string_view key) { return text::find_by(&KindRow::key, kinds(), key); }

const Companion* find_companion(const KindRow* row, std::string_view key) {
  const Companion* const found = text::find_by(&Companion::key, kEverywhere, key);
  return found != nullptr || row == nullptr ? found : text::find_by(&Companion::key, row->companions, key);
}

// ---- Values

bool is_whole(std::string_view text, const JsonValue& value) {
  if (value.kind != JsonKind::number) return false;
  const std::string_view digits = text.substr(value.span.begin, value.span.end - value.span.begin);
  return digits.find_first_of(".eE") == std::string_view::npos;
}

// A whole number from 0 to 2^64 - 1, with all digits, which a double would not keep.
std::optional<std::uint64_t> seed_value(std::string_view text, const JsonValue& value) {
  if (!is_whole(text, value)) return std::nullopt;
  std::uint64_t seed = 0;
  const char* const end = text.data() + value.span.end;
  const auto [read_end, error] = std::from_chars(text.data() + value.span.begin, end, seed);
  if (error != std::errc() || read_end != end) return std::nullopt;
  return seed;
}

bool is_count(std::string_view text, const JsonValue& value) {
  return is_whole(text, value) && value.number >= 0 && value.number <= 0xFFFFFFFFu;
}

template <typename Test>
bool is_list_of(const JsonValue& value, const Test& is_item) {
  return value.kind == JsonKind::list && std::all_of(value.values.begin(), value.values.end(), is_item);
}

// Null if the value has this type; otherwise the expected type.
const char* type_fault(std::string_view text, ValueType type, const JsonValue& value) {
  constexpr std::size_t kMaxDataBytes = 16;
  const auto is_text = [](const JsonValue& item) { return item.kind == JsonKind::string; };
  const bool is_string = is_text(value);
  switch (type) {
    case ValueType::agent:
      return is_count(text, value) || (is_string && (value.string == "all" || value.string == kNoAgents))
                 ? nullptr
                 : "the index of an agent, or \"all\"";
    case ValueType::allowed:
      return is_string && value.string == "allowed" ? nullptr : "\"allowed\", or left out";
    case ValueType::boolean:
      return value.kind == JsonKind::boolean ? nullptr : "true or false";
    case ValueType::count:
      return is_count(text, value) ? nullptr : "a whole number from 0 to 4294967295";
    case ValueType::data:
      return is_string && value.string.size() <= kMaxDataBytes ? nullptr : "a string of at most 16 bytes";
    case ValueType::group:
      return is_string || is_list_of(value, [&](const JsonValue& item) { return is_count(text, item); })
                 ? nullptr
                 : "the name of a tree, or a list of the indices of agents";
    case ValueType::object:
      return value.kind == JsonKind::object ? nullptr : "an object";
    case ValueType::part:
      return is_string && (value.string == "active" || value.string == "all") ? nullptr : "\"active\" or \"all\"";
    case ValueType::seconds:
      return value.kind == JsonKind::number && to_microseconds(value.number)
                 ? nullptr
                 : "a number of seconds, 0 or more, and at most 285 years";
    case ValueType::seed:
      return seed_value(text, value) ? nullptr : "a whole number from 0 to 18446744073709551615";
    case ValueType::signal_data: {
      const auto is_item = [&](const JsonValue& item) { return is_text(item) || item.kind == JsonKind::number; };
      const bool is_data = is_item(value) || (is_list_of(value, is_item) && value.values.size() <= 2);
      return is_data && data_text(value).size() <= kMaxDataBytes
                 ? nullptr
                 : "a string, a number, or a list of up to two of them, at most 16 bytes as text";
    }
    case ValueType::string:
      return is_string ? nullptr : "a string";
    case ValueType::string_or_null:
      return is_string || value.kind == JsonKind::null ? nullptr : "a string or null";
    case ValueType::string_or_strings:
      return is_string || (is_list_of(value, is_text) && !value.values.empty()) ? nullptr
                                                                                : "a string or a list of strings";
    case ValueType::strings:
      return is_list_of(value, is_text) ? nullptr : "a list of strings";
    case ValueType::version:
      return is_count(text, value) && value.number == 1 ? nullptr : "1, the version of the format";
  }
  return nullptr;
}

std::optional<LineFault> check_type(std::string_view text, ValueType type, std::string_view key,
                                    const JsonValue& value) {
  const char* expected = type_fault(text, type, value);
  if (expected == nullptr) return std::nullopt;
  return LineFault{rules::TRC_wrong_value, value.span, text::quote(key) + " should be " + expected};
}

// ---- Keys

bool has_equal_pair(const std::vector<JsonValue::Key>& keys) {
  for (auto key = keys.begin(); key != keys.end(); ++key) {
    const auto is_equal = [&](const JsonValue::Key& other) { return other.name == key->name; };
    if (std::any_of(keys.begin(), key, is_equal)) return true;
  }
  return false;
}

// A duplicate key in one object, at any depth: one of the two values would be ignored silently.
std::optional<LineFault> find_repeated(const JsonValue& value) {
  constexpr std::size_t kFewKeys = 4;  // of which each pair is compared
  std::vector<const JsonValue::Key*> keys;
  if (value.keys.size() > kFewKeys || has_equal_pair(value.keys)) {
    for (const JsonValue::Key& key : value.keys) keys.push_back(&key);
  }
  std::sort(keys.begin(), keys.end(), [](const auto* a, const auto* b) {
    return a->name != b->name ? a->name < b->name : a->span.begin < b->span.begin;
  });
  const auto repeated =
      std::adjacent_find(keys.begin(), keys.end(), [](const auto* a, const auto* b) { return a->name == b->name; });
  if (repeated != keys.end()) {
    const JsonValue::Key& key = **(repeated + 1);
    return LineFault{rules::TRC_repeated_key, key.span, "duplicate key " + text::quote(key.name)};
  }
  for (const JsonValue& item : value.values) {
    if (item.values.empty()) continue;
    if (auto fault = find_repeated(item)) return fault;
  }
  return std::nullopt;
}

// A key that is not allowed here: misspelt, or a second key that defines a line.
LineFault key_fault(const JsonValue::Key& key, const KindRow* row) {
  LineFault fault{rules::TRC_unknown_key, key.span, {}};
  std::vector<std::string_view> known;
  for (const Companion& companion : kEverywhere) known.push_back(companion.key);
  if (row == nullptr) {
    for (const KindRow& kind : kinds()) known.push_back(kind.key);
    fault.message = "unknown key " + text::quote(key.name);
    fault.hint = text::did_you_mean(key.name, known);
    return fault;
  }
  for (const Companion& companion : row->companions) known.push_back(companion.key);
  fault.message = "unexpected key " + text::quote(key.name) + " beside " + text::quote(row->key);
  fault.hint =
      find_kind(key.name) != nullptr ? "one line does one thing: write two lines" : text::did_you_mean(key.name, known);
  return fault;
}

void check_keys(std::string_view text, const KindRow* row, const Line& line, std::vector<LineFault>& faults) {
  for (std::size_t i = 0; i < line.object.keys.size(); ++i) {
    const JsonValue::Key& key = line.object.keys[i];
    if (row != nullptr && key.name == row->key) continue;
    const Companion* companion = find_companion(row, key.name);
    if (companion == nullptr) {
      faults.push_back(key_fault(key, row));
      if (row == nullptr) return;  // what the line does is not known, and so neither are its keys
    } else if (auto fault = check_type(text, companion->type, key.name, line.object.values[i])) {
      faults.push_back(std::move(*fault));
    }
  }
}

// Recorded events are skipped, so that the output of a replay can be replayed.
std::optional<LineFault> check_event(const JsonValue& event) {
  if (event.kind != JsonKind::string) {
    return LineFault{rules::TRC_wrong_value, event.span, "'event' should be the kind of an event"};
  }
  if (is_kind_name(event.string)) return std::nullopt;
  return LineFault{rules::TRC_wrong_value, event.span, "unknown event kind " + text::quote(event.string),
                   text::did_you_mean(event.string, kind_names())};
}

std::optional<LineFault> parse(std::string_view text, JsonValue& object) {
  if (!text::read_plain_json(text, 0, object)) {
    text::JsonFault fault;
    std::optional<JsonValue> parsed = text::parse_json(text, 0, fault, "line");
    if (!parsed) return LineFault{rules::TRC_not_json, fault.span, std::move(fault.message), std::move(fault.hint)};
    object = std::move(*parsed);
  }
  if (object.kind != JsonKind::object) {
    return LineFault{rules::TRC_not_json, object.span,
                     "the line is " + std::string(text::kind_name(object.kind)) + ", not an object"};
  }
  return find_repeated(object);
}

// The strings and numbers of a signal's data.
std::span<const JsonValue> items_of(const JsonValue& data) {
  if (data.kind == JsonKind::list) return data.values;
  return {&data, 1};
}

}  // namespace

void Line::clear() {
  kind = LineKind::comment;
  value = nullptr;
  key = agent_span = {};
  all_agents = no_agents = false;
  agent.reset();
  seed = 1;
  more_faults.clear();
}

std::uint32_t Line::count(std::string_view name, std::uint32_t otherwise) const {
  const JsonValue* found = find(name);
  return found == nullptr ? otherwise : static_cast<std::uint32_t>(found->number);
}

std::optional<DataTest> read_data_test(const JsonValue& value) {
  DataTest test;
  if (value.kind != JsonKind::object) {
    const auto is_item = [](const JsonValue& item) {
      return item.kind == JsonKind::string || item.kind == JsonKind::number;
    };
    const std::span<const JsonValue> items = items_of(value);
    if (items.empty() || items.size() > 2 || !std::all_of(items.begin(), items.end(), is_item)) return std::nullopt;
    test.equals.assign(items.begin(), items.end());
    return test;
  }
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& key = value.keys[i].name;
    if ((key != "below" && key != "above") || value.values[i].kind != JsonKind::number) return std::nullopt;
    (key == "below" ? test.below : test.above) = value.values[i].number;
  }
  return value.keys.empty() ? std::nullopt : std::optional(test);
}

bool DataTest::holds(const JsonValue* data) const {
  if (data == nullptr) return false;
  const std::span<const JsonValue> items = items_of(*data);
  if (!equals.empty()) {
    return std::equal(items.begin(), items.end(), equals.begin(), equals.end(),
                      [](const JsonValue& a, const JsonValue& b) {
                        return a.kind == b.kind && a.string == b.string && a.number == b.number;
                      });
  }
  const auto first =
      std::find_if(items.begin(), items.end(), [](const JsonValue& item) { return item.kind == JsonKind::number; });
  return first != items.end() && (!below || first->number < *below) && (!above || first->number > *above);
}

std::string data_text(const JsonValue& data) {
  if (data.kind == JsonKind::number) return number_text(data.number);
  std::string text = data.string;
  for (const JsonValue& item : data.values) text += (text.empty() ? "" : " ") + data_text(item);
  return text;
}

std::string_view key_of(LineKind kind) {
  for (const KindRow& row : kinds()) {
    if (row.kind == kind) return row.key;
  }
  if (kind == LineKind::finding) return "finding";
  return kind == LineKind::event ? "event" : "comment";
}

std::optional<LineFault> read_line(std::string_view text, Line& line) {
  line.clear();
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
    line.object.keys.clear();
    return std::nullopt;
  }
  if (auto fault = parse(text, line.object)) return fault;
  const std::vector<JsonValue::Key>& keys = line.object.keys;
  if (const JsonValue* event = line.object.find("event")) {
    line.kind = LineKind::event;
    return check_event(*event);
  }
  if (line.find("code") != nullptr && line.find("rule") != nullptr) {
    line.kind = LineKind::finding;
    return std::nullopt;
  }
  const KindRow* row = nullptr;
  const JsonValue* const when = line.find("when");  // the keys of other lines are companions of this one
  std::size_t place = 0;
  for (std::size_t i = 0; i < keys.size() && row == nullptr; ++i) {
    if (when != nullptr && &line.object.values[i] != when) continue;
    row = find_kind(keys[i].name);
    place = i;
  }
  if (row != nullptr) line.key = keys[place].span;
  if (row != nullptr) line.kind = row->kind;
  std::vector<LineFault>& faults = line.more_faults;
  if (row == nullptr || keys.size() > 1) check_keys(text, row, line, faults);
  if (row != nullptr) {
    auto fault = check_type(text, row->type, row->key, line.object.values[place]);
    if (fault) faults.insert(faults.begin(), std::move(*fault));
  }
  if (!faults.empty()) {
    LineFault first = std::move(faults.front());
    faults.erase(faults.begin());
    return first;
  }
  const JsonValue* agent = line.object.find("agent");
  if (row == nullptr) {
    if (agent == nullptr) return std::nullopt;
    return LineFault{rules::TRC_unknown_key, agent->span, "the line names an agent, but does nothing"};
  }
  line.value = &line.object.values[place];
  line.agent_span = agent != nullptr ? agent->span : line.key;
  if (agent != nullptr) {
    line.no_agents = agent->kind == JsonKind::string && agent->string == kNoAgents;
    if (line.no_agents && line.kind != LineKind::tick) {
      return LineFault{rules::TRC_wrong_value, agent->span, "only the clock of a 'tick' can do without agents",
                       "the index of an agent, or \"all\""};
    }
    line.all_agents = agent->kind == JsonKind::string && !line.no_agents;
    if (agent->kind != JsonKind::string) line.agent = static_cast<std::uint32_t>(agent->number);
  }
  if (const JsonValue* seed = line.find("seed")) line.seed = seed_value(text, *seed).value_or(1);
  return std::nullopt;
}

std::optional<LineFault> KnownLines::read(std::string_view text, const Line** line) {
  constexpr std::size_t kCount = 64;
  constexpr std::size_t kMostBytes = 128;
  if (text.empty() || text.size() > kMostBytes) {
    *line = &line_;
    return read_line(text, line_);
  }
  if (kept_.empty()) kept_.resize(kCount);
  Kept& kept = kept_[std::hash<std::string_view>()(text) % kCount];
  *line = &kept.line;
  if (kept.text == text) return std::nullopt;
  kept.text.clear();
  std::optional<LineFault> fault = read_line(text, kept.line);
  if (!fault) kept.text = text;
  return fault;
}

std::optional<std::uint64_t> to_microseconds(double seconds) {
  const double us = seconds * 1e6;
  if (!(us >= 0 && us <= static_cast<double>(kMaxClock_us))) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(us));
}

}  // namespace espalier::replay

// Events and their written forms. See event.h.
#include "replay/event.h"

#include <algorithm>
#include <charconv>

#include "codegen/dump/disassemble.h"
#include "replay/names.h"
#include "text/json.h"

namespace espalier::replay {
namespace {

enum class Use : std::uint8_t { expected, written, nodes, told };

constexpr std::string_view kSteps = "steps";  // all kinds of nodes

struct EventRow {
  std::string_view name;
  Use use;
  std::string_view value_key;
  std::string_view engines;
};

constexpr std::string_view written_name(std::string_view name) { return name.substr(0, name.find("_node")); }

constexpr EventRow kKinds[] = {
#define EVENT(name, use, value_key, engines, meaning) {written_name(#name), Use::use, value_key, engines},
#include "replay/events.def"
#undef EVENT
};

// is_written() is about their order.
static_assert([] {
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    if (is_written(static_cast<EventKind>(i)) == (kKinds[i].use == Use::told)) return false;
  }
  return true;
}());

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
      const bool is_new = std::find(written.begin(), written.end(), row.name) == written.end();
      if (row.use != Use::told && is_new) written.push_back(row.name);
    }
    written.push_back(kSteps);
    return written;
  }();
  return names;
}

bool is_kind_name(std::string_view name) {
  return std::find(kind_names().begin(), kind_names().end(), name) != kind_names().end();
}

bool KindSet::add(std::string_view name) {
  const bool is_written = is_kind_name(name) && name != kSteps;
  // "interrupt" is that of an action, unless steps are asked for.
  const KindSet named = kinds_where([&](const EventRow& row) {
    if (row.use == Use::nodes) return name == kSteps || (row.name == name && name != name_of(EventKind::interrupt));
    return is_written && row.name == name && row.use != Use::told;
  });
  bits |= named.bits;
  return named.bits != 0;
}

KindSet written_kinds() {
  return kinds_where([](const EventRow& row) { return row.use == Use::expected || row.use == Use::written; });
}

bool selects_kinds(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) { return name != kSteps; });
}

KindSet written_kinds(const std::vector<std::string>& names) {
  KindSet kinds;
  if (!selects_kinds(names)) kinds = written_kinds();
  for (const std::string& name : names) static_cast<void>(kinds.add(name));
  return kinds;
}

bool has_nodes(KindSet kinds) {
  return kinds.has(EventKind::begin_node) || kinds.has(EventKind::complete_node) ||
         kinds.has(EventKind::interrupt_node);
}

KindSet kinds_of(EngineId engine) {
  return kinds_where([&](const EventRow& row) { return names_engine(row.engines, engine); });
}

KindSet kinds_expected_by_default() {
  return kinds_where([](const EventRow& row) { return row.use == Use::expected; });
}

std::string event_text(const Event& event, bool several_agents) {
  std::string text = several_agents ? std::to_string(event.agent) + ":" : std::string();
  return text.append(name_of(event.kind)).append(" ").append(event_words(event));
}

std::string event_words(const Event& event) {
  std::string words(event.subject);
  if (!event.value.empty() && event.kind != EventKind::print) words.append(" ").append(event.value);
  for (const std::string& detail : event.details) words.append(" ").append(detail);
  return words;
}

namespace {

// Is a value written in JSON as it is? Answers and most values are numbers, true or false.
bool is_literal(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc() && end == value.data() + value.size();
  return value == "true" || value == "false" || (is_number && value.find_first_not_of("-0123456789.eE+") == value.npos);
}

}  // namespace

bool is_event(std::string_view text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  if (text.size() == wanted.size()) return true;
  if (text[wanted.size()] != ' ') return false;
  const std::size_t agent = wanted.find_first_not_of("0123456789:");
  const std::string_view words = wanted.substr(std::min(agent, wanted.size()));
  if (words.starts_with("set ") || words.starts_with("read ")) return true;  // texts may have blanks
  const bool has_word = words.starts_with("tick ") || words.starts_with("ask ") || words.starts_with("decide ");
  return has_word && text.find(' ', wanted.size() + 1) == std::string_view::npos;
}

std::string event_json(const Event& event) {
  std::string name(event.subject);
  for (const std::string& detail : event.details) name += ' ' + detail;
  std::string text = "{\"t\": " + seconds_text(event.time_us) + ", \"agent\": " + std::to_string(event.agent) +
                     ", \"event\": " + text::json_string(name_of(event.kind)) +
                     ", \"name\": " + text::json_string(name);
  if (!event.value.empty()) {
    const bool is_word = event.kind == EventKind::tick || event.kind == EventKind::complete_node ||
                         event.kind == EventKind::print || event.kind == EventKind::read || !is_literal(event.value);
    text += ", " + text::json_string(row_of(event.kind).value_key) + ": " +
            (is_word ? text::json_string(event.value) : std::string(event.value));
  }
  if (event.times > 0) {
    text += ", \"rules\": " + json_list(event.cause) + ", \"times\": " + std::to_string(event.times);
  }
  if (event.node.asset != nullptr) {
    const codegen::NodeDebug place = codegen::node_debug(*event.node.asset, event.node.word);
    if (place.line != 0) {
      text += ", \"file\": " + text::json_string(place.file) + ", \"line\": " + std::to_string(place.line) +
              ", \"node\": " + text::json_string(node_text(*event.node.asset, event.node.word));
    }
  }
  std::string parameters;
  for (const auto& [key, value] : parameters_of(event.call)) {
    parameters += (parameters.empty() ? "" : ", ") + text::json_string(key) + ": " + value;
  }
  if (!parameters.empty()) text += ", \"parameters\": {" + parameters + '}';
  return text + "}";
}

std::string input_text(const Parameter& parameter) {
  if (parameter.type == ParameterType::whole) return std::to_string(parameter.whole);
  if (parameter.type == ParameterType::boolean) return parameter.whole != 0 ? "true" : "false";
  if (parameter.type == ParameterType::number) return number_text(parameter.numbers[0]);
  if (parameter.type == ParameterType::vector) {
    return '[' + number_text(parameter.numbers[0]) + ", " + number_text(parameter.numbers[1]) + ", " +
           number_text(parameter.numbers[2]) + ']';
  }
  return parameter.text == nullptr ? "" : parameter.text;
}

std::vector<std::pair<std::string, std::string>> parameters_of(const Call* call) {
  const auto is_value = [](const Parameter& parameter) {
    return parameter.type == ParameterType::whole || parameter.type == ParameterType::boolean ||
           parameter.type == ParameterType::number || parameter.type == ParameterType::vector;
  };
  std::vector<std::pair<std::string, std::string>> parameters;
  const std::uint32_t count = call == nullptr ? 0 : parameter_count(call);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Parameter parameter = espalier::parameter(call, i);
    const std::string value = input_text(parameter);
    parameters.emplace_back(parameter.name, is_value(parameter) ? value : text::json_string(value));
  }
  return parameters;
}

std::string parameters_text(const std::vector<std::pair<std::string, std::string>>& parameters, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(parameters.size(), most); ++i) {
    text += (i == 0 ? " (" : ", ") + parameters[i].first + ' ' + parameters[i].second;
  }
  if (parameters.size() > most) text += ", ...";
  return text.empty() ? text : text + ')';
}

std::string json_list(std::span<const std::string> texts) {
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

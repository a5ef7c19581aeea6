// Values of names: variables, entries of blackboards, flags, stimuli, timestamps.
#include "replay/expected_keys/functions.h"

#include <algorithm>
#include <bit>

#include "replay/entry_changes.h"
#include "replay/strategy.h"
#include "runtime/asset/view.h"
#include "text/json.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;
using Faults = std::optional<LineFault>;

Faults ExpectedKeys::compile_variable(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                      Check& check) {
  if (engine_of_tree(compiler.tree_) == EngineId::poll) return compile_entry(compiler, name, value, check);
  const std::string_view word = strategy_of(engine_of_tree(compiler.tree_)).variable;
  auto fault = find_name(compiler.tree_, ESPALIER_VARIABLES, word, name->name, name->span, &check.id);
  if (fault) return fault;
  if (value.kind != JsonKind::boolean) return value_fault(name->name, value, "true or false");
  check.number = value.boolean ? 1 : 0;
  return std::nullopt;
}
bool ExpectedKeys::holds_variable(const Check& check, const Observed& observed) {
  if (engine_of_tree(observed.agent.tree) == EngineId::poll) return holds_entry(check, observed);
  return variable(observed.agent.tree, observed.agent.block, check.id) == (check.number != 0);
}
std::string ExpectedKeys::actual_variable(const Check& check, const Observed& observed) {
  if (engine_of_tree(observed.agent.tree) == EngineId::poll) return actual_entry(check, observed);
  return variable(observed.agent.tree, observed.agent.block, check.id) ? "true" : "false";
}

struct EntryName {
  std::string path;
  std::string key;
};
static EntryName entry_name(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return {"", std::string(own_name(name))};
  return {name.substr(0, slash), name.substr(slash + 1)};
}
// An entry of a blackboard: "key", or "PATH/key" of a subtree's. Null: it is not there, or has no value.
Faults ExpectedKeys::compile_entry(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                   Check& check) {
  const EntryName place = entry_name(name->name);
  if (espalier_find_entry(compiler.tree_, place.path.c_str(), place.key.c_str(), &check.id) != Status::ok)
    check.id = layout::kNone;
  check.is_null = value.kind == JsonKind::null;
  const bool is_text = value.kind == JsonKind::string;
  if (!check.is_null && !is_text && value.kind != JsonKind::number && value.kind != JsonKind::boolean) {
    return value_fault(name->name, value, "a number, a text, true, false or null");
  }
  if (!value.string.empty() || is_text) check.texts = {value.string};  // or digits of a number of 64 bits
  const double number = value.kind == JsonKind::boolean ? (value.boolean ? 1.0 : 0.0) : value.number;
  check.number = std::bit_cast<std::uint64_t>(number);
  return std::nullopt;
}
static espalier_value entry_of(const Check& check, const Observed& observed) {
  espalier_value value;
  const AgentView& agent = observed.agent;
  std::uint32_t entry = check.id;
  bool is_found = entry != layout::kNone;
  if (!is_found) {
    const EntryName place = entry_name(check.name);
    is_found =
        espalier_find_entry_now(agent.tree, agent.block, place.path.c_str(), place.key.c_str(), &entry) == Status::ok;
  }
  if (is_found) {
    espalier_entry(agent.tree, agent.block, entry, &value);
  } else if (observed.agent.unused_entries != nullptr) {
    const auto unused = observed.agent.unused_entries->find(own_name(check.name));
    if (unused != observed.agent.unused_entries->end()) return value_of(unused->second);
  }
  return value;
}
bool ExpectedKeys::holds_entry(const Check& check, const Observed& observed) {
  const espalier_value value = entry_of(check, observed);
  if (value.kind == ESPALIER_VALUE_NONE || check.is_null) return check.is_null == (value.kind == ESPALIER_VALUE_NONE);
  const bool is_text = !check.texts.empty() && check.number == 0;
  if (value.kind == ESPALIER_VALUE_TEXT) {
    return is_text && check.texts.front() == std::string_view(value.text, value.text_bytes);
  }
  if (is_text || entry_number(value) != std::bit_cast<double>(check.number)) return false;
  return check.texts.empty() || value.kind == ESPALIER_VALUE_REAL || check.texts.front() == text_of(value);
}
std::string ExpectedKeys::actual_entry(const Check& check, const Observed& observed) {
  const espalier_value value = entry_of(check, observed);
  if (value.kind == ESPALIER_VALUE_NONE) return "null";
  if (value.kind == ESPALIER_VALUE_TEXT) return text::json_string({value.text, value.text_bytes});
  return text_of(value);
}

// True: present; false: not; a string: present with this data.
Faults ExpectedKeys::compile_stimulus(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                      Check& check) {
  auto fault = find_name(compiler.tree_, ESPALIER_STIMULI, "stimulus", name->name, name->span, &check.id);
  if (fault) return fault;
  const bool has_data = value.kind == JsonKind::string;
  if (!has_data && value.kind != JsonKind::boolean) {
    return value_fault(name->name, value, "true, false, or the data it has");
  }
  check.number = has_data || value.boolean ? 1 : 0;
  if (has_data) check.texts = {value.string};
  return std::nullopt;
}
bool ExpectedKeys::holds_stimulus(const Check& check, const Observed& observed) {
  StimulusData data;
  const bool is_present = stimulus(observed.agent.tree, observed.agent.block, check.id, &data);
  if (is_present != (check.number != 0)) return false;
  if (check.texts.empty()) return true;
  const std::string& text = check.texts.front();
  return std::equal(text.begin(), text.end(), data.bytes, data.bytes + data.size_bytes,
                    [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
}
std::string ExpectedKeys::actual_stimulus(const Check& check, const Observed& observed) {
  StimulusData data;
  const bool is_present = stimulus(observed.agent.tree, observed.agent.block, check.id, &data);
  if (is_present && !check.texts.empty()) {
    return text::json_string(std::string(data.bytes, data.bytes + data.size_bytes));
  }
  return is_present ? "true" : "false";
}

// Seconds since a timestamp was set, or null.
Faults ExpectedKeys::compile_timestamp(ExpectationCompiler& compiler, const JsonValue::Key* name,
                                       const JsonValue& value, Check& check) {
  auto fault = find_name(compiler.tree_, ESPALIER_TIMESTAMPS, "timestamp", name->name, name->span, &check.id);
  if (fault) return fault;
  check.is_null = value.kind == JsonKind::null;
  const auto since_us = value.kind == JsonKind::number ? to_microseconds(value.number) : std::nullopt;
  if (!check.is_null && !since_us) return value_fault(name->name, value, "the seconds since it was set, or null");
  check.number = since_us.value_or(0);
  return std::nullopt;
}
bool ExpectedKeys::holds_timestamp(const Check& check, const Observed& observed) {
  std::uint64_t set_us = 0;
  const bool is_set = timestamp(observed.agent.tree, observed.agent.block, check.id, &set_us);
  return is_set ? !check.is_null && observed.agent.time_us - set_us == check.number : check.is_null;
}
std::string ExpectedKeys::actual_timestamp(const Check& check, const Observed& observed) {
  std::uint64_t set_us = 0;
  const bool is_set = timestamp(observed.agent.tree, observed.agent.block, check.id, &set_us);
  return is_set ? seconds_text(observed.agent.time_us - set_us) : "null";
}
}  // namespace espalier::replay

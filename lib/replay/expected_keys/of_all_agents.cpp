// What is the same for all agents: who is inside of gates and groups, and the events.
#include "replay/expected_keys/functions.h"

#include <algorithm>
#include <cmath>

#include "codegen/dump/listing.h"
#include "replay/event.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/store.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;
using Faults = std::optional<LineFault>;

// The number of agents in the gate or group of this name in any tree; if several have the name, their sum.
Faults ExpectedKeys::compile_inside(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                    Check& check) {
  if (is_stripped(*compiler.tree_.asset)) {
    return LineFault{rules::TRC_stripped_names, name->span,
                     "the asset was stripped of the names of its gates and groups",
                     "expect \"running\" and \"status\" in place of \"inside\""};
  }
  const auto& places = compiler.places();
  const auto found = places.find(name->name);
  std::optional<std::vector<Places::Found>> placed;
  for (std::size_t i = 0; found == places.end() && !placed && i < compiler.trees_.size(); ++i) {
    if (engine_of_tree(compiler.trees_[i]) != EngineId::store) continue;
    compiler.tree_ = compiler.trees_[i];
    JsonValue whole = {.span = name->span};
    whole.string = name->name;
    if (auto fault = compiler.find_placed(whole, true, &placed)) return fault;
  }
  if (found == places.end() && !placed) {
    std::vector<std::string_view> names;
    names.reserve(places.size());
    for (const auto& [known, words] : places) names.push_back(known);
    return LineFault{rules::TRC_unknown_name, name->span, "unknown gate or group " + text::quote(name->name),
                     text::did_you_mean(name->name, names)};
  }
  const bool is_count = value.kind == JsonKind::number && value.number >= 0 && std::trunc(value.number) == value.number;
  if (!is_count) return value_fault(name->name, value, "a number of agents");
  constexpr double kMost = 1e15;
  check.number = static_cast<std::uint64_t>(std::min(value.number, kMost));
  if (!placed) check.ids = found->second;
  for (std::size_t i = 0; placed && i < placed->size(); ++i) {
    const std::uint32_t word = (*placed)[i].word;
    const Opcode opcode = codegen::node_at(*compiler.tree_.asset, word).opcode;
    if (opcode == opcode::store_gate || opcode == opcode::store_group) check.ids.push_back(word);
  }
  return std::nullopt;
}
static std::uint64_t inside(const Check& check, const Observed& observed) {
  std::uint64_t count = 0;
  for (const std::uint32_t word : check.ids) {
    count += inside_count(*observed.agent.tree.asset, observed.agent.shared, word);
  }
  return count;
}
bool ExpectedKeys::holds_inside(const Check& check, const Observed& observed) {
  return inside(check, observed) == check.number;
}
std::string ExpectedKeys::actual_inside(const Check& check, const Observed& observed) {
  return std::to_string(inside(check, observed));
}

Faults ExpectedKeys::compile_events(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                    Check& check) {
  if (!is_list_of_strings(value)) {
    const auto wrong = std::find_if(value.values.begin(), value.values.end(),
                                    [](const JsonValue& event) { return event.kind != JsonKind::string; });
    const bool is_list = value.kind == JsonKind::list;
    return value_fault("events", is_list ? *wrong : value, "a list of events as strings");
  }
  for (const JsonValue& event : value.values) {
    check.texts.push_back(event.string);
    if (compiler.events_of_run.assets.empty()) continue;
    compiler.events_of_run.is_negated = check.is_negated || compiler.negations_ > 0;
    auto fault = compiler.expected_events_.check(event, compiler.events_of_run);
    if (fault) compiler.unknown.push_back(std::move(*fault));
  }
  return std::nullopt;
}
bool ExpectedKeys::holds_events(const Check& check, const Observed& observed) {
  return std::equal(check.texts.begin(), check.texts.end(), observed.events.begin(), observed.events.end());
}
std::string ExpectedKeys::actual_events(const Check&, const Observed& observed) { return json_list(observed.events); }

// One of the events since the last expectation; its value may be left out.
Faults ExpectedKeys::compile_event(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                   Check& check) {
  if (value.kind != JsonKind::string) return value_fault("event", value, "an event as a string");
  check.texts.push_back(value.string);
  if (compiler.events_of_run.assets.empty()) return std::nullopt;
  compiler.events_of_run.is_negated = check.is_negated || compiler.negations_ > 0;
  if (auto fault = compiler.expected_events_.check_begin(value, compiler.events_of_run))
    compiler.unknown.push_back(std::move(*fault));
  return std::nullopt;
}
bool ExpectedKeys::holds_event(const Check& check, const Observed& observed) {
  return std::any_of(observed.last_events.begin(), observed.last_events.end(),
                     [&](const std::string& event) { return is_event(event, check.texts.front()); });
}
std::string ExpectedKeys::actual_event(const Check&, const Observed& observed) {
  return json_list(observed.last_events);
}
}  // namespace espalier::replay

// The functions of each key of an `expect` object: it is compiled, holds, and has an actual value. Rows:
// expected_keys.h.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/compiled_expectation.h"
#include "replay/expected_keys.h"

namespace espalier::replay {

struct ExpectedKeys {
  using Faults = std::optional<LineFault>;
  using Compile = Faults(ExpectationCompiler& compiler, const text::JsonValue::Key* name, const text::JsonValue& value,
                         Check& check);
  using Holds = bool(const Check& check, const Observed& observed);
  using Actual = std::string(const Check& check, const Observed& observed);

  // of_agents.cpp
  static Compile compile_behavior, compile_leaf, compile_status, compile_path, compile_running, compile_runs,
      compile_rule;
  static Holds holds_behavior, holds_leaf, holds_status, holds_path, holds_running, holds_runs, holds_rule;
  static Actual actual_behavior, actual_leaf, actual_status, actual_path, actual_running, actual_rule;

  // of_names.cpp
  static Compile compile_variable, compile_stimulus, compile_timestamp;
  static Holds holds_variable, holds_stimulus, holds_timestamp;
  static Actual actual_variable, actual_stimulus, actual_timestamp;

  // of_all_agents.cpp
  static Compile compile_inside, compile_events, compile_event;
  static Holds holds_inside, holds_events, holds_event;
  static Actual actual_inside, actual_events, actual_event;

  // each_agent.cpp
  static Compile compile_agents;
  static Holds holds_agents;
  static Actual actual_agents;

 private:
  // Adds the behaviours of this name to the ids, and the nodes if it has a place.
  static Faults find_behavior(ExpectationCompiler& compiler, const text::JsonValue& value, Check& check);
  static Faults compile_actions(ExpectationCompiler& compiler, const text::JsonValue& value, Check& check);
  static Compile compile_entry;
  static Holds holds_entry;
  static Actual actual_entry;
  static Faults compile_of_agent(ExpectationCompiler& compiler, const text::JsonValue& value, Check& check);
};

inline bool is_list_of_strings(const text::JsonValue& value) {
  if (value.kind != text::JsonKind::list) return false;
  for (const text::JsonValue& item : value.values) {
    if (item.kind != text::JsonKind::string) return false;
  }
  return true;
}

}  // namespace espalier::replay

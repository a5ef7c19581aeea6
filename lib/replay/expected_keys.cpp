// The table of the keys. See expected_keys.h.
#include "replay/expected_keys.h"

#include "replay/expected_keys/functions.h"
#include "rules/traces.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using Keys = ExpectedKeys;

constexpr const char* kNamesAndValues = "an object of names and values";

constexpr ExpectedKey kRows[] = {
    {"behavior", "select decide", false, nullptr, Keys::compile_behavior, Keys::holds_behavior, Keys::actual_behavior},
    {"leaf", "select", false, nullptr, Keys::compile_leaf, Keys::holds_leaf, Keys::actual_leaf},
    {"status", "select tick rule decide store poll", false, nullptr, Keys::compile_status, Keys::holds_status,
     Keys::actual_status},
    {"running", "tick rule decide store poll", false, nullptr, Keys::compile_running, Keys::holds_running,
     Keys::actual_running},
    {"runs", "tick rule decide store poll", false, nullptr, Keys::compile_runs, Keys::holds_runs, Keys::actual_running},
    {"path", "decide", false, nullptr, Keys::compile_path, Keys::holds_path, Keys::actual_path},
    {"rule", "rule", false, nullptr, Keys::compile_rule, Keys::holds_rule, Keys::actual_rule},
    {"inside", "store", true, "an object of names of gates and groups, and numbers of agents", Keys::compile_inside,
     Keys::holds_inside, Keys::actual_inside},
    {"variables", "select tick poll", false, kNamesAndValues, Keys::compile_variable, Keys::holds_variable,
     Keys::actual_variable},
    {"flags", "decide", false, kNamesAndValues, Keys::compile_variable, Keys::holds_variable, Keys::actual_variable},
    {"stimuli", "decide", false, kNamesAndValues, Keys::compile_stimulus, Keys::holds_stimulus, Keys::actual_stimulus},
    {"timestamps", "tick", false, "an object of names and seconds", Keys::compile_timestamp, Keys::holds_timestamp,
     Keys::actual_timestamp},
    {"events", "select tick rule decide store poll", true, nullptr, Keys::compile_events, Keys::holds_events,
     Keys::actual_events},
    {"event", "select tick rule decide store poll", true, nullptr, Keys::compile_event, Keys::holds_event,
     Keys::actual_event},
    {"agents", "select tick rule decide store poll", true, nullptr, Keys::compile_agents, Keys::holds_agents,
     Keys::actual_agents},
};

}  // namespace

LineFault value_fault(std::string_view key, const text::JsonValue& value, std::string_view should_be) {
  return {rules::TRC_wrong_value, value.span, text::quote(key) + " should be " + std::string(should_be)};
}

std::span<const ExpectedKey> expected_keys() { return kRows; }

}  // namespace espalier::replay

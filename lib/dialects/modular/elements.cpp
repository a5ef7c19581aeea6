// The table of nodes. See elements.h.
#include "dialects/modular/elements.h"

#include "runtime/format/records.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr AttributeRow kParallel[] = {{"successMode"}, {"failureMode"}};
constexpr AttributeRow kLoop[] = {{"count"}};
constexpr AttributeRow kLoopUntilSuccess[] = {{"attemptCount"}};
constexpr AttributeRow kIfCondition[] = {{"condition", Need::required}, {"equalTo"}};
constexpr AttributeRow kCondition[] = {{"condition", Need::required}};
constexpr AttributeRow kRandomGate[] = {{"opensWithChance", Need::required}};
constexpr AttributeRow kIfTime[] = {
    {"since", Need::taken_as_none}, {"isMoreThan", Need::one_of}, {"isLessThan", Need::one_of}, {"orNeverBeenSet"}};
constexpr AttributeRow kAssertTime[] = {
    {"since", Need::required}, {"isMoreThan", Need::one_of}, {"isLessThan", Need::one_of}, {"orNeverBeenSet"}};
constexpr AttributeRow kWaitUntilTime[] = {{"since", Need::taken_as_none},
                                           {"isMoreThan", Need::one_of},
                                           {"isLessThan", Need::one_of},
                                           {"orNeverBeenSet"},
                                           {"succeedIfNeverBeenSet"}};
constexpr AttributeRow kLimit[] = {{"max", Need::required}};
constexpr AttributeRow kGroupScope[] = {{"name", Need::required}, {"allowedConcurrentUsers"}};
constexpr AttributeRow kCode[] = {{"code", Need::required}};
constexpr AttributeRow kLuaWrapper[] = {{"onEnter"}, {"onExit"}};
constexpr AttributeRow kLog[] = {{"message"}};
constexpr AttributeRow kWait[] = {{"duration", Need::required}, {"variation"}};
constexpr AttributeRow kTimeout[] = {{"duration", Need::required}};
constexpr AttributeRow kWaitForEvent[] = {{"name", Need::required}, {"result"}};
constexpr AttributeRow kName[] = {{"name", Need::required}};
constexpr AttributeRow kQueue[] = {{"name", Need::required}, {"filter"}};

constexpr auto kRunning = static_cast<std::uint8_t>(Result::running);
constexpr auto kFailure = static_cast<std::uint8_t>(Result::failure);
constexpr auto kSuccess = static_cast<std::uint8_t>(Result::success);

// Composites, decorators, leaves.
constexpr CoreNode kCoreNodes[] = {
    {"Sequence", Opcode::tick_sequence, 0, Holds::nodes, true, {}},
    {"Selector", Opcode::tick_selector, 0, Holds::nodes, true, {}},
    {"Parallel", Opcode::tick_parallel, 0, Holds::branches, true, kParallel},
    {"Priority", Opcode::tick_priority, 0, Holds::cases, true, {}},
    {"StateMachine", Opcode::tick_machine, 0, Holds::states, false, {}},

    {"Loop", Opcode::tick_loop, 0, Holds::one, true, kLoop},
    {"LoopUntilSuccess", Opcode::tick_loop, kLoopsUntilSuccess, Holds::one, true, kLoopUntilSuccess},
    {"SuppressFailure", Opcode::tick_suppress, 0, Holds::one, true, {}},
    {"IfCondition", Opcode::tick_guard, 0, Holds::one, true, kIfCondition},
    {"RandomGate", Opcode::tick_chance_guard, 0, Holds::one, true, kRandomGate},
    {"IfTime", Opcode::tick_time_guard, 0, Holds::one, true, kIfTime},
    {"LimitConcurrentUsers", Opcode::tick_limit, 0, Holds::one, true, kLimit},
    {"GroupScope", Opcode::tick_scope, 0, Holds::one, true, kGroupScope},
    {"LuaGate", Opcode::tick_script_guard, 0, Holds::one, true, kCode},
    {"LuaWrapper", Opcode::tick_script_wrapper, 0, Holds::one, true, kLuaWrapper},

    {"Fail", Opcode::tick_result, kFailure, Holds::nothing, true, {}},
    {"Halt", Opcode::tick_result, kRunning, Holds::nothing, true, {}},
    {"Breakpoint", Opcode::tick_result, kSuccess, Holds::nothing, true, {}},
    {"Graft", Opcode::tick_result, kRunning, Holds::nothing, true, {}},
    {"Log", Opcode::tick_message, 0, Holds::nothing_read, false, kLog},
    {"Wait", Opcode::tick_wait, kSuccess, Holds::nothing, true, kWait},
    {"Timeout", Opcode::tick_wait, kFailure, Holds::nothing, true, kTimeout},
    {"WaitForEvent", Opcode::tick_wait_event, kSuccess, Holds::nothing, true, kWaitForEvent},
    {"AssertCondition", Opcode::tick_condition, kFailure, Holds::nothing, true, kCondition},
    {"MonitorCondition", Opcode::tick_condition, kRunning, Holds::nothing, true, kCondition},
    {"WaitUntilTime", Opcode::tick_time, kRunning, Holds::nothing_read, false, kWaitUntilTime},
    {"AssertTime", Opcode::tick_time, kFailure, Holds::nothing_read, false, kAssertTime},
    {"SendEvent", Opcode::tick_send, kSuccess, Holds::nothing, true, kName},
    {"SendTransitionEvent", Opcode::tick_send, kRunning, Holds::nothing, true, kName},
    {"Signal", Opcode::tick_queue, kSuccess, Holds::nothing, true, kQueue},
    {"SendTransitionSignal", Opcode::tick_queue, kRunning, Holds::nothing, true, kQueue},
    {"ExecuteLua", Opcode::tick_script, 0, Holds::nothing, true, kCode},
    {"AssertLua", Opcode::tick_script, kScriptDecides, Holds::nothing, true, kCode},
};

struct Place {
  std::string_view element;
  std::string_view place;
};
constexpr Place kPlaces[] = {
    {"Case", "in a Priority"},
    {"State", "in a StateMachine"},
    {"Transitions", "in a State"},
    {"Transition", "in the Transitions of a State"},
    {"BehaviorTree", "in a State, or is the root element"},
    {"Root", "right below the root element"},
    {"Variables", "right below the root element"},
    {"Variable", "in Variables"},
    {"SignalVariables", "right below the root element"},
    {"Timestamps", "right below the root element"},
    {"Timestamp", "in Timestamps"},
    {"GameEvents", "in Events"},
};

constexpr std::size_t kMaxNodes = 255;  // of a Sequence or Selector

}  // namespace

const CoreNode* find_core_node(std::string_view name) {
  for (const CoreNode& core : kCoreNodes) {
    if (core.name == name) return &core;
  }
  return nullptr;
}

std::vector<std::string_view> core_node_names() {
  std::vector<std::string_view> names;
  for (const CoreNode& core : kCoreNodes) names.push_back(core.name);
  return names;
}

std::size_t max_children(Holds holds) {
  switch (holds) {
    case Holds::nothing:
    case Holds::nothing_read:
      return 0;
    case Holds::one:
      return 1;
    case Holds::nodes:
      return kMaxNodes;
    case Holds::branches:
      return layout::kMaxBranches;
    case Holds::cases:
    case Holds::states:
      return layout::kMaxEventStates;
  }
  return 0;
}

std::string_view place_of(std::string_view element) {
  for (const Place& place : kPlaces) {
    if (text::equal_any_case(place.element, element)) return place.place;
  }
  return {};
}

}  // namespace espalier::dialects::modular

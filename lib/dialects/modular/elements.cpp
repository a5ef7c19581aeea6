// The table of elements. See elements.h.
#include "dialects/modular/elements.h"

#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

// ---- Values -------------------------------------------------------------------------------------

constexpr std::string_view kFalseOrTrue[] = {"false", "true"};
constexpr std::string_view kAllOrAny[] = {"all", "any"};
constexpr std::string_view kAnyOrAll[] = {"any", "all"};
constexpr std::string_view kSuccessOrFailure[] = {"Success", "Failure"};
constexpr std::string_view kReceivers[] = {"Sender", "Group", "GroupExcludingSender"};

constexpr Value kFlag{ValueType::any_boolean};
constexpr Value kTime{ValueType::number};
constexpr Value kChance{ValueType::number, 0, 1};
constexpr Value kLoops = whole(0, 255);  // the engine keeps 8 bits
constexpr Value kUsers = whole(0, 65535);

// ---- Attributes ---------------------------------------------------------------------------------

constexpr Need kOptional = Need::optional;
constexpr Need kRequired = Need::required;

constexpr AttributeRow kLogs[] = {
    {"_startLog", kOptional, kText, "Message that is logged when the node starts"},
    {"_successLog", kOptional, kText, "Message that is logged when the node succeeds"},
    {"_failureLog", kOptional, kText, "Message that is logged when the node fails"},
};

// Kinds of names.
constexpr NameType kTimestampName{NameKind::timestamp, NameScope::tree};
constexpr NameType kStateName{NameKind::state, NameScope::part, true};

constexpr AttributeRow kVariable[] = {
    declares(kVariableName, {"name", kRequired, kName, "Name of the variable, without case"}),
    {"default", kOptional, one_of(kFalseOrTrue, true), "Value at the start", "false"},
};
constexpr AttributeRow kSignalEntry[] = {
    {"name", kRequired, kEvent, "Event that sets the variable"},
    writes(kVariableName, {"variable", kRequired, kName, "Variable that is set"}),
    {"value", kRequired, kCondition, "Condition; its value is assigned to the variable"},
};
constexpr AttributeRow kTimestamp[] = {
    declares(kTimestampName, {"name", Need::taken_as_none, kName, "Name of the timestamp, with case"}),
    {"setOnEvent", Need::taken_as_none, kEvent, "Event that sets the timestamp to the current time"},
    reads(kTimestampName, {"exclusiveTo", kOptional, kText, "Timestamp that is cleared when this one is set"}),
};
constexpr AttributeRow kEventEntry[] = {
    declares(kSignalName, {"name", Need::recommended, kEvent, "Name of the event"})};
constexpr AttributeRow kGameEventEntry[] = {declares(kSignalName, {"name", kRequired, kEvent, "Name of the event"})};

constexpr AttributeRow kParallel[] = {
    {"successMode", kOptional, one_of(kAllOrAny), "Whether all children must succeed, or any of them", "all"},
    {"failureMode", kOptional, one_of(kAnyOrAll), "Whether any failed child is a failure, or only all of them", "any"},
};
constexpr AttributeRow kCase[] = {
    {"condition", kOptional, kCondition, "Condition under which the node is chosen; without one it always is"},
};
constexpr AttributeRow kState[] = {declares(kStateName, {"name", kRequired, kName, "Name of the state, without case"})};
constexpr AttributeRow kTransition[] = {
    {"onEvent", kRequired, kEvent, "Event that causes the transition"},
    reads(kStateName, {"to", kRequired, kName, "State that is entered"}),
};

constexpr AttributeRow kLoop[] = {
    {"count", kOptional, kLoops, "Number of successes after which the loop succeeds; 0: it loops forever", "0"},
};
constexpr AttributeRow kLoopUntilSuccess[] = {
    {"attemptCount", kOptional, kLoops, "Number of failures after which the loop fails; 0: it tries forever", "0"},
};
constexpr AttributeRow kIfCondition[] = {
    {"condition", kRequired, kCondition, "Condition that is evaluated once, when the node starts"},
    {"equalTo", kOptional, kFlag, "Deprecated: the value that the condition must have", "1"},
};
constexpr AttributeRow kConditionOnly[] = {{"condition", kRequired, kCondition, "Condition over the tree's variables"}};
constexpr AttributeRow kRandomGate[] = {
    {"opensWithChance", kRequired, kChance, "Probability that the child runs, from 0 to 1"},
};

// What IfTime, AssertTime and WaitUntilTime compare.
constexpr AttributeRow kSince =
    reads(kTimestampName, {"since", Need::taken_as_none, kName, "Timestamp that is compared with the current time"});
constexpr AttributeRow kSinceRequired = reads(kTimestampName, {"since", kRequired, kName, kSince.doc});
constexpr AttributeRow kIsMoreThan{"isMoreThan", Need::one_of, kTime, "The test holds when more seconds have passed"};
constexpr AttributeRow kIsLessThan{"isLessThan", Need::one_of, kTime, "The test holds when fewer seconds have passed"};
constexpr AttributeRow kOrNeverBeenSet{"orNeverBeenSet", kOptional, kFlag,
                                       "Whether the test also holds when the timestamp has never been set", "0"};
constexpr AttributeRow kIfTime[] = {kSince, kIsMoreThan, kIsLessThan, kOrNeverBeenSet};
constexpr AttributeRow kAssertTime[] = {kSinceRequired, kIsMoreThan, kIsLessThan, kOrNeverBeenSet};
constexpr AttributeRow kWaitUntilTime[] = {
    kSince,
    kIsMoreThan,
    kIsLessThan,
    kOrNeverBeenSet,
    {"succeedIfNeverBeenSet", kOptional, kFlag, "The engine's name of 'orNeverBeenSet' here", "0"},
};

constexpr AttributeRow kLimit[] = {{"max", kRequired, kUsers, "Number of agents that may run the child at once"}};
constexpr AttributeRow kGroupScope[] = {
    declares({NameKind::scope, NameScope::project, true},
             {"name", kRequired, kName, "Name of the scope, shared by the agents of a group, without case"}),
    {"allowedConcurrentUsers", kOptional, kUsers, "Number of agents of the group that may be in the scope at once",
     "1"},
};
constexpr AttributeRow kCode[] = {{"code", kRequired, kScript, "Lua code; its first result counts"}};
constexpr AttributeRow kLuaWrapper[] = {
    {"onEnter", kOptional, kScript, "Lua code that runs before the child starts"},
    {"onExit", kOptional, kScript, "Lua code that runs after the child has ended in any way"},
};

constexpr AttributeRow kLog[] = {{"message", kOptional, kText, "Message that is logged"}};
constexpr AttributeRow kWait[] = {
    {"duration", kRequired, kTime, "Seconds to wait"},
    {"variation", kOptional, kTime, "Most seconds that are added at random", "0"},
};
constexpr AttributeRow kTimeout[] = {{"duration", kRequired, kTime, "Seconds until the node fails"}};
constexpr AttributeRow kWaitForEvent[] = {
    {"name", kRequired, kEvent, "Event that is waited for"},
    {"result", kOptional, one_of(kSuccessOrFailure), "What the node returns when the event has come", "Success"},
};
constexpr AttributeRow kSend[] = {writes(kSignalName, {"name", kRequired, kEvent, "Event that is sent to this agent"})};
constexpr AttributeRow kQueue[] = {
    writes(kSignalName, {"name", kRequired, kEvent, "Event that is sent"}),
    {"filter", kOptional, one_of(kReceivers, true), "Agents that receive the event", "Sender"},
};

// ---- Elements -----------------------------------------------------------------------------------

constexpr auto kRunning = static_cast<std::uint8_t>(Result::running);
constexpr auto kFailure = static_cast<std::uint8_t>(Result::failure);
constexpr auto kSuccess = static_cast<std::uint8_t>(Result::success);

constexpr Content each_once(Groups groups, std::string_view required) {
  return {.groups = groups, .shape = Shape::each_once, .required = required};
}
constexpr Content any_number(Groups groups) { return {groups}; }
constexpr Content kCaseList{kCases, 1, layout::kMaxEventStates};
constexpr Content kStateList{kStates, 1, layout::kMaxEventStates};

// Elements that are not nodes.
constexpr ElementRow part(std::string_view name, Groups groups, const Content& content,
                          std::span<const AttributeRow> attributes, std::string_view doc,
                          Common common = Common::none) {
  return {.name = name, .groups = groups, .content = content, .attributes = attributes, .doc = doc, .common = common};
}
constexpr ElementRow node(std::string_view name, Opcode opcode, std::uint8_t flags, const Content& content,
                          std::span<const AttributeRow> attributes, std::string_view doc,
                          Common common = Common::read) {
  return {name, kNodes, content, attributes, doc, opcode, flags, false, common};
}

// In the order of Group.
constexpr std::string_view kGroupNames[] = {"sections", "variables",   "signals",    "timestamps",
                                            "events",   "game events", "nodes",      "cases",
                                            "states",   "state parts", "transitions"};
constexpr Groups kReservedSection = kSections | kReserved;
constexpr Common kNoLogs = Common::unread;

constexpr ElementRow kElements[] = {
    opens_tree(part("BehaviorTree", 0, each_once(kSections, "Root"), {},
                    "A behaviour tree: what it declares, and its root node")),
    part("Root", kReservedSection, kOneNode, {}, "Holds the root node of the tree"),
    part("Variables", kReservedSection, any_number(kVariableEntries), {}, "Variables of each agent that runs the tree"),
    part("Variable", kVariableEntries | kReserved, kNothing, kVariable, "A variable that is true or false"),
    part("SignalVariables", kReservedSection, any_number(kSignalEntries), {}, "Events that set variables"),
    part("Signal", kSignalEntries, kNothing, kSignalEntry, "Sets a variable when an event comes"),
    part("Timestamps", kReservedSection, any_number(kTimestampEntries), {}, "Times at which events have come"),
    part("Timestamp", kTimestampEntries | kReserved, kNothing, kTimestamp, "Remembers when an event came last"),
    part("Events", kSections, any_number(kEventEntries), {}, "Events that the tree uses; read by CRYENGINE 5.6"),
    part("Event", kEventEntries, kNothing, kEventEntry, "Declares an event"),
    part("GameEvents", kEventEntries | kReserved, any_number(kGameEventEntries), {}, "Events of the game"),
    part("Event", kGameEventEntries, kNothing, kGameEventEntry, "Declares an event of the game"),
    part("MetaExtensions", kSections, {0, 0, Content::kUnbounded, Shape::raw}, {}, "Data of editors, which is ignored"),

    // Composites.
    node("Sequence", opcode::tick_sequence, 0, kManyNodes, {}, "Runs its children in order until one fails"),
    node("Selector", opcode::tick_selector, 0, kManyNodes, {}, "Runs its children in order until one succeeds"),
    node("Parallel", opcode::tick_parallel, 0, kBranches, kParallel, "Runs all its children at once"),
    node("Priority", opcode::tick_priority, 0, kCaseList, {},
         "Runs the first case whose condition holds; chooses again when variables change"),
    part("Case", kCases | kReserved, kOneNode, kCase, "One choice of a Priority", kNoLogs),
    opens_part(node("StateMachine", opcode::tick_machine, 0, kStateList, {},
                    "Runs one state at a time, at first the first; events cause transitions to others", kNoLogs)),
    part("State", kStates | kReserved, each_once(kStateParts, "BehaviorTree"), kState, "One state of a StateMachine",
         kNoLogs),
    part("BehaviorTree", kStateParts | kReserved, kOneNode, {}, "Holds the node that the state runs"),
    part("Transitions", kStateParts | kReserved, any_number(kTransitionEntries), {}, "Ways out of a state"),
    part("Transition", kTransitionEntries | kReserved, kNothing, kTransition,
         "Enters another state when an event comes"),

    // Decorators.
    node("Loop", opcode::tick_loop, 0, kOneNode, kLoop, "Repeats its child while the child succeeds"),
    node("LoopUntilSuccess", opcode::tick_loop, kLoopsUntilSuccess, kOneNode, kLoopUntilSuccess,
         "Repeats its child until the child succeeds"),
    node("SuppressFailure", opcode::tick_suppress, 0, kOneNode, {}, "Runs its child, and succeeds when the child ends"),
    node("IfCondition", opcode::tick_guard, 0, kOneNode, kIfCondition,
         "Runs its child if a condition holds when the node starts; fails otherwise"),
    node("RandomGate", opcode::tick_chance_guard, 0, kOneNode, kRandomGate,
         "Runs its child with a given probability; fails otherwise"),
    node("IfTime", opcode::tick_time_guard, 0, kOneNode, kIfTime,
         "Runs its child if a test of a timestamp holds when the node starts; fails otherwise"),
    node("LimitConcurrentUsers", opcode::tick_limit, 0, kOneNode, kLimit,
         "Runs its child if few enough agents are in this node; fails otherwise"),
    node("GroupScope", opcode::tick_scope, 0, kOneNode, kGroupScope,
         "Runs its child if few enough agents of the group are in the named scope; fails otherwise"),
    node("LuaGate", opcode::tick_script_guard, 0, kOneNode, kCode,
         "Runs its child if Lua code returns true, or a number other than 0; fails otherwise"),
    node("LuaWrapper", opcode::tick_script_wrapper, 0, kOneNode, kLuaWrapper,
         "Runs Lua code before and after its child"),

    // Leaves.
    node("Fail", opcode::tick_result, kFailure, kNothing, {}, "Fails at once"),
    node("Halt", opcode::tick_result, kRunning, kNothing, {}, "Runs forever"),
    node("Breakpoint", opcode::tick_result, kSuccess, kNothing, {}, "Stops a debugger in the engine, then succeeds"),
    node("Graft", opcode::tick_result, kRunning, kNothing, {}, "Lets the game run another tree in this place"),
    node("Log", opcode::tick_message, 0, kNothing, kLog, "Logs a message and succeeds", kNoLogs),
    node("Wait", opcode::tick_wait, kSuccess, kNothing, kWait, "Waits for some time, then succeeds"),
    node("Timeout", opcode::tick_wait, kFailure, kNothing, kTimeout,
         "Fails after some time; limits the other children of a Parallel"),
    node("WaitForEvent", opcode::tick_wait_event, kSuccess, kNothing, kWaitForEvent,
         "Waits for an event, then succeeds or fails"),
    node("AssertCondition", opcode::tick_condition, kFailure, kNothing, kConditionOnly,
         "Succeeds if a condition holds; fails otherwise"),
    node("MonitorCondition", opcode::tick_condition, kRunning, kNothing, kConditionOnly,
         "Waits until a condition holds, then succeeds"),
    node("WaitUntilTime", opcode::tick_time, kRunning, kNothing, kWaitUntilTime,
         "Waits until a test of a timestamp holds, then succeeds", kNoLogs),
    node("AssertTime", opcode::tick_time, kFailure, kNothing, kAssertTime,
         "Succeeds if a test of a timestamp holds; fails otherwise", kNoLogs),
    node("SendEvent", opcode::tick_send, kSuccess, kNothing, kSend,
         "Sends an event to this agent at once, and succeeds"),
    node("SendTransitionEvent", opcode::tick_send, kRunning, kNothing, kSend,
         "Sends an event to this agent at once, and runs until the transition that it causes"),
    node("Signal", opcode::tick_queue, kSuccess, kNothing, kQueue,
         "Sends an event that arrives before the next update, and succeeds"),
    node("SendTransitionSignal", opcode::tick_queue, kRunning, kNothing, kQueue,
         "Sends an event that arrives before the next update, and runs until the transition that it causes"),
    node("ExecuteLua", opcode::tick_script, 0, kNothing, kCode, "Runs Lua code, and succeeds"),
    node("AssertLua", opcode::tick_script, kScriptDecides, kNothing, kCode,
         "Succeeds if Lua code returns true, or a number other than 0; fails otherwise"),
};

constexpr ElementTable kTable{
    .dialect = "modular",
    .doc = "Modular behaviour trees of CRYENGINE 5 and Lumberyard 1",
    .elements = kElements,
    .group_names = kGroupNames,
    .any_case = true,
    .numbers = NumberText::as_by_atof,
    .common = kLogs,
    .rules = {.unknown_element = rules::MBT_unknown_node,
              .unexpected_element = rules::MBT_unexpected_element,
              .unknown_attribute = rules::MBT_unknown_attribute,
              .missing_attribute = rules::MBT_missing_attribute,
              .stray_text = rules::MBT_unread_text,
              .bad_value = rules::MBT_bad_value,
              .recommended_attribute = rules::MBT_recommended_attribute,
              .empty_name = rules::MBT_empty_name,
              .repeated_attribute = rules::MBT_repeated_attribute,
              .element_case = rules::MBT_element_case,
              .attribute_case = rules::MBT_attribute_case,
              .ignored_attribute = rules::MBT_log_ignored},
};

}  // namespace

const ElementTable& table() { return kTable; }

const ElementRow* find_row(Groups group, std::string_view name) {
  for (const ElementRow& row : kElements) {
    if ((row.groups & group) == 0) continue;
    if (group == kNodes ? row.name == name : text::equal_any_case(row.name, name)) return &row;
  }
  return nullptr;
}

std::vector<std::string_view> core_node_names() {
  std::vector<std::string_view> names;
  for (const ElementRow& row : kElements) {
    if (row.groups == kNodes) names.push_back(row.name);
  }
  return names;
}

std::string place_of(std::string_view element) {
  const ElementRow* const row = find_row(kReserved, element);
  if (row == nullptr) return {};
  for (const ElementRow& parent : kElements) {
    if (may_hold(parent, *row)) return "in " + quote(parent.name);
  }
  return {};
}

}  // namespace espalier::dialects::modular

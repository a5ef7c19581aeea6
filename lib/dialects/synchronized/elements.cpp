// The tables. See elements.h.
#include "dialects/synchronized/elements.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::dialects::synchronized {
namespace {

constexpr AttributeRow kLabel[] = {{"name"}};
constexpr AttributeRow kName[] = {{"name", true}};
constexpr AttributeRow kParallel[] = {{"name"}, {"success"}, {"failure"}};
constexpr AttributeRow kRepeat[] = {{"name"}, {"count"}, {"untilFailure"}};
constexpr AttributeRow kGate[] = {{"name"}, {"agents", true}};
constexpr AttributeRow kCooldown[] = {{"name"}, {"seconds", true}, {"scope"}};
constexpr AttributeRow kGroup[] = {{"name"}, {"agents", true}, {"timeout"}, {"onLeave"}};
constexpr AttributeRow kChildTree[] = {{"name"}, {"slot", true}, {"default"}, {"accepts"}, {"budget"}};

constexpr ElementRow kElements[] = {
    {"Sequence", Opcode::store_sequence, kLabel, true},
    {"Selector", Opcode::store_selector, kLabel, true},
    {"Parallel", Opcode::store_parallel, kParallel, true},
    {"Condition", Opcode::store_condition, kName, true},
    {"Action", Opcode::store_action, kName},
    {"Invert", Opcode::store_invert, kLabel, true},
    {"Succeed", Opcode::store_succeed, kLabel, true},
    {"Fail", Opcode::store_fail, kLabel, true},
    {"Repeat", Opcode::store_repeat, kRepeat},
    {"Monitor", Opcode::store_monitor, kLabel},
    {"Gate", Opcode::store_gate, kGate},
    {"Cooldown", Opcode::store_cooldown, kCooldown},
    {"Group", Opcode::store_group, kGroup},
    {"Role", Opcode::store_role, kLabel},
    {"Barrier", Opcode::store_barrier, kName},
    {"ChildTree", Opcode::store_child, kChildTree},
};

struct Meaning {
  std::string_view name;
  std::string_view meant;
};

constexpr std::string_view kSelectorHint = "a 'Selector' tries its children in order until one succeeds";
constexpr std::string_view kInvertHint = "'Invert' turns its child's result round";
constexpr std::string_view kSucceedHint = "'Succeed' makes success of its child's result";
constexpr std::string_view kFailHint = "'Fail' makes failure of its child's result";
constexpr std::string_view kRepeatHint = "'Repeat' evaluates its child again, for ever or 'count' times";
constexpr std::string_view kGateHint = "a 'Gate' lets so many agents in at a time";
constexpr std::string_view kChildTreeHint = "a 'ChildTree' runs the tree that is in a slot, or its 'default'";
constexpr std::string_view kActionHint = "what the host does is an 'Action'";
constexpr std::string_view kConditionHint = "what the host is asked is a 'Condition'";

constexpr Meaning kMeanings[] = {
    {"Fallback", kSelectorHint},
    {"Priority", kSelectorHint},
    {"Random", "no node chooses at random"},
    {"Not", kInvertHint},
    {"Inverter", kInvertHint},
    {"Succeeder", kSucceedHint},
    {"AlwaysSucceed", kSucceedHint},
    {"ForceSuccess", kSucceedHint},
    {"Failer", kFailHint},
    {"AlwaysFail", kFailHint},
    {"ForceFailure", kFailHint},
    {"Loop", kRepeatHint},
    {"Repeater", kRepeatHint},
    {"UntilFail", "write a 'Repeat' with untilFailure=\"true\""},
    {"RepeatUntilFailure", "write a 'Repeat' with untilFailure=\"true\""},
    {"Limit", kGateHint},
    {"Semaphore", kGateHint},
    {"LimitConcurrentUsers", kGateHint},
    {"SubTree", kChildTreeHint},
    {"Tree", kChildTreeHint},
    {"SynchronizedTree", "a tree is a file of its own; a 'ChildTree' runs it"},
    {"Reference", kChildTreeHint},
    {"Behavior", kActionHint},
    {"Behaviour", kActionHint},
    {"Task", kActionHint},
    {"Leaf", kActionHint},
    {"Check", kConditionHint},
    {"Decorator", "decorators have names of their own: 'Invert', 'Succeed', 'Fail', 'Repeat', 'Gate', 'Cooldown'"},
    {"Wait", "a 'Barrier' waits for the other roles; time is the host's, in an 'Action'"},
};

}  // namespace

const ElementRow* find_element(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kElements), std::end(kElements), [&](const ElementRow& row) { return row.name == name; });
  return found == std::end(kElements) ? nullptr : found;
}

std::vector<std::string_view> elements_below(Opcode parent) {
  const bool has_roles = parent == Opcode::store_group;
  std::vector<std::string_view> names;
  for (const ElementRow& row : kElements) {
    if ((row.opcode == Opcode::store_role) == has_roles) names.push_back(row.name);
  }
  return names;
}

Children children_of(Opcode opcode) { return opcode == Opcode::count ? Children::one : opcode_info(opcode).children; }

std::string_view element_with(std::string_view attribute) {
  for (const ElementRow& row : kElements) {
    for (const AttributeRow& each : row.attributes) {
      if (each.name == attribute) return row.name;
    }
  }
  for (const AttributeRow& each : kTreeAttributes) {
    if (each.name == attribute) return kRootElement;
  }
  return {};
}

std::string_view hint_of_element(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& meaning) {
    return text::equal_any_case(meaning.name, name);
  });
  return found == std::end(kMeanings) ? std::string_view() : found->meant;
}

}  // namespace espalier::dialects::synchronized

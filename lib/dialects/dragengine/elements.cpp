// The table of elements. See elements.h.
#include "dialects/dragengine/elements.h"

#include "runtime/include/espalier/espalier.hpp"

namespace espalier::dialects::dragengine {
namespace {

constexpr std::string_view kActionAttributes[] = {"name", "id", "doNotFail"};
constexpr std::string_view kListAttributes[] = {"id", "loop", "doNotFail"};
constexpr std::string_view kLeafAttributes[] = {"id"};

constexpr auto kRunning = static_cast<std::uint8_t>(Result::running);
constexpr auto kFailure = static_cast<std::uint8_t>(Result::failure);
constexpr auto kSuccess = static_cast<std::uint8_t>(Result::success);

constexpr RuleElement kRules[] = {
    {"action", Opcode::rule_action, 0, Holds::parts, kActionAttributes},
    {"sequence", Opcode::rule_sequence, 0, Holds::list, kListAttributes},
    {"choice", Opcode::rule_choice, 0, Holds::list, kListAttributes},
    {"success", Opcode::rule_result, kSuccess, Holds::parts, kLeafAttributes},
    {"failure", Opcode::rule_result, kFailure, Holds::parts, kLeafAttributes},
    {"running", Opcode::rule_result, kRunning, Holds::parts, kLeafAttributes},
    {"yield", Opcode::rule_yield, 0, Holds::parts, kLeafAttributes},
    {kSubtree, Opcode::rule_subtree, 0, Holds::path, kListAttributes},
    {kOtherSubtree, Opcode::rule_subtree, 0, Holds::path, kListAttributes},
};

constexpr std::string_view kParts[] = {kParameter, kCondition, kConditionMode};

}  // namespace

const RuleElement* find_rule_element(std::string_view name) {
  for (const RuleElement& rule : kRules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

bool is_part(std::string_view name) {
  for (const std::string_view part : kParts) {
    if (part == name) return true;
  }
  return false;
}

std::vector<std::string_view> elements_below(Holds holds) {
  std::vector<std::string_view> names;
  if (holds == Holds::rules || holds == Holds::list) {
    for (const RuleElement& rule : kRules) {
      if (rule.name != kOtherSubtree) names.push_back(rule.name);
    }
  }
  if (holds == Holds::list || holds == Holds::parts) names.insert(names.end(), std::begin(kParts), std::end(kParts));
  return names;
}

}  // namespace espalier::dialects::dragengine

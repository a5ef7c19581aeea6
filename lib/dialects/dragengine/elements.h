// The elements of rule trees: the rules, and what stands in them, with their attributes. One table.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/format/opcode.h"

namespace espalier::dialects::dragengine {

inline constexpr std::string_view kRootElement = "behaviorTree";
inline constexpr std::string_view kSubtree = "subtree";
inline constexpr std::string_view kOtherSubtree = "subTree";  // which the engine takes too
inline constexpr std::string_view kParameter = "parameter";
inline constexpr std::string_view kCondition = "condition";
inline constexpr std::string_view kConditionMode = "conditionMode";

// What stands below an element.
enum class Holds : std::uint8_t {
  rules,  // and no parts: the root element
  list,   // rules and parts
  parts,  // parameters, conditions and their mode
  path,   // the text of a subtree
};

struct RuleElement {
  std::string_view name;
  Opcode opcode;
  std::uint8_t flags;  // of its details, as far as they do not depend on attributes
  Holds holds;
  std::span<const std::string_view> attributes;
};

// Of exactly this name; null: no rule is called so.
[[nodiscard]] const RuleElement* find_rule_element(std::string_view name);
// Is it `parameter`, `condition` or `conditionMode`?
[[nodiscard]] bool is_part(std::string_view name);
// The elements that may stand there.
[[nodiscard]] std::vector<std::string_view> elements_below(Holds holds);

}  // namespace espalier::dialects::dragengine

// The element table of rule trees: rules, and their parameters, conditions and condition modes. Names are exact.
#pragma once
#include <string_view>

#include "dialects/reading/element_table.h"

namespace espalier::dialects::dragengine {

inline constexpr std::string_view kRootElement = "behaviorTree";
inline constexpr std::string_view kSubtree = "subtree";
inline constexpr std::string_view kParameter = "parameter";
inline constexpr std::string_view kCondition = "condition";
inline constexpr std::string_view kConditionMode = "conditionMode";

[[nodiscard]] const ElementTable& table();

enum : Groups { kRules = 1, kParts = 2 };
constexpr bool is_rule(const ElementRow* row) { return row != nullptr && (row->groups & kRules) != 0; }
constexpr bool is_part(const ElementRow* row) { return row != nullptr && (row->groups & kParts) != 0; }

// Null if there is none.
[[nodiscard]] inline const ElementRow* find_row(std::string_view name) { return table().find(name); }
// The row as which the content of an unknown element is read.
[[nodiscard]] const ElementRow& any_list();

}  // namespace espalier::dialects::dragengine

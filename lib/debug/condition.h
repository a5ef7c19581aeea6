// Conditions over the values of an agent: of breakpoints, and to watch. What all dialects write alike: names, numbers,
// texts in quotes, true and false; == != < <= > >=; ! not; && and; || or; parentheses.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace espalier::debug {

// The text of a value by its name; none: it has none.
using FindValue = std::function<std::optional<std::string>(std::string_view name)>;

struct ConditionValue {
  std::string text = {};   // "true", "2.5", "left"; a name without a value is empty, and is false
  std::string fault = {};  // why the condition is none; empty: it is one
};

[[nodiscard]] ConditionValue evaluate_condition(std::string_view condition, const FindValue& find);
// "", "false" and "0" are not true.
[[nodiscard]] bool is_true(std::string_view text);

}  // namespace espalier::debug

// A budget as text. See budget.h.
#include "explore/budget.h"

#include <charconv>

namespace espalier::explore {
namespace {

struct BudgetUnit {
  std::string_view name;
  std::uint64_t milliseconds;
};
constexpr BudgetUnit kBudgetUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};

}  // namespace

bool read_budget(std::string_view text, Budget* budget) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0 || number > kMost) return false;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty() || unit == "x") {
    budget->states = unit.empty() ? number : number * kDefaultBudget.states;
    budget->cost_a_state = unit.empty() ? 0 : kDefaultBudget.cost_a_state;
    return true;
  }
  for (const BudgetUnit& each : kBudgetUnits) {
    if (each.name != unit) continue;
    budget->milliseconds = number * each.milliseconds;
    return true;
  }
  return false;
}

}  // namespace espalier::explore

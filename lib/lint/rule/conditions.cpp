// The conditions of rules as functions. See conditions.h.
#include "lint/rule/conditions.h"

#include <vector>

namespace espalier::lint {

logic::Function RuleConditions::of(PlaceIndex place) {
  if (!outline_.asks(place)) return diagrams_.constant(true);
  const ir::Rule& rule = outline_.node(place).as<ir::Rule>();
  std::string parameters;
  for (const ir::Parameter& each : rule.parameters) {
    if (reads_ == Reads::parameters) parameters += '\n' + each.name.string() + '\n' + each.text;
  }
  std::vector<logic::Literal> literals;
  using Mode = layout::QueryMode;
  const bool value = rule.mode == Mode::all_true || rule.mode == Mode::any_true;
  for (const std::string& name : rule.conditions) {
    const auto [known, is_new] =
        variables_.try_emplace(name + parameters, static_cast<logic::Variable>(variables_.size()));
    literals.push_back({known->second, value});
  }
  const bool is_any = rule.mode == Mode::any_true || rule.mode == Mode::any_false;
  return is_any ? diagrams_.any_of(literals) : diagrams_.all_of(literals);
}

}  // namespace espalier::lint

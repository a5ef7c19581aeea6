// What is known of the host's actions and conditions: those that the engine brings under names of their own, and those
// that espalier.json declares.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/dragengine/rule_file.h"
#include "text/name_index.h"

namespace espalier::dialects::dragengine {

// A parameter of a rule as it is written; one set serves its action and its conditions.
struct WrittenParameter {
  std::string name;
  std::string value;
  Span name_span;
  Span value_span;
};

struct WrittenCondition {
  std::string name;
  Span span;
};

class HostRules {
 public:
  explicit HostRules(const Options& options);

  // Declared, else one of the engine's own; null: nothing is known of it.
  [[nodiscard]] const HostDeclaration* find_action(std::string_view name) const;
  [[nodiscard]] const HostDeclaration* find_condition(std::string_view name) const;
  // Is something declared, so that what is not is unknown?
  [[nodiscard]] bool knows_actions() const { return !options_.rule_actions.empty(); }
  [[nodiscard]] bool knows_conditions() const { return !options_.rule_conditions.empty(); }
  // The one that was meant, as a hint; or empty.
  [[nodiscard]] std::string hint_of_action(std::string_view name) { return action_names_.did_you_mean(name); }
  [[nodiscard]] std::string hint_of_condition(std::string_view name) { return condition_names_.did_you_mean(name); }

  // Is a parameter needed because of others that are there?
  [[nodiscard]] bool is_needed_beside(const HostDeclaration& host, std::string_view parameter,
                                      const std::unordered_set<std::string_view>& there) const;
  // What the action can answer, given its rule's parameters.
  [[nodiscard]] ir::Results results(std::string_view action, const std::vector<ir::Parameter>& parameters) const;

 private:
  const Options& options_;
  text::NameIndex action_names_;
  text::NameIndex condition_names_;
};

}  // namespace espalier::dialects::dragengine

// What is known of the host's actions and conditions: those that the engine brings under names of their own, and those
// that espalier.json declares.
#pragma once
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/reading/parameters.h"
#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects::dragengine {

// Actions, or conditions.
class HostSet {
 public:
  HostSet(std::string_view thing, Rule unknown, const std::vector<HostDeclaration>& declared,
          const std::vector<HostDeclaration>& known);

  // The declared one, else the engine's own; null: nothing is known of it. Where some are declared, that is reported.
  const HostDeclaration* find(std::string_view name, Span span, Reporter& reporter);
  // Is it one of the engine's own?
  [[nodiscard]] bool is_known(const HostDeclaration* host) const;

 private:
  std::string_view thing_;
  Rule unknown_;
  const std::vector<HostDeclaration>& declared_;
  const std::vector<HostDeclaration>& known_;
  text::NameIndex names_;
};

class HostRules {
 public:
  explicit HostRules(const Options& options);

  // `given`: the parameters of the rule, on which depends what some actions answer and need.
  const HostDeclaration* find_action(std::string_view name, Span span, const std::vector<GivenParameter>& given,
                                     Reporter& reporter);
  const HostDeclaration* find_condition(std::string_view name, Span span, Reporter& reporter) {
    return conditions_.find(name, span, reporter);
  }

 private:
  HostSet actions_;
  HostSet conditions_;
};

}  // namespace espalier::dialects::dragengine

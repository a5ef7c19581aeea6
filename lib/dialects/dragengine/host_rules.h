// What is known about the host's actions and conditions: those that are built into the engine, and those that
// espalier.json declares.
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

  // The declared one, else the engine's; null if nothing is known about it, which is reported if any are declared.
  const HostDeclaration* find(std::string_view name, Span span, Reporter& reporter);
  // Is it one of the engine's?
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

  // `given`: the parameters of the rule; the results and required parameters of some actions depend on them.
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

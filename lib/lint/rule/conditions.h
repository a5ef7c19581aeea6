// The conditions of rules as functions of the answers of the host.
#pragma once
#include <map>
#include <string>

#include "lint/rule/outline.h"
#include "logic/diagrams.h"

namespace espalier::lint {

// Is a condition told apart by its rule's parameters, which it may read?
enum class Reads : std::uint8_t { nothing, parameters };

class RuleConditions {
 public:
  RuleConditions(const RuleOutline& outline, Reads reads, logic::Diagrams& diagrams)
      : outline_(outline), reads_(reads), diagrams_(diagrams) {}

  // Where the conditions of a rule hold; everywhere if it asks none.
  logic::Function of(PlaceIndex place);

 private:
  const RuleOutline& outline_;
  const Reads reads_;
  logic::Diagrams& diagrams_;
  std::map<std::string, logic::Variable> variables_;
};

}  // namespace espalier::lint

// Sets of states as conditions in the syntax of trees.
#pragma once
#include <string>
#include <vector>

#include "logic/diagrams.h"

namespace espalier::explore {

// A variable of a condition.
struct NamedVariable {
  logic::Variable number = 0;
  std::string name;
};

// A short condition over these variables that is true for the values of `inside` and false for those of `outside`;
// empty if none was found, or if a value of the variables is in both.
std::string condition_between(logic::Diagrams& diagrams, logic::Function inside, logic::Function outside,
                              const std::vector<NamedVariable>& variables);

}  // namespace espalier::explore

// Conditions as functions: of a diagram's variables (logic/diagrams.h), or as a circuit's formulas (logic/circuit.h).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "ir/tree.h"
#include "logic/circuit.h"
#include "logic/diagrams.h"

namespace espalier::lint {

// A function for each term of a condition, where variable i of the tree has the value `values[i]`. The values are
// functions too: those of diagram variables to ask about any state, or what earlier assignments of a signal have made
// of them. Too large ones are unknown.
std::vector<logic::Function> functions_of_terms(const ir::Condition& condition, std::span<const logic::Function> values,
                                                logic::Diagrams& diagrams);
std::vector<logic::Formula> functions_of_terms(const ir::Condition& condition, std::span<const logic::Formula> values,
                                               logic::Circuit& circuit);

// The function of the whole condition; a null condition is always true.
logic::Function function_of(const ir::Condition* condition, std::span<const logic::Function> values,
                            logic::Diagrams& diagrams);
logic::Formula function_of(const ir::Condition* condition, std::span<const logic::Formula> values,
                           logic::Circuit& circuit);

// The functions of the whole condition with one of its terms replaced by a constant: by[0] false, by[1] true.
template <typename Value>
struct ReplacedTerm {
  std::array<Value, 2> by;
};
// Of each term. `terms`: its functions_of_terms().
std::vector<ReplacedTerm<logic::Function>> functions_with_terms(const ir::Condition& condition,
                                                                std::span<const logic::Function> terms,
                                                                logic::Diagrams& diagrams);
std::vector<ReplacedTerm<logic::Formula>> functions_with_terms(const ir::Condition& condition,
                                                               std::span<const logic::Formula> terms,
                                                               logic::Circuit& circuit);

// Adds the variables that a condition reads, which may be null, in the order in which it names them; those that
// `is_known` (of all variables of the tree) says are listed already are left out.
void add_variables_in_order(const ir::Condition* condition, std::vector<bool>& is_known,
                            std::vector<std::uint32_t>& variables);

}  // namespace espalier::lint

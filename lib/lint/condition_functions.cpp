// Conditions as functions. See condition_functions.h.
#include "lint/condition_functions.h"

namespace espalier::lint {
namespace {

using logic::Circuit;
using logic::Diagrams;
using logic::Formula;
using logic::Function;

// `terms`: the values of the terms before it. `Logic` makes values of values.
template <typename Value, typename Logic>
Value value_of_term(const ir::Term& term, std::span<const Value> terms, std::span<const Value> values, Logic& logic) {
  switch (term.kind) {
    case ir::TermKind::constant:
      return logic.constant(term.left != 0);
    case ir::TermKind::variable:
      return values[term.left];
    case ir::TermKind::negation:
      return logic.negation(terms[term.left]);
    case ir::TermKind::conjunction:
      return logic.conjunction(terms[term.left], terms[term.right]);
    case ir::TermKind::disjunction:
      return logic.disjunction(terms[term.left], terms[term.right]);
    case ir::TermKind::exclusive:
    case ir::TermKind::unequal:
      return logic.exclusive(terms[term.left], terms[term.right]);
    case ir::TermKind::equal:
      return logic.equivalence(terms[term.left], terms[term.right]);
  }
  return {};
}

template <typename Value, typename Logic>
std::vector<Value> values_of_terms(const ir::Condition& condition, std::span<const Value> values, Logic& logic) {
  std::vector<Value> terms;
  terms.reserve(condition.terms.size());
  for (const ir::Term& term : condition.terms) terms.push_back(value_of_term<Value>(term, terms, values, logic));
  return terms;
}

// From the whole condition down: a term is the operand of one later term, whose value follows from its own and the
// other operand's.
template <typename Value, typename Logic>
std::vector<ReplacedTerm<Value>> values_with_terms(const ir::Condition& condition, std::span<const Value> terms,
                                                   Logic& logic) {
  std::vector<ReplacedTerm<Value>> replaced(terms.size());
  replaced.back().by = {logic.constant(false), logic.constant(true)};
  for (std::size_t i = terms.size(); i-- > 0;) {
    const ir::Term& term = condition.terms[i];
    const Value if_false = replaced[i].by[0];
    const Value if_true = replaced[i].by[1];
    const auto set = [&](std::uint32_t operand, std::uint32_t other) {
      const Value rest = terms[other];
      const Value same = logic.choice(rest, if_true, if_false);
      const Value turned = logic.choice(rest, if_false, if_true);
      switch (term.kind) {
        case ir::TermKind::conjunction:
          replaced[operand].by = {if_false, same};
          break;
        case ir::TermKind::disjunction:
          replaced[operand].by = {same, if_true};
          break;
        case ir::TermKind::equal:
          replaced[operand].by = {turned, same};
          break;
        default:
          replaced[operand].by = {same, turned};
          break;
      }
    };
    switch (term.kind) {
      case ir::TermKind::constant:
      case ir::TermKind::variable:
        break;
      case ir::TermKind::negation:
        replaced[term.left].by = {if_true, if_false};
        break;
      default:
        set(term.left, term.right);
        set(term.right, term.left);
        break;
    }
  }
  return replaced;
}

}  // namespace

std::vector<Function> functions_of_terms(const ir::Condition& condition, std::span<const Function> values,
                                         Diagrams& diagrams) {
  return values_of_terms(condition, values, diagrams);
}

std::vector<Formula> functions_of_terms(const ir::Condition& condition, std::span<const Formula> values,
                                        Circuit& circuit) {
  return values_of_terms(condition, values, circuit);
}

Function function_of(const ir::Condition* condition, std::span<const Function> values, Diagrams& diagrams) {
  return condition == nullptr ? diagrams.constant(true) : functions_of_terms(*condition, values, diagrams).back();
}

Formula function_of(const ir::Condition* condition, std::span<const Formula> values, Circuit& circuit) {
  return condition == nullptr ? circuit.constant(true) : functions_of_terms(*condition, values, circuit).back();
}

std::vector<ReplacedTerm<Function>> functions_with_terms(const ir::Condition& condition,
                                                         std::span<const Function> terms, Diagrams& diagrams) {
  return values_with_terms(condition, terms, diagrams);
}

std::vector<ReplacedTerm<Formula>> functions_with_terms(const ir::Condition& condition, std::span<const Formula> terms,
                                                        Circuit& circuit) {
  return values_with_terms(condition, terms, circuit);
}

void add_variables_in_order(const ir::Condition* condition, std::vector<bool>& is_known,
                            std::vector<std::uint32_t>& variables) {
  if (condition == nullptr) return;
  for (const ir::Term& term : condition->terms) {
    if (term.kind != ir::TermKind::variable || is_known[term.left]) continue;
    is_known[term.left] = true;
    variables.push_back(term.left);
  }
}

}  // namespace espalier::lint

// Conditions as functions. See condition_functions.h.
#include "lint/condition_functions.h"

namespace espalier::lint {
namespace {

using logic::Diagrams;
using logic::Function;

// `terms`: the functions of the terms before it.
Function function_of_term(const ir::Term& term, std::span<const Function> terms, std::span<const Function> values,
                          Diagrams& diagrams) {
  switch (term.kind) {
    case ir::TermKind::constant:
      return diagrams.constant(term.left != 0);
    case ir::TermKind::variable:
      return values[term.left];
    case ir::TermKind::negation:
      return diagrams.negation(terms[term.left]);
    case ir::TermKind::conjunction:
      return diagrams.conjunction(terms[term.left], terms[term.right]);
    case ir::TermKind::disjunction:
      return diagrams.disjunction(terms[term.left], terms[term.right]);
    case ir::TermKind::exclusive:
    case ir::TermKind::unequal:
      return diagrams.exclusive(terms[term.left], terms[term.right]);
    case ir::TermKind::equal:
      return diagrams.equivalence(terms[term.left], terms[term.right]);
  }
  return {};
}

}  // namespace

std::vector<Function> functions_of_terms(const ir::Condition& condition, std::span<const Function> values,
                                         Diagrams& diagrams) {
  std::vector<Function> terms;
  terms.reserve(condition.terms.size());
  for (const ir::Term& term : condition.terms) terms.push_back(function_of_term(term, terms, values, diagrams));
  return terms;
}

Function function_of(const ir::Condition* condition, std::span<const Function> values, Diagrams& diagrams) {
  return condition == nullptr ? diagrams.constant(true) : functions_of_terms(*condition, values, diagrams).back();
}

// A term is the operand of one later term, so only the terms around the replaced one have to be made again.
Function function_with_term(const ir::Condition& condition, std::size_t replaced, bool constant,
                            std::span<const Function> terms, Diagrams& diagrams) {
  std::vector<Function> changed(terms.begin(), terms.end());
  changed[replaced] = diagrams.constant(constant);
  std::size_t inner = replaced;
  for (std::size_t i = replaced + 1; i < condition.terms.size(); ++i) {
    const ir::Term& term = condition.terms[i];
    const bool is_operator = term.kind != ir::TermKind::constant && term.kind != ir::TermKind::variable;
    const bool is_binary = is_operator && term.kind != ir::TermKind::negation;
    if (!is_operator || (term.left != inner && !(is_binary && term.right == inner))) continue;
    changed[i] = function_of_term(term, changed, {}, diagrams);
    inner = i;
  }
  return changed.back();
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

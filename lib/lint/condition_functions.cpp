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

// From the whole condition down: a term is the operand of one later term, whose value follows from its own and the
// other operand's.
std::vector<ReplacedTerm> functions_with_terms(const ir::Condition& condition, std::span<const Function> terms,
                                               Diagrams& diagrams) {
  std::vector<ReplacedTerm> replaced(terms.size());
  replaced.back().by = {diagrams.constant(false), diagrams.constant(true)};
  for (std::size_t i = terms.size(); i-- > 0;) {
    const ir::Term& term = condition.terms[i];
    const Function if_false = replaced[i].by[0];
    const Function if_true = replaced[i].by[1];
    const auto set = [&](std::uint32_t operand, std::uint32_t other) {
      const Function rest = terms[other];
      const Function same = diagrams.choice(rest, if_true, if_false);
      const Function turned = diagrams.choice(rest, if_false, if_true);
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

// The value of a condition, by plain recursion over its terms.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/tree.h"

namespace espalier::test {

inline bool value_of(const std::vector<ir::Term>& terms, std::size_t index, const std::vector<bool>& variables) {
  const ir::Term& term = terms[index];
  const auto left = [&] { return value_of(terms, term.left, variables); };
  const auto right = [&] { return value_of(terms, term.right, variables); };
  switch (term.kind) {
    case ir::TermKind::constant:
      return term.left != 0;
    case ir::TermKind::variable:
      return variables[term.left];
    case ir::TermKind::negation:
      return !left();
    case ir::TermKind::conjunction:
      return left() && right();
    case ir::TermKind::disjunction:
      return left() || right();
    case ir::TermKind::exclusive:
    case ir::TermKind::unequal:
      return left() != right();
    case ir::TermKind::equal:
      return left() == right();
  }
  return false;
}

inline bool holds(const ir::Condition& condition, const std::vector<bool>& variables) {
  return value_of(condition.terms, condition.terms.size() - 1, variables);
}

}  // namespace espalier::test

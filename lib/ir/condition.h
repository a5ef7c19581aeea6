// Boolean expressions over the variables of a tree.
#pragma once
#include <cstdint>
#include <vector>

#include "text/source.h"

namespace espalier::ir {

using text::Span;

enum class TermKind : std::uint8_t {
  constant,
  variable,
  negation,
  conjunction,
  disjunction,
  exclusive,
  equal,
  unequal
};

// A part of a condition. Children come before their parents, so one pass over the vector sees operands first.
struct Term {
  TermKind kind;
  // constant: 0 or 1; variable: its index in the tree; else the (left) operand's index in terms
  std::uint32_t left = 0;
  std::uint32_t right = 0;  // of the binary kinds
  std::uint32_t begin = 0;  // byte range in the source, from the beginning of the attribute's value, for messages
  std::uint32_t end = 0;
};

// A Boolean expression. The root is the last term; there is at least one.
struct Condition {
  std::vector<Term> terms;
  Span span;                 // the whole attribute value
  bool is_doubtful = false;  // it names an unknown variable, which has been reported

  // Where a term is written.
  Span span_of(const Term& term) const { return {span.file, span.begin + term.begin, span.begin + term.end}; }
};

using ConditionIndex = std::uint32_t;  // into Tree::conditions

}  // namespace espalier::ir

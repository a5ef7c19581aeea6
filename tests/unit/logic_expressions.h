// Random Boolean expressions, and their values computed without diagrams: by a truth table and a list of clauses.
#pragma once
#include <bitset>
#include <random>
#include <vector>

#include "logic/diagrams.h"

namespace espalier {

struct Drawing {
  std::mt19937 random;
  explicit Drawing(std::uint32_t seed) : random(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }
};

enum class TermKind : std::uint8_t { variable, negation, conjunction, disjunction, exclusive, choice };

// Operands are earlier terms; for a variable, `first` is its number.
struct Term {
  TermKind kind;
  std::uint32_t first = 0, second = 0, third = 0;
};

// The value of the last term. The first ones are the variables.
struct Expression {
  std::uint32_t variable_count = 0;
  std::vector<Term> terms;
};

inline Expression drawn_expression(Drawing& drawing, std::uint32_t variable_count, std::uint32_t operation_count) {
  Expression result{variable_count, {}};
  for (std::uint32_t i = 0; i < variable_count; ++i) result.terms.push_back({TermKind::variable, i});
  for (std::uint32_t i = 0; i < operation_count; ++i) {
    const auto count = static_cast<std::uint32_t>(result.terms.size());
    // One operand is often the last term, so that most operations matter.
    const std::uint32_t first = drawing.below(2) == 0 ? count - 1 : drawing.below(count);
    result.terms.push_back(
        {static_cast<TermKind>(1 + drawing.below(5)), drawing.below(count), first, drawing.below(count)});
  }
  return result;
}

inline logic::Function function_of(const Expression& expression, logic::Diagrams& diagrams) {
  std::vector<logic::Function> values;
  for (const Term& term : expression.terms) {
    switch (term.kind) {
      case TermKind::variable:
        values.push_back(diagrams.variable(static_cast<logic::Variable>(term.first)));
        break;
      case TermKind::negation:
        values.push_back(diagrams.negation(values[term.second]));
        break;
      case TermKind::conjunction:
        values.push_back(diagrams.conjunction(values[term.first], values[term.second]));
        break;
      case TermKind::disjunction:
        values.push_back(diagrams.disjunction(values[term.first], values[term.second]));
        break;
      case TermKind::exclusive:
        values.push_back(diagrams.exclusive(values[term.first], values[term.second]));
        break;
      case TermKind::choice:
        values.push_back(diagrams.choice(values[term.first], values[term.second], values[term.third]));
        break;
    }
  }
  return values.back();
}

// ---- Truth tables -------------------------------------------------------------------------------

constexpr std::uint32_t kMaxTableVariables = 16;

// Bit i is the value where variable v is bit v of i.
using TruthTable = std::bitset<std::size_t{1} << kMaxTableVariables>;

inline TruthTable table_of_variable(std::uint32_t variable) {
  TruthTable result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (i >> variable & 1) != 0;
  return result;
}

inline TruthTable table_of(const Expression& expression) {
  static const std::vector<TruthTable> kVariables = [] {
    std::vector<TruthTable> result;
    for (std::uint32_t i = 0; i < kMaxTableVariables; ++i) result.push_back(table_of_variable(i));
    return result;
  }();
  std::vector<TruthTable> values;
  for (const Term& term : expression.terms) {
    switch (term.kind) {
      case TermKind::variable:
        values.push_back(kVariables[term.first]);
        break;
      case TermKind::negation:
        values.push_back(~values[term.second]);
        break;
      case TermKind::conjunction:
        values.push_back(values[term.first] & values[term.second]);
        break;
      case TermKind::disjunction:
        values.push_back(values[term.first] | values[term.second]);
        break;
      case TermKind::exclusive:
        values.push_back(values[term.first] ^ values[term.second]);
        break;
      case TermKind::choice:
        values.push_back((values[term.first] & values[term.second]) | (~values[term.first] & values[term.third]));
        break;
    }
  }
  return values.back();
}

// ---- Clauses ------------------------------------------------------------------------------------

// Each is a list of literals, of which at least one holds: variables are counted from 1, negated ones are negative. All
// clauses hold.
struct Clauses {
  std::uint32_t variable_count = 0;
  std::vector<std::vector<std::int64_t>> clauses;
};

// Clauses that hold if the expression is true. Every term is a separate variable, tied to its operands (Tseitin's
// transformation).
inline Clauses clauses_of(const Expression& expression) {
  Clauses result{static_cast<std::uint32_t>(expression.terms.size()), {}};
  for (std::size_t i = 0; i < expression.terms.size(); ++i) {
    const Term& term = expression.terms[i];
    const std::int64_t own = static_cast<std::int64_t>(i) + 1;
    const std::int64_t a = std::int64_t{term.first} + 1;
    const std::int64_t b = std::int64_t{term.second} + 1;
    const std::int64_t c = std::int64_t{term.third} + 1;
    const auto add = [&](std::vector<std::vector<std::int64_t>> clauses) {
      result.clauses.insert(result.clauses.end(), clauses.begin(), clauses.end());
    };
    switch (term.kind) {
      case TermKind::variable:
        break;
      case TermKind::negation:
        add({{own, b}, {-own, -b}});
        break;
      case TermKind::conjunction:
        add({{-own, a}, {-own, b}, {own, -a, -b}});
        break;
      case TermKind::disjunction:
        add({{own, -a}, {own, -b}, {-own, a, b}});
        break;
      case TermKind::exclusive:
        add({{-own, a, b}, {-own, -a, -b}, {own, -a, b}, {own, a, -b}});
        break;
      case TermKind::choice:
        add({{-a, -own, b}, {-a, own, -b}, {a, -own, c}, {a, own, -c}});
        break;
    }
  }
  result.clauses.push_back({static_cast<std::int64_t>(expression.terms.size())});
  return result;
}

}  // namespace espalier

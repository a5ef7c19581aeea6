// Truth tables. See truth.h.
#include "lint/truth.h"

#include <algorithm>

namespace espalier::lint {
namespace {

constexpr std::uint32_t kWordVariables = 6;  // whose values differ within one word
constexpr std::uint64_t kWithinWord[kWordVariables] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                                       0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

std::uint64_t combine(ir::TermKind kind, std::uint64_t left, std::uint64_t right) {
  switch (kind) {
    case ir::TermKind::negation:
      return ~left;
    case ir::TermKind::conjunction:
      return left & right;
    case ir::TermKind::disjunction:
      return left | right;
    case ir::TermKind::exclusive:
    case ir::TermKind::unequal:
      return left ^ right;
    case ir::TermKind::equal:
      return ~(left ^ right);
    case ir::TermKind::constant:
    case ir::TermKind::variable:
      break;
  }
  return left;
}

}  // namespace

void add_variables(const ir::Condition* condition, std::set<std::uint32_t>& variables) {
  if (condition == nullptr) return;
  for (const ir::Term& term : condition->terms) {
    if (term.kind == ir::TermKind::variable) variables.insert(term.left);
  }
}

std::optional<Tables> tables_of(const std::set<std::uint32_t>& variables) {
  if (variables.size() > kMaxTableVariables) return std::nullopt;
  Tables tables;
  const auto count = static_cast<std::uint32_t>(variables.size());
  if (count > kWordVariables) tables.word_count = std::size_t{1} << (count - kWordVariables);
  std::uint32_t number = 0;
  for (const std::uint32_t variable : variables) {
    Table& table = tables.variables[variable];
    table.resize(tables.word_count);
    for (std::size_t word = 0; word < tables.word_count; ++word) {
      if (number < kWordVariables) {
        table[word] = kWithinWord[number];
      } else {
        table[word] = (word >> (number - kWordVariables) & 1) != 0 ? kAllBits : 0;
      }
    }
    ++number;
  }
  return tables;
}

Table evaluate(const ir::Condition* condition, const Tables& tables) {
  Table result(tables.word_count, kAllBits);
  if (condition == nullptr) return result;
  std::vector<std::uint64_t> values(condition->terms.size());
  for (std::size_t word = 0; word < tables.word_count; ++word) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ir::Term& term = condition->terms[i];
      if (term.kind == ir::TermKind::constant) {
        values[i] = term.left != 0 ? kAllBits : 0;
      } else if (term.kind == ir::TermKind::variable) {
        values[i] = tables.variables.at(term.left)[word];
      } else {
        values[i] = combine(term.kind, values[term.left], values[term.right]);
      }
    }
    result[word] = values.back();
  }
  return result;
}

bool is_ever_true(const Table& table) {
  return std::any_of(table.begin(), table.end(), [](std::uint64_t word) { return word != 0; });
}

bool is_always_true(const Table& table) {
  return std::all_of(table.begin(), table.end(), [](std::uint64_t word) { return word == kAllBits; });
}

Truth truth_of(const ir::Condition* condition) {
  std::set<std::uint32_t> variables;
  add_variables(condition, variables);
  const std::optional<Tables> tables = tables_of(variables);
  if (!tables) return {};
  const Table table = evaluate(condition, *tables);
  return {is_ever_true(table), !is_always_true(table)};
}

}  // namespace espalier::lint

// Conditions over a few variables, decided by trying all their values at once: a table holds one bit for each
// combination of values.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ir/tree.h"

namespace espalier::lint {

inline constexpr std::uint32_t kMaxTableVariables = 14;  // nothing is decided for more variables

using Table = std::vector<std::uint64_t>;  // of one condition

struct Tables {
  std::size_t word_count = 1;
  std::map<std::uint32_t, Table> variables;  // of the tree, with their tables
};

// The variables that a condition reads; `condition` may be null.
void add_variables(const ir::Condition* condition, std::set<std::uint32_t>& variables);
// A table for each variable; none if there are too many variables.
std::optional<Tables> tables_of(const std::set<std::uint32_t>& variables);
// A null condition is always true. All variables of `condition` must have a table.
Table evaluate(const ir::Condition* condition, const Tables& tables);

bool is_ever_true(const Table& table);
bool is_always_true(const Table& table);

// The values that a condition can have: both if it has too many variables to decide.
struct Truth {
  bool can_hold = true;
  bool can_fail = true;
};
Truth truth_of(const ir::Condition* condition);

}  // namespace espalier::lint

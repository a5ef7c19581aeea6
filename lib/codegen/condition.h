// Compiles a Boolean expression to the tests that decide it (lib/runtime/core/condition.h evaluates them).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/tree.h"
#include "runtime/format/records.h"

namespace espalier::codegen {

// The tests that decide `condition`. Literals of one word become one masked test, constants are folded, and operands
// that need the stack come first, so that its depth is at most log2 of the number of operators. Empty: always true.
// Iterative, and linear in the terms except for merging; at most layout::kMaxBits results on the stack for up to 2^32
// terms.
std::vector<layout::Test> compile_condition(const ir::Condition& condition);

// The tests as a short condition (format/short_condition.h); none: they are not one of at most three variables.
std::optional<std::uint32_t> short_condition(const std::vector<layout::Test>& tests);

// 1 + the largest variable that the tests read; 0: none.
std::uint32_t variable_count(const std::vector<layout::Test>& tests);

}  // namespace espalier::codegen

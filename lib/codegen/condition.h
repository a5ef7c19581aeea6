// Conditions to tests: the decision program of one Boolean expression (lib/runtime/core/condition.h runs it).
#pragma once
#include <cstdint>
#include <vector>

#include "ir/tree.h"
#include "runtime/format/records.h"

namespace espalier::codegen {

// The tests that decide `condition`. Literals of one word become one masked test, constants are folded, and operands
// that need results put aside come first, so that no more than log2 of the operators are aside at once. Empty: always
// true. Linear in the terms but for merging, iterative, at most layout::kMaxBits results aside for up to 2^32 terms.
std::vector<layout::Test> compile_condition(const ir::Condition& condition);

// 1 + the largest variable that the tests read; 0: none.
std::uint32_t variable_count(const std::vector<layout::Test>& tests);

}  // namespace espalier::codegen

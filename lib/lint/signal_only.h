// The variables that only signals set, by the project's declarations.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/tree.h"
#include "lint/lint.h"

namespace espalier::lint {

bool is_signal_only(const ir::Tree& tree, std::uint32_t variable, const Facts& facts);
std::vector<bool> signal_only_variables(const ir::Tree& tree, const Facts& facts);  // of each: is it?

}  // namespace espalier::lint

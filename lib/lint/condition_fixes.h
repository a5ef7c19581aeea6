// Fixes of conditions of which a proof says that they need not be as they are.
//
// Some proofs say that a condition has the same value whenever it is read: a tree then runs as before, and what is
// known about other conditions stays true. Others say that another value would make no difference: then what is below
// is read more often, or less, and the proof relies on the conditions there. `relied_on` are these, besides its own.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "ir/tree.h"
#include "text/finding.h"

namespace espalier::lint {

// The condition without one of its terms, which can be replaced by false, by true, or by either. None where one entity
// stands for more than the term.
[[nodiscard]] std::optional<text::Fix> fix_without(const ir::Condition& condition, std::size_t term,
                                                   std::array<bool, 2> by, std::vector<text::SharedSpans> relied_on,
                                                   const text::Sources& sources);

// `true` in place of a whole condition.
[[nodiscard]] text::Fix fix_to_true(text::Span condition, const text::Sources& sources);

}  // namespace espalier::lint

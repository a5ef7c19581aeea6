// Parallels: their result depends on the results of all branches, which are followed together.
#pragma once
#include <span>

#include "lint/tick/outcomes.h"

namespace espalier::lint {

// `flags` are those of the tick_parallel in each function.
// Its result when the results of its branches are `mix`, a set.
Results parallel_result(std::uint32_t flags, unsigned mix);
Outcome parallel_outcome(std::uint32_t flags, std::span<const Outcome> branches);
// The possible results in the update in which branch `number` gives `result`.
Results parallel_after(std::uint32_t flags, std::span<const Outcome> branches, std::size_t number, Result result);
// Can all branches end while the parallel does not?
bool parallel_can_hang(std::uint32_t flags, std::span<const Outcome> branches);

}  // namespace espalier::lint

// Parallels: their result follows from what their branches have come to, which is followed for all branches together.
#pragma once
#include <span>

#include "lint/tick_outcomes.h"

namespace espalier::lint {

// `flags` are those of the tick_parallel.
Outcome parallel_outcome(std::uint32_t flags, std::span<const Outcome> branches);
// What it can give in the update in which branch `number` gives `result`.
Results parallel_after(std::uint32_t flags, std::span<const Outcome> branches, std::size_t number, Result result);
// Can every branch have a result and the parallel none?
bool parallel_can_hang(std::uint32_t flags, std::span<const Outcome> branches);

}  // namespace espalier::lint

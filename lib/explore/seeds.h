// Seeds of traces that make agents draw the random numbers that a run needs.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "explore/run.h"

namespace espalier::explore {

// The smallest seed from 1 on that was found; it is a number that JSON keeps exactly. Draws are in the order in which
// they happen; each agent has a generator of its own, of which each version has a copy. `fits` may refuse a seed. None:
// none was found in some tenths of a second. `tried_count` grows by the seeds that were tried.
std::optional<std::uint64_t> find_seed(std::span<const Draw> draws, const std::function<bool(std::uint64_t seed)>& fits,
                                       std::uint64_t* tried_count);

}  // namespace espalier::explore

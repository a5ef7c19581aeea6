// Traces that `replay` runs, from what leads from state to state.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "explore/results.h"
#include "explore/run.h"

namespace espalier::explore {

// Lines of `host` stand before the update that they are for, only where an answer changes. None: no seed was found that
// makes the agents draw the random numbers that it needs.
// `fits` may refuse a seed; it may change the times of the edges' ticks. `work` gets what finding a seed took, as
// Run::work().
std::optional<Trace> trace_of(const World& world, std::span<const Edge> edges,
                              const std::function<bool(std::uint64_t seed)>& fits, std::uint64_t* work);

}  // namespace espalier::explore

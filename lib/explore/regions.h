// Times that matter only by their order. If all durations of a tree are multiples of a *granule*, what happens to an
// agent depends on each of its times in whole granules, and on the order of what is left of them: not on the
// microseconds. States that agree in these are equal in all that follows (the regions of timed automata: Alur and Dill,
// A theory of timed automata, 1994).
#pragma once
#include <cstdint>
#include <span>

#include "explore/engine.h"

namespace espalier::explore {

// The largest number that divides all of them.
std::uint64_t granule_of(std::span<const std::uint64_t> durations_us);

// Replaces what is left of each time by the number of its place in their order, evenly spread over the granule.
void order_times(Settling& settling, std::uint64_t granule_us);

}  // namespace espalier::explore

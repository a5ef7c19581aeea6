// Traces of random steps, for tests that look for what exploration does not: any order of signals, writes, answers and
// ticks.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <span>
#include <string>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

// The tree must have names and places. `ticks`: lines from which those of the traces are drawn, at least one. The same
// arguments give the same traces.
std::vector<Trace> random_traces(const Tree& tree, const Options& options, std::span<const std::string> ticks,
                                 std::uint32_t count);

}  // namespace espalier::explore

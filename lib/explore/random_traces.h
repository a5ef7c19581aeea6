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

// One for each question until there is another line, or also lists of which each question takes the next one: they
// tell how often the program is asked.
enum class RandomAnswers : std::uint8_t { single, lists };

// The tree must have names and places. `ticks`: lines from which those of the traces are drawn, at least one. The same
// arguments give the same traces.
std::vector<Trace> random_traces(const Tree& tree, const Options& options, std::span<const std::string> ticks,
                                 std::uint32_t count, RandomAnswers answers = RandomAnswers::single);

}  // namespace espalier::explore

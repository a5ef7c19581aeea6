// Traces that tell two versions of a tree apart, found by replays: far from the start, where no search comes in time.
#pragma once
#include <espalier/espalier.hpp>
#include <optional>
#include <span>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

// Traces that may tell the versions of a tree apart: those that reach the items of each, and random ones. Exploring
// takes at most this budget. The same arguments give the same traces. `used_count` gets what the budget has paid.
std::vector<Trace> candidates(const Tree& before, const Tree& after, const Options& options, std::uint64_t* used_count);

// Random ones only, with lists of answers: they show how often each version asks, that the program is told of the same
// behaviour again, and what scripts that run answer.
std::vector<Trace> random_candidates(const Tree& after, const Options& options);

// What the first of these traces shows that does: which actions begin, with which inputs, which run, and the status of
// the tree. Its trace has as few of the steps as still show a difference, and need not be the shortest one. Lines about
// names that a version lacks are left out for it. `used_count` gets what the budget has paid.
std::optional<Difference> told_apart(const Tree& before, const Tree& after, const Options& options,
                                     std::span<const Trace> traces, const Budget& budget, std::uint64_t* used_count);

}  // namespace espalier::explore

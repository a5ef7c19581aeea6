// How many runs of rules the updates of a tree take.
#pragma once
#include <array>
#include <cstdint>

#include "lint/rule/outline.h"

namespace espalier::lint {

using Runs = std::int64_t;

// The number of runs until each answer, by Result; kNoRuns if that answer is impossible.
using RunsTo = std::array<Runs, 3>;
inline constexpr Runs kNoRuns = -1;

// Is an update with this many runs stopped as a run-away? With the result `running` it may have one run more.
bool is_too_long(const RunsTo& runs, std::uint32_t limit, Result result);

// The fewest runs of an update that begins at the root, by its answer; a faulty rule counts as one run.
RunsTo shortest_update(const RuleOutline& outline);

// The most runs of an update, wherever it begins, if all actions that can finish at once do so; of a list that restarts
// in it, only one round counts.
RunsTo longest_update(const RuleOutline& outline);

}  // namespace espalier::lint

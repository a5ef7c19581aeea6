// How many runs of rules updates of a tree take.
#pragma once
#include <array>
#include <cstdint>

#include "lint/rule_outline.h"

namespace espalier::lint {

using Runs = std::int64_t;

// Runs up to each answer, by Result; kNoRuns where it is none.
using RunsTo = std::array<Runs, 3>;
inline constexpr Runs kNoRuns = -1;

// Whether an update of so many runs is stopped as a run-away. The last one may be running where others may not.
bool is_too_long(const RunsTo& runs, std::uint32_t limit, Result result);

// The fewest that an update can take which begins at the root, by the answer it ends with; any rule that is at fault
// counts as one run.
RunsTo shortest_update(const RuleOutline& outline);

// The most that an update can take, wherever it begins, when actions are done at once if they can be; of what begins
// anew in it one round counts.
RunsTo longest_update(const RuleOutline& outline);

}  // namespace espalier::lint

// A run that fits a log, as a trace that `replay` runs: what the program answered before each update that changed
// something, and after those that are certain what must hold.
#pragma once
#include <optional>
#include <string>

#include "live/lockstep.h"
#include "replay/replay.h"

namespace espalier::live {

// `name`: for reports; empty: it has none.
[[nodiscard]] std::string trace_of(const LoggedTree& tree, const FittedRun& run, const std::string& name);

// The agent at the run's first update; none: as its tree begins. A trace alone cannot say it.
[[nodiscard]] std::optional<replay::Start> start_of(const FittedRun& run);

}  // namespace espalier::live

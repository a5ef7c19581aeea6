// A run that fits a log, as a trace that `replay` runs: what the program answered before each update that changed
// something, and after those that are certain what must hold.
#pragma once
#include <cstdint>
#include <string>

#include "live/lockstep.h"

namespace espalier::live {

// `name`: for reports; empty: it has none.
[[nodiscard]] std::string trace_of(const LoggedTree& tree, const FittedRun& run, const std::string& name);

}  // namespace espalier::live

// All ways through a log from what an agent may be like at one of its changes, side by side. See lockstep.h.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "live/beginning.h"
#include "live/lockstep.h"
#include "live/samples.h"

namespace espalier::live {

struct Through {
  const SampledValues* samples = nullptr;      // null: there are none
  bool is_of_version_3 = false;                // only answers and results are compared
  std::optional<std::int64_t> origin_us = {};  // where the clock is 0, since 1970; none: at the first change
};

// `beginnings`: what the agent may be like there, none of which is empty. `ends`: gets what it may be like after the
// last change; none: the log does not fit, or ends within an update. May be null.
[[nodiscard]] FittedRun ways_through(const LoggedTree& tree, const Log& log, const Through& how,
                                     std::uint32_t first_change, const std::vector<Beginning>& beginnings,
                                     std::vector<Beginning>* ends = nullptr);

}  // namespace espalier::live

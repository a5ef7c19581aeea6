// What a host can see of an agent after an update: expectations and comparisons of versions are about this.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replay/compiled_expectation.h"

namespace espalier::explore {

struct Seen {
  replay::AgentView agent;       // its tree, block, shared block, and the clock
  std::optional<Result> status;  // of the last update
  std::uint32_t agent_number = 0;
  std::span<const std::string> events = {};                    // of the update, as far as they are looked for
  const std::vector<replay::ObservedAgent>* agents = nullptr;  // of the world, as far as they are looked for
};

}  // namespace espalier::explore

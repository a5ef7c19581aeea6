// What goes wrong in a run: why an update ends with an error.
#pragma once
#include <optional>
#include <string>

#include "explore/results.h"

namespace espalier::explore {

struct RunError {
  std::string message = {};  // as `replay` tells it: "an update ended with an error: division by zero"
  SourcePlace place = {};    // of its node; may not be known
};

// What ends the update of the trace's last line with an error, or stops the agent there. The trace is replayed. None:
// nothing does.
std::optional<RunError> last_error(const Asset& asset, const Trace& trace);

}  // namespace espalier::explore

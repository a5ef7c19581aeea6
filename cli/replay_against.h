// replay --against: what another version of the trees does in the same run.
#pragma once
#include "cli/replay_options.h"

namespace espalier::cli {

// Tells where it first does something else. Returns an exit status: kFound if it does.
int replay_against(const ReplayOptions& options);

}  // namespace espalier::cli

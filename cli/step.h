// replay --step: a prompt for the lines of a trace.
#pragma once
#include <string>

#include "cli/cli.h"
#include "replay/replay.h"
#include "report/replays.h"

namespace espalier::cli {

// Reads commands from standard input until it ends or one is `quit`, and runs them for an agent of a tree; `tree` may
// be empty if there is only one. `options.notes` has the files that were read. Returns an exit status.
int step(const CommonOptions& options, const Asset& asset, const std::string& tree, const replay::ReplayOptions& how,
         const report::ReplayForm& form);

}  // namespace espalier::cli

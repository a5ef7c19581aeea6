// replay --step: a prompt for the lines of a trace, and to debug a trace.
#pragma once
#include <string>
#include <vector>

#include "cli/cli.h"
#include "replay/replay.h"
#include "report/replays.h"

namespace espalier::cli {

// The trace that a prompt begins with: its first line is run, and commands run the others.
struct SteppedTrace {
  std::string path = {};                // empty: it is not a file, and has its first line alone
  std::vector<std::string> lines = {};  // without their endings
};

// Reads commands from standard input until it ends or one is `quit`, and runs them. `options.notes` has the files that
// were read. Returns an exit status.
int step(const CommonOptions& options, const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
         const report::ReplayForm& form);

}  // namespace espalier::cli

// What `import --against` tells: what another version of the tree does with the answers of a log.
#pragma once
#include "cli/imported_log.h"
#include "live/lockstep.h"

namespace espalier::cli {

// The first update in which the versions differ, their stories side by side, and where the new version needs what the
// log does not have; on standard output. Returns an exit status.
int write_against(const ImportOptions& options, const live::Log& log, const CompiledTree& compiled,
                  const live::FittedRun& run);

}  // namespace espalier::cli

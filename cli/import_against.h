// What `import --against` tells: what another version of the tree does with the answers of a log.
#pragma once
#include "cli/imported_log.h"

namespace espalier::cli {

// On standard output, for people: the first update in which the versions differ, their stories side by side, and where
// the new version needs what the log does not have; as JSON: all updates in which they differ. Returns an exit status.
int write_against(const ImportOptions& options, const Imported& imported);

}  // namespace espalier::cli

// Where the findings of earlier runs are kept.
#pragma once
#include <optional>

#include "project/findings_cache.h"

namespace espalier::cli {

// In "espalier" in $XDG_CACHE_HOME, else in ~/.cache (XDG Base Directory Specification). Nothing if neither is an
// absolute path, or the system does not say which program this is.
std::optional<project::FindingsCache> findings_cache();

}  // namespace espalier::cli

// Where what earlier runs have found is kept.
#pragma once
#include <memory>

#include "project/incremental/kept_facts.h"

namespace espalier::cli {

// In "espalier" in $XDG_CACHE_HOME, else in ~/.cache (XDG Base Directory Specification). Null if neither is an
// absolute path, or the system does not say which program this is.
std::shared_ptr<project::KeptFacts> kept_facts();

}  // namespace espalier::cli

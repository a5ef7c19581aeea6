// Where what earlier runs have found is kept.
#pragma once
#include <memory>

#include "project/incremental/kept_facts.h"

namespace espalier::cli {

// In "espalier" in the user's cache folder: $XDG_CACHE_HOME, else ~/.cache (on Windows: %LOCALAPPDATA%). Null if there
// is none, or it is not known which program this is.
std::shared_ptr<project::KeptFacts> kept_facts();

}  // namespace espalier::cli

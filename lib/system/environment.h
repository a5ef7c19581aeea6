// What the user has set.
#pragma once
#include <optional>
#include <string>

#include "system/filesystem.h"

namespace espalier::system {

// A variable of the environment, in UTF-8. Nothing: it is not set.
std::optional<std::string> variable(const char* name);
// Where the user's programs keep what they can make again, by the customs of the system. Empty: not known.
filesystem::path cache_folder();

}  // namespace espalier::system

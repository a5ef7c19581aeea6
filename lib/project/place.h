// Where a file is in its project.
#pragma once
#include <string>

#include "dialects/dialect.h"
#include "project/collect.h"

namespace espalier::project {

// The path of a file in its project: below the folder of espalier.json (empty: none), else below the given folder.
// Without its document and includes.
[[nodiscard]] dialects::File place_in_project(const InputFile& file, const std::string& folder);

}  // namespace espalier::project

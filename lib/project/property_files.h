// Finds the files of properties that belong to trees.
#pragma once
#include <string>
#include <vector>

#include "project/snapshot.h"

namespace espalier::project {

inline constexpr std::string_view kPropertiesSuffix = ".properties.json";

// The *.properties.json files of the paths: for a folder all below it, without hidden ones and those that .gitignore
// files and `exclude` exclude; for a file those beside it. Sorted by path, each once.
std::vector<std::string> find_property_files(const LoadOptions& options, const Configuration& configuration,
                                             std::vector<std::string>& errors);

// Do the paths name less than the project? Then properties that are found with them may be about other trees.
[[nodiscard]] bool are_part(const std::vector<std::string>& paths, const Configuration& configuration);

}  // namespace espalier::project

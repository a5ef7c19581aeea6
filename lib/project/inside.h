// Is a path inside a folder? Files that a project names are read only if they are.
#pragma once
#include <string>

namespace espalier::project {

// Is `path` the folder itself or below it, after all links in both are resolved? A part of `path` that does not exist
// is used as written. Relative paths are relative to the current folder. False if the system reports an error.
[[nodiscard]] bool is_inside(const std::string& path, const std::string& folder);

// The same for absolute paths without links, "." and "..": by name only.
[[nodiscard]] bool is_below(const std::string& path, const std::string& folder);

}  // namespace espalier::project

// What lies in a folder and what lies outside of it. What a project names may be read only where it lies inside.
#pragma once
#include <string>

namespace espalier::project {

// Does `path` lead to `folder` itself or to something below it? All links on the way are resolved, of both; the part of
// `path` that does not exist counts by its names. Relative paths count from the current folder. False where the system
// cannot tell.
[[nodiscard]] bool is_inside(const std::string& path, const std::string& folder);

// The same of paths that are absolute and have no links, "." or ".." any more: by their names only.
[[nodiscard]] bool is_below(const std::string& path, const std::string& folder);

}  // namespace espalier::project

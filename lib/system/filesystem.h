// Paths and files, by the names of std::filesystem. The standard library of MinGW-w64 takes the name of a server for
// that of a folder ("//server/share/guard.xml"), so Windows has its own.
#pragma once
#include <filesystem>
#ifdef _WIN32
#include "system/windows/filesystem.h"
#endif

namespace espalier::system {

#ifdef _WIN32
namespace filesystem = windows;
#else
namespace filesystem = std::filesystem;
#endif

// As streams open it.
#ifdef _WIN32
std::filesystem::path native(const filesystem::path& path);
#else
inline const std::filesystem::path& native(const std::filesystem::path& path) { return path; }
#endif

}  // namespace espalier::system

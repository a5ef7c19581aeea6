// By the XDG Base Directory Specification. See environment.h.
#include "system/environment.h"

#include <cstdlib>

namespace espalier::system {
namespace {

std::filesystem::path absolute_path_in(const char* name) {
  const std::filesystem::path path = variable(name).value_or("");
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::filesystem::path cache_folder() {
  if (std::filesystem::path folder = absolute_path_in("XDG_CACHE_HOME"); !folder.empty()) return folder;
  if (std::filesystem::path home = absolute_path_in("HOME"); !home.empty()) return home / ".cache";
  return {};
}

}  // namespace espalier::system

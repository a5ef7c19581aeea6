// The user's cache folder. See cache_folder.h.
#include "cli/cache_folder.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

fs::path cache_folder() {
  if (fs::path folder = absolute_path_in("XDG_CACHE_HOME"); !folder.empty()) return folder / "espalier";
  if (fs::path home = absolute_path_in("HOME"); !home.empty()) return home / ".cache" / "espalier";
  return {};
}

// Another build of the same version may find something else. Empty: not known.
std::string this_program() {
  struct stat file {};
  if (::stat("/proc/self/exe", &file) != 0) return {};
  std::string name = "espalier " ESPALIER_VERSION;
  for (const auto number :
       {static_cast<std::int64_t>(file.st_size), static_cast<std::int64_t>(file.st_ino),
        static_cast<std::int64_t>(file.st_mtim.tv_sec), static_cast<std::int64_t>(file.st_mtim.tv_nsec)}) {
    name += ' ' + std::to_string(number);
  }
  return name;
}

}  // namespace

std::shared_ptr<project::KeptFacts> kept_facts() {
  const fs::path folder = cache_folder();
  const std::string program = this_program();
  if (folder.empty() || program.empty()) return nullptr;
  return std::make_shared<project::KeptFacts>(folder.string(), program);
}

}  // namespace espalier::cli

// Paths inside of a folder. See inside.h.
#include "project/inside.h"

#include "system/filesystem.h"

namespace espalier::project {

namespace fs = system::filesystem;

bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder, error);
  if (error) return false;
  const fs::path real_path = fs::weakly_canonical(fs::absolute(path, error), error);
  return !error && is_below(real_path.generic_string(), real_folder.generic_string());
}

bool is_below(const std::string& path, const std::string& folder) {
  if (folder.empty() || folder == "/") return true;
  const std::size_t size = folder.back() == '/' ? folder.size() - 1 : folder.size();
  return path.compare(0, size, folder, 0, size) == 0 && (path.size() == size || path[size] == '/');
}

}  // namespace espalier::project

// Finds files of properties. See property_files.h.
#include "project/property_files.h"

#include <algorithm>
#include <set>

#include "project/collect.h"
#include "system/filesystem.h"

namespace espalier::project {

namespace fs = system::filesystem;

std::vector<std::string> find_property_files(const LoadOptions& options, const Configuration& configuration,
                                             std::vector<std::string>& errors) {
  std::error_code error;
  const std::string folder = configuration.path.empty()
                                 ? std::string()
                                 : fs::weakly_canonical(configuration.path, error).parent_path().generic_string();
  std::vector<std::string> paths = options.paths;
  if (paths.empty()) {
    for (const std::string& path : configuration.paths) paths.push_back((fs::path(folder) / path).generic_string());
  }
  if (paths.empty()) paths.push_back(folder.empty() ? "." : folder);
  CollectOptions how;
  how.ignore_files = options.ignore_files;
  how.folder = folder;
  how.exclude = &configuration.exclude;
  constexpr std::string_view kSuffixes[] = {kPropertiesSuffix};
  how.suffixes = kSuffixes;
  std::set<std::string> found;
  for (const std::string& path : paths) {
    if (path == kStandardInput) continue;
    const bool is_folder = fs::is_directory(path, error);
    const fs::path beside = fs::path(path).parent_path();
    const std::string from = is_folder ? path : beside.empty() ? "." : beside.generic_string();
    for (const InputFile& file : collect({from}, {}, how, errors).files) {
      if (is_folder || file.below.find('/') == std::string::npos) found.insert(file.shown);
    }
  }
  return {found.begin(), found.end()};
}

bool are_part(const std::vector<std::string>& paths, const Configuration& configuration) {
  std::error_code error;
  if (paths.empty()) return false;
  const std::string folder = fs::weakly_canonical(configuration.path, error).parent_path().generic_string();
  bool has_all = configuration.path.empty();
  for (const std::string& path : paths) {
    if (!fs::is_directory(path, error)) return true;
    const std::string given = fs::weakly_canonical(path, error).generic_string();
    has_all = has_all || given == folder || !path_below(given, folder).empty();
  }
  return !has_all;
}

}  // namespace espalier::project

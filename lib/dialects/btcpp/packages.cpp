// Packages of files. See packages.h.
#include "dialects/btcpp/packages.h"

namespace espalier::dialects::btcpp {

Packages::Packages(std::span<const File> files, std::span<const OtherFile> others)
    : packages_(files.size()), folders_(1) {
  for (const OtherFile& file : others) {
    const std::string_view path = file.path;
    if (!path.ends_with(kPackageFile)) continue;
    const std::string_view folder = path.substr(0, path.size() - kPackageFile.size());
    if (numbers_.try_emplace(std::string(folder), folders_.size()).second) folders_.emplace_back(folder);
  }
  for (std::size_t i = 0; i < files.size() && !numbers_.empty(); ++i) packages_[i] = of_path(files[i].path);
}

std::size_t Packages::of_path(std::string_view path) const {
  auto found = numbers_.end();
  while (!path.empty() && found == numbers_.end()) {
    const std::size_t end = path.find_last_of('/');
    path = end == std::string_view::npos ? std::string_view() : path.substr(0, end);
    found = numbers_.find(path);
  }
  return found == numbers_.end() ? 0 : found->second;
}

}  // namespace espalier::dialects::btcpp

// Packages of files. See packages.h.
#include "dialects/btcpp/packages.h"

#include <map>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kPackageFile = "/package.xml";

}  // namespace

Packages::Packages(std::span<const File> files, std::span<const OtherFile> others)
    : packages_(files.size()), folders_(1) {
  std::map<std::string_view, std::size_t> numbers;
  for (const OtherFile& file : others) {
    const std::string_view path = file.path;
    if (!path.ends_with(kPackageFile)) continue;
    const std::string_view folder = path.substr(0, path.size() - kPackageFile.size());
    if (numbers.try_emplace(folder, folders_.size()).second) folders_.emplace_back(folder);
  }
  for (std::size_t i = 0; i < files.size() && !numbers.empty(); ++i) {
    std::string_view folder = files[i].path;
    auto found = numbers.end();
    while (!folder.empty() && found == numbers.end()) {
      const std::size_t end = folder.find_last_of('/');
      folder = end == std::string_view::npos ? std::string_view() : folder.substr(0, end);
      found = numbers.find(folder);
    }
    if (found != numbers.end()) packages_[i] = found->second;
  }
}

}  // namespace espalier::dialects::btcpp

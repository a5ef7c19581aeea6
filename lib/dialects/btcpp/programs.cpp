// Files of programs. See programs.h.
#include "dialects/btcpp/programs.h"

#include <algorithm>
#include <string_view>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kPackageFile = "/package.xml";

}  // namespace

Programs::Programs(std::span<const File> files, std::span<const OtherFile> others)
    : includes_(files.size()), has_main_(files.size()), packages_(files.size()) {
  std::set<std::string_view> folders;
  for (const OtherFile& file : others) {
    const std::string_view path = file.path;
    if (path.ends_with(kPackageFile)) folders.insert(path.substr(0, path.size() - kPackageFile.size()));
  }
  if (folders.empty()) return;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string_view folder = files[i].path;
    while (!folder.empty() && folders.count(folder) == 0) {
      const std::size_t end = folder.find_last_of('/');
      folder = end == std::string_view::npos ? std::string_view() : folder.substr(0, end);
    }
    packages_[i] = folder;
  }
}

bool Programs::are_included_together(std::size_t a, std::size_t b) {
  if (a == b) return true;
  if (included_.empty()) {
    for (std::size_t file = 0; file < includes_.size(); ++file) {
      if (includes_[file].empty()) continue;
      std::set<std::size_t>& all = included_[file];
      std::vector<std::size_t> open = {file};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (all.insert(at).second) open.insert(open.end(), includes_[at].begin(), includes_[at].end());
      }
    }
  }
  return std::any_of(included_.begin(), included_.end(),
                     [&](const auto& each) { return each.second.count(a) != 0 && each.second.count(b) != 0; });
}

void Programs::refer(std::size_t from, std::size_t to) {
  if (packages_[from] == packages_[to] && !are_included_together(from, to)) loaded_whole_.insert(packages_[from]);
}

std::size_t Programs::meant(std::size_t from, std::span<const std::size_t> candidates) {
  const auto nearness = [&](std::size_t file) {
    if (file == from) return 3;
    if (are_included_together(from, file)) return 2;
    return packages_[file] == packages_[from] ? 1 : 0;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (nearness(candidates[i]) >= nearness(candidates[best])) best = i;  // of equals the last, as in the library
  }
  return best;
}

bool Programs::are_together(std::size_t a, std::size_t b, bool are_mains) {
  if (are_included_together(a, b)) return true;
  if (packages_[a] != packages_[b]) return false;
  const bool are_programs = are_mains || (has_main_[a] && has_main_[b]);
  return !are_programs || loaded_whole_.count(packages_[a]) != 0;
}

}  // namespace espalier::dialects::btcpp

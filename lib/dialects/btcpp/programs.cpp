// Files of programs. See programs.h.
#include "dialects/btcpp/programs.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace espalier::dialects::btcpp {
namespace {

constexpr std::string_view kPackageFile = "/package.xml";

}  // namespace

Programs::Programs(std::span<const File> files, std::span<const OtherFile> others)
    : includes_(files.size()), has_main_(files.size()), packages_(files.size()) {
  std::map<std::string_view, std::size_t> folders;
  for (const OtherFile& file : others) {
    const std::string_view path = file.path;
    if (path.ends_with(kPackageFile))
      folders.emplace(path.substr(0, path.size() - kPackageFile.size()), 1 + folders.size());
  }
  for (std::size_t i = 0; i < files.size() && !folders.empty(); ++i) {
    std::string_view folder = files[i].path;
    while (!folder.empty() && folders.count(folder) == 0) {
      const std::size_t end = folder.find_last_of('/');
      folder = end == std::string_view::npos ? std::string_view() : folder.substr(0, end);
    }
    if (!folder.empty()) packages_[i] = folders[folder];
  }
}

void Programs::find_tops() {
  tops_.resize(includes_.size());
  std::vector<bool> is_included(includes_.size());
  for (const std::vector<std::size_t>& included : includes_) {
    for (const std::size_t file : included) is_included[file] = true;
  }
  for (const bool in_circles : {false, true}) {
    for (std::size_t top = 0; top < includes_.size(); ++top) {
      if (includes_[top].empty() || (in_circles ? !tops_[top].empty() : is_included[top])) continue;
      std::vector<std::size_t> open = {top};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (!tops_[at].empty() && tops_[at].back() == top) continue;
        tops_[at].push_back(top);
        open.insert(open.end(), includes_[at].begin(), includes_[at].end());
      }
    }
  }
  for (std::vector<std::size_t>& tops : tops_) std::sort(tops.begin(), tops.end());
}

bool Programs::are_included_together(std::size_t a, std::size_t b) {
  if (a == b) return true;
  if (tops_.empty()) find_tops();
  auto one = tops_[a].begin();
  auto other = tops_[b].begin();
  while (one != tops_[a].end() && other != tops_[b].end()) {
    if (*one == *other) return true;
    *one < *other ? ++one : ++other;
  }
  return false;
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

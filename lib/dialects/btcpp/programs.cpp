// Files of programs. See programs.h.
#include "dialects/btcpp/programs.h"

#include <algorithm>

namespace espalier::dialects::btcpp {

Programs::Programs(std::span<const File> files, std::span<const OtherFile> others)
    : packages_(files, others), includes_(files.size()), has_main_(files.size()) {}

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

std::span<const std::size_t> Programs::tops_of(std::size_t file) {
  if (tops_.empty()) find_tops();
  return tops_[file];
}

bool Programs::are_included_together(std::size_t a, std::size_t b) {
  if (a == b) return true;
  const std::span<const std::size_t> of_a = tops_of(a);
  const std::span<const std::size_t> of_b = tops_of(b);
  auto one = of_a.begin();
  auto other = of_b.begin();
  while (one != of_a.end() && other != of_b.end()) {
    if (*one == *other) return true;
    *one < *other ? ++one : ++other;
  }
  return false;
}

void Programs::refer(std::size_t from, std::size_t to) {
  if (package_of(from) == package_of(to) && !are_included_together(from, to)) loaded_whole_.insert(package_of(from));
}

// ---- Files with a tree of one name

MeantFiles::MeantFiles(Programs& programs, std::span<const std::size_t> files)
    : programs_(programs), last_(files.size() - 1) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    by_file_[files[i]] = i;
    by_package_[programs.package_of(files[i])] = i;
    for (const std::size_t top : programs.tops_of(files[i])) by_top_[top] = i;
  }
}

// The nearest one, and of equals the last, as in the library.
std::size_t MeantFiles::meant(std::size_t from) const {
  if (const auto own = by_file_.find(from); own != by_file_.end()) return own->second;
  std::optional<std::size_t> included;
  for (const std::size_t top : programs_.tops_of(from)) {
    if (const auto found = by_top_.find(top); found != by_top_.end())
      included = std::max(included.value_or(0), found->second);
  }
  if (included) return *included;
  const auto of_package = by_package_.find(programs_.package_of(from));
  return of_package == by_package_.end() ? last_ : of_package->second;
}

namespace {

constexpr std::size_t kMainTree = 1;
constexpr std::size_t kMainFile = 2;

}  // namespace

std::size_t SameNames::kind_of(const Kept& kept) const {
  return (kept.is_main ? kMainTree : 0) | (programs_.has_main(kept.file) ? kMainFile : 0);
}

void SameNames::note(std::size_t place, bool is_there) {
  const Kept& kept = kept_[place];
  const auto keep = [&](Places& places) {
    if (is_there) {
      places.insert(place);
    } else {
      places.erase(place);
    }
  };
  keep(by_file_[kept.file]);
  for (const std::size_t top : programs_.tops_of(kept.file)) keep(by_top_[top]);
  keep(by_package_[programs_.package_of(kept.file)][kind_of(kept)]);
}

std::optional<std::size_t> SameNames::add(std::size_t file, bool is_main) {
  const Kept added{file, is_main};
  std::optional<std::size_t> first;
  const auto look = [&](const Places& places) {
    if (!places.empty()) first = std::min(first.value_or(*places.begin()), *places.begin());
  };
  look(by_file_[file]);
  for (const std::size_t top : programs_.tops_of(file)) look(by_top_[top]);
  const std::size_t package = programs_.package_of(file);
  const std::size_t kind = kind_of(added);
  const auto& of_package = by_package_[package];
  for (std::size_t other = 0; other < of_package.size(); ++other) {
    const bool are_programs = (kind & other) != 0;
    if (!are_programs || programs_.is_loaded_whole(package)) look(of_package[other]);
  }
  if (!first) {
    kept_.push_back(added);
    note(kept_.size() - 1, true);
    return std::nullopt;
  }
  note(*first, false);
  kept_[*first] = added;
  note(*first, true);
  return first;
}

}  // namespace espalier::dialects::btcpp

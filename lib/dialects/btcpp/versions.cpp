// Versions of files. See versions.h.
#include "dialects/btcpp/versions.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <string>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/options.h"

namespace espalier::dialects::btcpp {
namespace {

// The newest patch of each.
constexpr Version kReleases[] = {{3, 0, 9}, {3, 1, 1}, {3, 5, 6}, {3, 6, 1}, {3, 7, 0}, {3, 8, 7},
                                 {4, 0, 2}, {4, 1, 1}, {4, 2, 1}, {4, 3, 8}, {4, 4, 3}, {4, 5, 2},
                                 {4, 6, 2}, {4, 7, 2}, {4, 8, 4}, {4, 9, 1}, {4, 10, 0}};

constexpr Version kOf3{3, 8, 7};

}  // namespace

std::optional<Version> read_version(std::string_view text) {
  std::uint32_t parts[3] = {};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (count < 3) {
    const auto [stop, error] = std::from_chars(at, end, parts[count]);
    if (error != std::errc{}) return std::nullopt;
    ++count;
    at = stop;
    if (at == end || *at != '.') break;
    ++at;
  }
  if (at != end || count < 2) return std::nullopt;
  const auto* const release = std::find_if(std::begin(kReleases), std::end(kReleases), [&](const Version& each) {
    return each.major == parts[0] && each.minor == parts[1];
  });
  if (release == std::end(kReleases)) return std::nullopt;
  return Version{parts[0], parts[1], count == 3 ? parts[2] : release->patch};
}

Versions::Versions(std::span<const std::shared_ptr<const FileSummary>> summaries, const Packages& packages,
                   const BtcppOptions& options)
    : versions_(summaries.size()),
      is_told_(summaries.size()),
      is_migrated_(summaries.size()),
      is_refused_(summaries.size()),
      is_fork_(options.is_fork) {
  std::set<std::uint32_t> of_project;
  for (const auto& [folder, major] : options.told_versions) of_project.insert(major);
  for (std::size_t file = 0; file < summaries.size(); ++file) {
    const FileSummary& summary = *summaries[file];
    const auto of_package = options.told_versions.find(packages.folder(packages.of(file)));
    std::optional<std::uint32_t> told;  // the major version
    if (options.version || is_fork_) {
      told = options.version ? options.version->major : Version{}.major;
    } else if (summary.format == "3" || summary.format == "4") {
      told = summary.format == "3" ? 3 : 4;
    } else if (of_package != options.told_versions.end()) {
      told = of_package->second;
    } else if (of_project.size() == 1) {
      told = *of_project.begin();
    }
    is_told_[file] = told.has_value();
    versions_[file] = options.version ? *options.version : told == 3U ? kOf3 : Version{};
    is_refused_[file] = told == 4U && summary.is_of_format_3;
    is_migrated_[file] = summary.format != "4" && (told == 3U || (!told && summary.is_of_format_3));
    if (is_migrated_[file] && !told) versions_[file] = kOf3;
    if (!options.version && !is_fork_ && !fork_file_ && summary.is_of_fork) fork_file_ = file;
  }
  is_fork_ = is_fork_ || fork_file_;
}

bool Versions::is_older(const Version& version) const {
  return is_fork_ ||
         std::any_of(versions_.begin(), versions_.end(), [&](const Version& each) { return each < version; });
}

}  // namespace espalier::dialects::btcpp

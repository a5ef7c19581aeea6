// Files beside trees. See package_files.h.
#include "project/package_files.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dialects/btcpp/options.h"
#include "dialects/btcpp/packages.h"
#include "project/incremental/file_facts.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
namespace btcpp = dialects::btcpp;

constexpr std::string_view kLibrary = "behaviortree_cpp";
constexpr std::string_view kOfVersion3 = "_v3";
constexpr std::string_view kToldBy[] = {"package.xml", "CMakeLists.txt"};
constexpr std::size_t kMostBytes = 1 << 20;   // of a file
constexpr std::size_t kMostEntries = 20'000;  // of a package
constexpr std::size_t kMostSources = 1'000;

// The major versions that a text names: as a package, or as the folder of headers.
void add_versions(std::string_view text, std::set<std::uint32_t>& versions) {
  for (std::size_t at = text.find(kLibrary); at != std::string_view::npos; at = text.find(kLibrary, at + 1)) {
    const std::string_view after = text.substr(at + kLibrary.size());
    const bool is_longer = !after.empty() && (after[0] == '_' || (after[0] >= 'a' && after[0] <= 'z') ||
                                              (after[0] >= '0' && after[0] <= '9'));
    if (after.starts_with(kOfVersion3)) {
      versions.insert(3);
    } else if (!is_longer) {
      versions.insert(4);
    }
  }
}

bool is_source(const fs::path& path) {
  const std::string suffix = text::lower_case(path.extension().generic_string());
  for (const std::string_view each : {".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh"}) {
    if (suffix == each) return true;
  }
  return false;
}

class VersionReader {
 public:
  VersionReader(const Files& files, const std::string& folder) : files_(files), folder_(folder) {}

  // The one that is named, first where packages say what they need.
  std::optional<std::uint32_t> read(bool in_sources) {
    for (const std::string_view name : kToldBy) {
      std::set<std::uint32_t> versions;
      add((folder_ + '/').append(name), versions);
      if (versions.size() == 1) return *versions.begin();
    }
    if (!in_sources) return std::nullopt;
    std::set<std::uint32_t> versions;
    return add_sources(versions) && versions.size() == 1 ? std::optional(*versions.begin()) : std::nullopt;
  }

 private:
  void add(const std::string& path, std::set<std::uint32_t>& versions) const {
    std::string bytes;
    std::string error;
    if (files_.is_file(path) && files_.read(path, kMostBytes, bytes, error)) add_versions(bytes, versions);
  }

  // False: there are too many.
  bool add_sources(std::set<std::uint32_t>& versions) const {
    std::error_code error;
    std::size_t entry_count = 0;
    std::size_t source_count = 0;
    fs::recursive_directory_iterator entry(folder_, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (++entry_count > kMostEntries) return false;
      const fs::path& path = entry->path();
      std::error_code unknown;
      if (entry->is_directory(unknown)) {
        const bool is_other = fs::exists(path / "package.xml", unknown);
        if (is_other || path.filename().generic_string().starts_with('.')) entry.disable_recursion_pending();
      } else if (is_source(path)) {
        if (++source_count > kMostSources) return false;
        add(path.generic_string(), versions);
      }
    }
    return true;
  }

  const Files& files_;
  const std::string& folder_;
};

std::string_view root_of(const SnapshotFile& file) {
  if (!file.place.is_tree) return {};
  if (file.facts != nullptr) return file.facts->root_name;
  if (file.parsed == nullptr || !file.parsed->has_document) return {};
  return text::XmlDocument(file.parsed, file.id).root_name() == "root" ? "root" : std::string_view();
}

bool says_format(const SnapshotFile& file) {
  if (file.parsed != nullptr) return file.parsed->text.find("BTCPP_format") != std::string_view::npos;
  return file.facts == nullptr || file.facts->summary == nullptr || !file.facts->summary->format.empty();
}

void read_models(const Collection& collection, const Files& files, Snapshot& snapshot) {
  auto& all = snapshot.configuration.dialects.edit<dialects::BtcppOptions>().editor_models;
  all.clear();
  for (const std::string& path : collection.editor_projects) {
    btcpp::EditorModels models{path, {}, {}};
    std::string error;
    if (!files.read(path, text::kMaxFileBytes, models.text, error)) continue;
    text::Findings findings;  // its faults are its editor's
    const auto document =
        text::XmlDocument::parse(shown_path(path), models.text, snapshot.sources, findings, {.is_lenient = true});
    if (document == nullptr || !document->root()) continue;
    models.models = btcpp::read_models(document->root());
    all.push_back(std::move(models));
  }
}

}  // namespace

std::span<const std::string_view> files_that_tell_versions() { return kToldBy; }

bool may_tell_version(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  return std::find(std::begin(kToldBy), std::end(kToldBy), name.generic_string()) != std::end(kToldBy) ||
         is_source(name);
}

VersionNeeded version_needed(const SnapshotFile& file) {
  if (root_of(file) != "root") return VersionNeeded::never;
  return says_format(file) ? VersionNeeded::if_package_says : VersionNeeded::always;
}

std::map<std::string, std::uint32_t, std::less<>> read_versions(const Files& files, const Snapshot& snapshot) {
  std::vector<dialects::File> trees;
  std::vector<dialects::OtherFile> others;
  std::vector<bool> need_sources;
  for (const SnapshotFile& file : snapshot.files) {
    const VersionNeeded needs = version_needed(file);
    if (needs != VersionNeeded::never) {
      dialects::File& tree = trees.emplace_back();
      tree.path = file.place.path;
      tree.folder = file.place.folder;
      need_sources.push_back(needs == VersionNeeded::always);
    } else {
      others.emplace_back().path = file.place.path;
    }
  }
  const btcpp::Packages packages(trees, others);
  std::map<std::size_t, bool> needs_sources;  // of packages with trees
  for (std::size_t i = 0; i < trees.size(); ++i) {
    bool& needs = needs_sources[packages.of(i)];
    needs = needs || need_sources[i];
  }
  std::map<std::string, std::uint32_t, std::less<>> told;
  for (const auto& [package, needs] : needs_sources) {
    const std::string folder(packages.folder(package));
    const std::string& place = package == 0 ? trees.front().folder : folder;
    if (place.empty()) continue;
    if (const auto version = VersionReader(files, place).read(needs)) told[folder] = *version;
  }
  return told;
}

void read_package_files(const Collection& collection, const Files& files, Snapshot& snapshot) {
  bool has_trees = false;
  for (const SnapshotFile& file : snapshot.files) has_trees = has_trees || root_of(file) == "root";
  if (!has_trees) return;
  snapshot.configuration.dialects.edit<dialects::BtcppOptions>().told_versions = read_versions(files, snapshot);
  read_models(collection, files, snapshot);
}

}  // namespace espalier::project

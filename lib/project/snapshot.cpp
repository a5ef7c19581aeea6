// Takes a snapshot: configuration, files, parsing. See snapshot.h.
#include "project/snapshot.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "dialects/btcpp/packages.h"
#include "dialects/dialect.h"
#include "dialects/modular/options.h"
#include "project/includes.h"
#include "project/incremental/facts_reader.h"
#include "project/incremental/file_facts.h"
#include "project/incremental/kept_facts.h"
#include "project/inside.h"
#include "project/package_files.h"
#include "project/place.h"
#include "project/read_files.h"
#include "rules/xml.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;
using text::Rule;

// Reads the given configuration, or the nearest one above a path: that of the first path by name that has one, so that
// the order of paths does not matter.
bool load_configuration(const LoadOptions& options, Files files, Snapshot& snapshot, LoadErrors& errors,
                        ReadLog& reads) {
  std::string path = options.configuration_path;
  if (path.empty()) {
    std::vector<std::string> paths;
    for (const std::string& each : options.paths) paths.push_back(file_of(each, options));
    if (paths.empty()) paths.emplace_back(".");
    std::sort(paths.begin(), paths.end());
    for (std::size_t i = 0; i < paths.size() && path.empty(); ++i) path = nearest_configuration(paths[i], files);
  }
  snapshot.configuration.host_files = options.host_files;
  files.log_reads(&reads);
  if (path.empty()) {
    if (!options.host_files.empty())
      read_host_files(files, snapshot.sources, snapshot.configuration, snapshot.findings);
    return true;
  }
  std::string error;
  if (read_configuration(path, files, snapshot.sources, snapshot.configuration, snapshot.findings, error,
                         options.paths)) {
    snapshot.read_paths = snapshot.configuration.read_paths;
    snapshot.configuration.has_errors = snapshot.findings.has_errors();
    return true;
  }
  errors.messages.push_back(error);
  return false;
}

// The folder of espalier.json, without links; empty if there is no such file.
std::string folder_of(const Configuration& configuration) {
  if (configuration.path.empty()) return {};
  std::error_code error;
  return fs::canonical(fs::absolute(configuration.path, error).parent_path(), error).generic_string();
}

// The paths of the configuration; without any, its folder.
std::vector<std::string> paths_of(const Configuration& configuration) {
  const fs::path folder = fs::path(configuration.path).parent_path();
  std::vector<std::string> paths;
  for (const std::string& path : configuration.paths) paths.push_back((folder / path).generic_string());
  if (paths.empty()) paths.push_back(folder.empty() ? "." : folder.generic_string());
  return paths;
}

// The paths to read, and which of them were given.
struct Extent {
  std::vector<std::string> paths;
  std::vector<std::string> rest;  // the rest of the project of a named file
  bool is_partial = false;        // some named files belong to a project that is not given
};

// The nearest folder above a file that is a ROS package; empty: there is none.
std::string package_above(const std::string& file, const Files& disk) {
  std::error_code error;
  for (fs::path folder = fs::absolute(file, error).lexically_normal().parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (disk.is_file(folder.generic_string() + std::string(dialects::btcpp::kPackageFile)))
      return folder.generic_string();
    if (folder == folder.parent_path()) break;
  }
  return {};
}

Extent extent_of(const LoadOptions& options, const Files& disk, const Configuration& configuration,
                 const std::string& folder) {
  Extent extent;
  extent.paths = options.paths;
  if (extent.paths.empty()) {
    extent.paths = configuration.path.empty() ? std::vector<std::string>{"."} : paths_of(configuration);
    return extent;
  }
  std::vector<std::string> folders;
  std::vector<std::string> files;
  for (const std::string& path : options.paths) {
    std::error_code error;
    const std::string& file = file_of(path, options);
    (fs::is_directory(file, error) ? folders : files).push_back(file);
  }
  // A run has one configuration: files of several projects are not read as one project.
  const auto is_of_another = [&](const std::string& file) {
    const std::string nearest = nearest_configuration(file, disk);
    return !nearest.empty() && nearest != configuration.path;
  };
  const bool is_mixed = options.configuration_path.empty() && std::any_of(files.begin(), files.end(), is_of_another);
  const bool is_isolated = options.is_isolated || is_mixed || folder.empty();
  // Standard input without a name could be any file of the project, and then its names would exist twice.
  const auto is_of_project = [&](const std::string& file) {
    return !is_isolated && file != kStandardInput && is_inside(file, folder);
  };
  const auto is_in_folder = [&](const std::string& file) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& each) { return is_inside(file, each); });
  };
  for (const std::string& file : files) {
    if (is_of_project(file)) {
      if (extent.rest.empty()) extent.rest = paths_of(configuration);
    } else if (!is_in_folder(file)) {
      extent.is_partial = true;
      // Without espalier.json, of a file's project its package is known, though there may be others.
      const bool may_have_package = folder.empty() && !options.is_isolated && !is_mixed && file != kStandardInput;
      const std::string package = may_have_package ? package_above(file, disk) : std::string();
      if (!package.empty() && std::find(extent.rest.begin(), extent.rest.end(), package) == extent.rest.end())
        extent.rest.push_back(package);
    }
  }
  return extent;
}

// Reports links in a given folder that are not followed.
void report_outside(const std::vector<std::string>& links, Snapshot& snapshot) {
  for (const std::string& link : links) {
    const text::FileId file = snapshot.sources.add(link, {});
    snapshot.findings.add(rules::XML_link_outside, {file, 0, 0}, "the link leads out of the folder and is not followed",
                          "name its target on the command line, or exclude it in espalier.json");
  }
}

void report_broken(const std::vector<std::string>& links, Snapshot& snapshot) {
  for (const std::string& link : links) {
    const text::FileId file = snapshot.sources.add(link, {});
    snapshot.findings.add(rules::XML_broken_link, {file, 0, 0}, "the link leads to no file",
                          "remove the link, or restore its target");
  }
}

// All folders above a tree.
std::set<fs::path> find_folders_with_trees(const Collection& collection, const std::vector<ReadFile>& read) {
  std::set<fs::path> with_trees = {{}};
  std::unordered_set<std::string_view> seen;  // the nearest ones: most trees have many neighbours
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i].passed_over.empty()) continue;
    for (const std::string* file : {&collection.files[i].canonical, &collection.files[i].open_path}) {
      if (!seen.insert(std::string_view(*file).substr(0, file->find_last_of("/\\"))).second) continue;
      fs::path path = *file;
      while (with_trees.insert(path).second && path.has_relative_path()) path = path.parent_path();
    }
  }
  return with_trees;
}

// A given folder without trees is a mistake.
void expect_trees(const Collection& collection, const std::vector<ReadFile>& read, const std::set<fs::path>& with_trees,
                  LoadErrors& errors) {
  for (const InputFolder& folder : collection.folders) {
    const bool has_links = !collection.outside.empty() || !collection.broken.empty();  // reported elsewhere
    if (has_links || with_trees.count(folder.canonical) != 0) continue;
    const auto is_in_it = [&](const InputFile& file) { return is_below(file.canonical, folder.canonical); };
    if (std::none_of(collection.files.begin(), collection.files.end(), is_in_it)) continue;  // reported elsewhere
    std::string roots;
    for (const dialects::Dialect& dialect : dialects::all()) {
      for (const std::string_view root : dialects::roots_of(dialect))
        roots += (roots.empty() ? "" : ", ") + text::quote(root);
    }
    std::string reason = "no file has one of the root elements " + roots;
    errors.hint = "name the folder that has the trees";
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i].passed_over.empty() || !is_in_it(collection.files[i])) continue;
      errors.hint = text::quote(collection.files[i].shown) + " is skipped: " + read[i].passed_over + "; " + errors.hint;
      break;
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (!read[i].is_of_another_format || !is_in_it(collection.files[i])) continue;
      reason = text::quote(collection.files[i].shown) + " is not one: " + read[i].passed_over;
      break;
    }
    errors.messages.push_back("no trees in '" + (folder.shown.empty() ? "." : folder.shown) + "': " + reason);
  }
}

// Folders whose trees an espalier.json of their own would configure.
void note_configured(const Collection& collection, const std::set<fs::path>& with_trees, Snapshot& snapshot) {
  for (const InputFolder& folder : collection.configured) {
    if (with_trees.count(folder.canonical) != 0) snapshot.configured.push_back(folder.shown);
  }
  std::sort(snapshot.configured.begin(), snapshot.configured.end());
}

// Skipped files, sorted by path.
void note_skipped(const Collection& collection, const std::vector<ReadFile>& read, Snapshot& snapshot) {
  for (const std::string& path : collection.left_out) snapshot.skipped.push_back({path, "espalier.json excludes it"});
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].passed_over.empty() || collection.files[i].is_rest) continue;
    snapshot.skipped.push_back({collection.files[i].shown, read[i].passed_over});
  }
  std::sort(snapshot.skipped.begin(), snapshot.skipped.end(),
            [](const Skipped& a, const Skipped& b) { return a.path < b.path; });
}

// Adds the files that were read.
void take_files(const Collection& collection, std::vector<ReadFile>& read, const std::string& folder,
                Snapshot& snapshot, LoadErrors& errors) {
  for (std::size_t i = 0; i < read.size(); ++i) {
    const InputFile& input = collection.files[i];
    // An unreadable file of the rest was not named, but may declare what others refer to.
    if (!read[i].error.empty() && !input.is_rest) errors.messages.push_back(std::move(read[i].error));
    SnapshotFile& file = snapshot.files.emplace_back();
    file.parsed = std::move(read[i].parsed);
    file.facts = std::move(read[i].facts);
    file.place = place_in_project(input, folder);
    file.place.is_tree = read[i].passed_over.empty();
    file.open_path = input.open_path;
    const bool is_read = file.parsed != nullptr || (file.facts != nullptr && file.place.is_tree);
    if (is_read) {
      file.id = file.parsed != nullptr ? snapshot.sources.add(file.parsed->source)
                                       : snapshot.sources.add(input.shown, std::string());
      if (file.parsed != nullptr) snapshot.findings.add_files(file.parsed->findings, file.id);
      if (file.facts != nullptr && file.facts->summary != nullptr)
        file.place.summary = summary_in(file.id, *file.facts);
      if (input.is_rest) snapshot.rest.insert(file.id);
    }
    if (!file.place.is_tree) continue;
    if (input.canonical != kStandardInput) snapshot.read_paths.push_back(input.shown);
    if (!input.is_rest) ++snapshot.file_count;
  }
}

void take_includes(const std::vector<std::vector<FollowedInclude>>& includes, Snapshot& snapshot) {
  for (std::size_t i = 0; i < includes.size(); ++i) {
    for (const FollowedInclude& include : includes[i]) {
      dialects::Included& included = snapshot.files[i].place.includes.emplace_back();
      included.is_left_out = include.leads == FollowedInclude::Leads::to_what_is_left_out;
      included.is_elsewhere = include.is_elsewhere;
      if (include.leads == FollowedInclude::Leads::to_file) included.path = snapshot.files[include.file].place.path;
    }
  }
}

// Under which facts are kept: of all that a check depends on but the files of trees, and where they are.
ContentHash key_of(const LoadOptions& options, const Snapshot& snapshot, const std::string& folder, bool is_whole,
                   const ReadLog& reads) {
  std::error_code error;
  std::string all;
  const auto add = [&](std::string_view text) { all.append(text).push_back('\0'); };
  for (const std::string& text : {fs::current_path(error).generic_string(), folder, snapshot.configuration.path})
    add(text);
  for (const bool flag :
       {options.is_isolated, options.for_compiling, snapshot.lacks_rest, snapshot.configuration.dialects.is_partial}) {
    add(flag ? "yes" : "no");
  }
  add(std::to_string(static_cast<unsigned>(options.shown)));
  add(text_of(reads.hash()));
  // With some of its files, or none, named, a project has all its files.
  if (!is_whole) {
    for (const std::string& path : options.paths) add(path);
  }
  return content_hash(all);
}

// Resolving links is slow, so this is done only if there are overrides.
void find_paths_below(const std::string& folder, Snapshot& snapshot) {
  snapshot.paths_below.resize(snapshot.sources.size());
  if (snapshot.configuration.overrides.empty()) return;
  for (text::FileId file = 0; file < snapshot.sources.size(); ++file) {
    std::error_code error;
    const fs::path path = fs::absolute(snapshot.sources[file].path(), error).lexically_normal();
    std::string& below = snapshot.paths_below[file];
    below = path_below(folder, path.generic_string());
    if (below.empty()) below = path_below(folder, fs::weakly_canonical(path, error).generic_string());
  }
}

}  // namespace

const std::string& file_of(const std::string& path, const LoadOptions& options) {
  return path == kStandardInput && !options.stdin_filename.empty() ? options.stdin_filename : path;
}

bool take_snapshot(const LoadOptions& options, const Files& files, ParsedFiles& parsed, Snapshot& snapshot,
                   LoadErrors& errors, Progress* progress) {
  if (progress != nullptr) progress->begin("looking for files");
  const bool reads_standard_input =
      std::find(options.paths.begin(), options.paths.end(), kStandardInput) != options.paths.end();
  if (!options.stdin_filename.empty() && !reads_standard_input) {
    errors.messages.emplace_back("--stdin-filename needs '-' among the paths");
    return false;
  }
  ReadLog reads;
  const bool has_configuration = load_configuration(options, files, snapshot, errors, reads);
  snapshot.asked_paths = reads.paths();
  if (!has_configuration) return false;
  Configuration& configuration = snapshot.configuration;
  dialects::modular::forget_other_engines(configuration.dialects);
  const std::string folder = folder_of(configuration);
  const Extent extent = extent_of(options, files, configuration, folder);
  // A tree with a missing reference cannot run: a compiler must be given all of the project.
  configuration.dialects.is_partial = extent.is_partial && !options.for_compiling;
  snapshot.for_compiling = options.for_compiling;
  snapshot.keeps_written = options.keeps_written;
  snapshot.lacks_rest = extent.is_partial;
  snapshot.shown = options.shown;
  snapshot.thread_count = options.thread_count;
  const CollectOptions collecting{.ignore_files = options.ignore_files,
                                  .folder = folder,
                                  .include = &configuration.include,
                                  .exclude = &configuration.exclude,
                                  .stdin_filename = options.stdin_filename,
                                  .files = &files,
                                  .may_be_empty = options.may_be_empty};
  Collection collection = collect(extent.paths, extent.rest, collecting, errors.messages);
  if (collection.has_empty_folder) errors.hint = "name the folder that has the trees";
  if (!errors.messages.empty()) return false;
  for (const InputFile& file : collection.files) {
    if (!options.paths.empty() && !file.is_rest) snapshot.sources.show_as(file.shown, file.given);
  }
  std::optional<FactsReader> facts;
  if (options.kept != nullptr) {
    const bool is_whole = options.paths.empty() || (!extent.rest.empty() && !folder.empty());
    snapshot.kept_key = key_of(options, snapshot, folder, is_whole, reads);
    snapshot.kept = options.kept->find(snapshot.kept_key);
    facts.emplace(snapshot.kept.get(), configuration.dialects, folder, options.skip_unknown);
  }
  const auto read_these = [&](const std::vector<InputFile>& inputs) {
    return read_files(inputs, files, options.skip_unknown, options.thread_count, parsed, facts ? &*facts : nullptr,
                      progress);
  };
  std::vector<ReadFile> read = read_these(collection.files);
  std::vector<std::vector<FollowedInclude>> includes;
  if (!options.is_isolated)
    includes = follow_includes(configuration.dialects, collecting, read_these, collection, read);
  note_skipped(collection, read, snapshot);
  const std::set<fs::path> with_trees = find_folders_with_trees(collection, read);
  note_configured(collection, with_trees, snapshot);
  take_files(collection, read, folder, snapshot, errors);
  take_includes(includes, snapshot);
  read_package_files(collection, files, snapshot);
  if (errors.messages.empty() && !options.may_be_empty) expect_trees(collection, read, with_trees, errors);
  if (!errors.messages.empty()) return false;
  report_outside(collection.outside, snapshot);
  report_broken(collection.broken, snapshot);
  find_paths_below(folder, snapshot);
  return true;
}

}  // namespace espalier::project

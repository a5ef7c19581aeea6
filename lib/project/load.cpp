// Loads a project from disk. See project.h.
#include <algorithm>
#include <map>
#include <utility>

#include "project/check.h"
#include "project/incremental/kept_check.h"
#include "project/project.h"
#include "system/filesystem.h"

namespace espalier::project {

std::vector<std::vector<std::string>> paths_by_project(const LoadOptions& options) {
  std::map<std::string, std::vector<std::string>> projects;
  std::vector<std::string> others;
  for (const std::string& path : options.paths) {
    const std::string nearest =
        options.configuration_path.empty() ? nearest_configuration(file_of(path, options)) : std::string();
    (nearest.empty() ? others : projects[nearest]).push_back(path);
  }
  if (projects.empty()) return {others};
  std::vector<std::vector<std::string>> result;
  result.reserve(projects.size());
  for (auto& [configuration, paths] : projects) result.push_back(std::move(paths));
  result.front().insert(result.front().end(), others.begin(), others.end());
  return result;
}

namespace {

namespace fs = system::filesystem;

bool load_from(const Files& files, const LoadOptions& options, Project& project, LoadErrors& errors,
               Progress* progress) {
  ParsedFiles kept_by_nobody(0);
  ParsedFiles& parsed = options.parsed == nullptr ? kept_by_nobody : *options.parsed;
  project = {};
  if (!take_snapshot(options, files, parsed, project.snapshot, errors, progress)) {
    project.findings = project.snapshot.findings;
    return false;
  }
  Checked checked = options.keeps_parsed ? check(project.snapshot, progress) : check_once(project.snapshot, progress);
  project.ir = std::move(checked.ir);
  project.findings = std::move(checked.findings);
  return true;
}

// Can the inputs be read twice? Pipes cannot.
bool is_repeatable(const LoadOptions& options) {
  std::error_code error;
  return std::all_of(options.paths.begin(), options.paths.end(), [&](const std::string& path) {
    return path != kStandardInput && (fs::is_directory(path, error) || fs::is_regular_file(path, error));
  });
}

}  // namespace

bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress) {
  return load_from(options.files == nullptr ? Files() : *options.files, options, project, errors, progress);
}

bool load_findings(const LoadOptions& options, const std::function<void(Project& project)>& complete, Project& project,
                   LoadErrors& errors, Progress* progress) {
  const Files files;
  LoadOptions what = options;
  if (!is_repeatable(options)) what.kept = nullptr;
  if (what.kept != nullptr) {
    ParsedFiles kept_by_nobody(0);
    project = {};
    if (!take_snapshot(what, files, options.parsed == nullptr ? kept_by_nobody : *options.parsed, project.snapshot,
                       errors, progress)) {
      project.findings = project.snapshot.findings;
      return false;
    }
    if (check_with_kept(files, *what.kept, complete, project, progress)) return true;
    what.kept = nullptr;  // files change while they are read
  }
  if (!load_from(files, what, project, errors, progress)) return false;
  if (complete) complete(project);
  return true;
}

}  // namespace espalier::project

// Loads a project from disk. See project.h.
#include <map>
#include <utility>

#include "project/check.h"
#include "project/project.h"

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

bool load(const LoadOptions& options, Project& project, LoadErrors& errors, Progress* progress) {
  ParsedFiles kept_by_nobody(0);
  project = {};
  if (!take_snapshot(options, {}, kept_by_nobody, project.snapshot, errors, progress)) {
    project.findings = project.snapshot.findings;
    return false;
  }
  Checked checked = check_once(project.snapshot, progress);
  project.ir = std::move(checked.ir);
  project.findings = std::move(checked.findings);
  return true;
}

}  // namespace espalier::project

// What changes on disk while an editor has a project open: the editor is asked to watch, where it can; where it cannot,
// the files that are known are looked at whenever one is opened or saved. See server.h.
#include <algorithm>
#include <set>
#include <utility>

#include "editor/server_methods.h"
#include "editor/uri.h"
#include "project/configuration.h"
#include "system/filesystem.h"

namespace espalier::editor {
namespace {

namespace fs = system::filesystem;

// Names of files on which findings can depend: trees, models, packages, configurations; C++ may tell which version of a
// library trees are for.
constexpr const char* kWatched[] = {"*.{xml,debt,btproj,json}", "{CMakeLists.txt,.gitignore}",
                                    "*.{cc,cpp,cxx,h,hh,hpp}"};
constexpr std::size_t kMostFolders = 100;  // that are watched outside of those that the editor shows
constexpr int kChanged = 2;                // of FileChangeType

bool is_configuration(const std::string& path) {
  return path.ends_with(std::string("/") + project::kConfigurationName);
}

}  // namespace

Json Server::initialized(const Json&) {
  if (!takes_watchers_) return nullptr;
  Json watchers = Json::array();
  for (const char* const names : kWatched) watchers.push_back({{"globPattern", std::string("**/") + names}});
  watch(std::move(watchers));
  return nullptr;
}

void Server::watch(Json watchers) {
  const std::string id = "espalier.watch." + std::to_string(++request_count_);
  const Json registration = {{"id", id},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}};
  send_({{"jsonrpc", "2.0"},
         {"id", id},
         {"method", "client/registerCapability"},
         {"params", {{"registrations", Json::array({registration})}}}});
}

// A project was read: what of it is not below the editor's folders is watched too.
void Server::watch_outside(const LiveProject& project) {
  Json watchers = Json::array();
  for (const std::string& path : project.paths_on_disk()) {
    const auto is_around = [&](const std::string& folder) { return path.starts_with(folder + '/'); };
    const std::string folder = path.substr(0, path.find_last_of('/'));
    const bool is_shown = std::any_of(folders_.begin(), folders_.end(), is_around);
    if (is_shown || watched_.size() == kMostFolders || !watched_.insert(folder).second) continue;
    for (const char* const names : kWatched)
      watchers.push_back({{"globPattern", {{"baseUri", uri_of_path(folder)}, {"pattern", names}}}});
  }
  if (!watchers.empty()) watch(std::move(watchers));
}

Server::Stamp Server::stamp_of(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return {};
  const std::uintmax_t size = fs::file_size(path, error);
  return {static_cast<std::int64_t>(time.time_since_epoch().count()), error ? 0 : size};
}

void Server::note_disk(const LiveProject& project) {
  if (takes_relative_patterns_) return watch_outside(project);
  if (takes_watchers_) return;
  for (const std::string& path : project.paths_on_disk()) stamps_.try_emplace(path, stamp_of(path));
}

void Server::look_at_disk() {
  if (takes_watchers_) return;
  std::vector<std::string> changed;
  for (auto& [path, stamp] : stamps_) {
    const Stamp now = stamp_of(path);
    if (now != std::exchange(stamp, now)) changed.push_back(path);
  }
  take_from_disk(changed);
}

Json Server::did_change_files(const Json& parameters) {
  std::vector<std::string> paths;
  std::vector<std::string> configurations;  // that came or went
  for (const Json& change : parameters.value("changes", Json::array())) {
    const std::string path = path_of_uri(change.at("uri").get<std::string>());
    if (path.empty()) continue;
    paths.push_back(canonical_path(path));
    if (change.value("type", kChanged) != kChanged && is_configuration(path)) configurations.push_back(paths.back());
  }
  for (const std::string& path : configurations) regroup(path);
  take_from_disk(paths);
  return nullptr;
}

void Server::take_from_disk(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  std::vector<LiveProject*> changed;
  for (const auto& [key, project] : projects_) {
    for (const std::string& path : paths) project->touch(path);
    const std::vector<FileId> files = project->update();
    publish(*project, files);
    if (!files.empty()) changed.push_back(project.get());
  }
  for (LiveProject* const project : changed) check_beside(*project);
}

// An espalier.json came or went: files around it may belong to other projects now.
void Server::regroup(const std::string& configuration) {
  project_keys_.clear();
  const std::string folder = configuration.substr(0, configuration.find_last_of('/') + 1);
  std::vector<std::string> gone;
  std::erase_if(projects_, [&](const auto& each) {
    const auto& [key, project] = each;
    if (!key.starts_with(folder) && !configuration.starts_with(key + '/')) return false;
    for (std::string& path : project->paths_with_findings()) gone.push_back(std::move(path));
    return true;
  });
  loads_.clear();
  for (auto& [path, open] : texts_) open.is_changed = true;
  check_texts();
  clear(gone);
}

// Takes back the diagnostics of files that no project has any more.
void Server::clear(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const auto has_it = [&](const auto& project) { return project.second->file_at(path).has_value(); };
    if (std::any_of(projects_.begin(), projects_.end(), has_it) || shown_.erase(path) == 0) continue;
    notify("textDocument/publishDiagnostics", {{"uri", uri_of_path(path)}, {"diagnostics", Json::array()}});
  }
}

}  // namespace espalier::editor

// What an edit changes. See live_project.h.
#include "editor/live_project.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/options.h"
#include "dialects/btcpp/packages.h"
#include "project/package_files.h"
#include "project/roots.h"
#include "system/filesystem.h"
#include "text/root_name.h"

namespace espalier::editor {
namespace {

constexpr std::size_t kMaxKeptFiles = 1'000'000;
// If an edit needs more files than these, the edited one is checked first.
constexpr std::size_t kMostAtOnce = 256;
// If more trees than these change at once, such as by a checkout, everything is read again.
constexpr std::size_t kMostEdits = 32;

constexpr std::string_view kReadAgainAfter[] = {"/.gitignore", "/espalier.json", ".btproj"};  // ends of paths

std::unordered_map<FileId, std::vector<text::Finding>> by_file(const text::Findings& findings) {
  std::unordered_map<FileId, std::vector<text::Finding>> result;
  for (const text::Finding& finding : findings.all()) result[finding.span.file].push_back(finding);
  return result;
}

// Has the file the content of its root element's dialect?
bool is_tree(const project::SnapshotFile& file) {
  if (!file.parsed->has_document) return false;
  const text::XmlDocument document(file.parsed, file.id);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  return dialect != nullptr && (dialect->is_tree == nullptr || dialect->is_tree(document));
}

}  // namespace

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto absolute = system::filesystem::absolute(path, error);
  const auto canonical = system::filesystem::weakly_canonical(absolute, error);
  return (error ? absolute : canonical).lexically_normal().generic_string();
}

LiveProject::LiveProject(project::LoadOptions options) : options_(std::move(options)), parsed_(kMaxKeptFiles) {}

void LiveProject::set_text(const std::string& path, std::optional<std::string> text) {
  changes_[canonical_path(path)] = std::move(text);
}

void LiveProject::touch(const std::string& path) {
  std::string canonical = canonical_path(path);
  const auto open = texts_.find(canonical);
  if (open == texts_.end()) {
    changes_.try_emplace(std::move(canonical), std::nullopt);
  } else if (const std::optional<FileId> file = file_at(canonical); !file || tree_file(*file) == nullptr) {
    changes_.try_emplace(std::move(canonical), open->second);  // whether it is on disk can matter nevertheless
  }
}

std::vector<std::string> LiveProject::paths_with_findings() const {
  std::vector<std::string> paths;
  for (const auto& [file, findings] : findings_) paths.push_back(paths_[file]);
  return paths;
}

std::vector<std::string> LiveProject::paths_on_disk() const {
  std::vector<std::string> paths = paths_;
  std::set<std::string> folders = {folder()};
  for (const project::SnapshotFile& file : snapshot_.files) {
    const std::string& path = file.place.path;
    if (path.ends_with(dialects::btcpp::kPackageFile))
      folders.insert(path.substr(0, path.size() - dialects::btcpp::kPackageFile.size()));
  }
  for (const std::string& folder : folders) {
    if (folder.empty()) continue;
    for (const std::string_view name : project::files_that_tell_versions())
      paths.push_back(folder + '/' + std::string(name));
  }
  return paths;
}

const std::vector<text::Finding>& LiveProject::findings_of(FileId file) const {
  static const std::vector<text::Finding> kNone;
  const auto found = findings_.find(file);
  return found == findings_.end() ? kNone : found->second;
}

std::string LiveProject::folder() const {
  namespace fs = system::filesystem;
  if (!options_.configuration_path.empty()) return fs::path(options_.configuration_path).parent_path().generic_string();
  std::error_code error;
  const bool has_folder = options_.paths.size() == 1 && fs::is_directory(options_.paths.front(), error);
  return has_folder ? options_.paths.front() : std::string();
}

std::optional<FileId> LiveProject::file_at(const std::string& path) const {
  auto found = file_of_path_.find(path);
  if (found == file_of_path_.end()) found = file_of_path_.find(canonical_path(path));
  return found == file_of_path_.end() ? std::nullopt : std::optional(found->second);
}

const project::SnapshotFile* LiveProject::tree_file(FileId file) const {
  const auto found = number_of_.find(file);
  return found == number_of_.end() ? nullptr : &snapshot_.files[found->second];
}

std::vector<FileId> LiveProject::update() {
  bool is_known = is_loaded_;
  std::size_t tree_count = 0;
  FileSet changed;
  for (const auto& [path, text] : std::exchange(changes_, {})) {
    if (text) {
      files_.set_text(path, *text);
      texts_[path] = *text;
    } else {
      files_.drop_text(path);
      texts_.erase(path);
    }
    const std::optional<FileId> file = is_known ? file_at(path) : std::nullopt;
    if (file && tree_file(*file) != nullptr) is_known = ++tree_count <= kMostEdits;
    is_known = is_known && change(path, changed);
  }
  if (is_known && std::exchange(may_tell_otherwise_, false)) {
    const auto& told = snapshot_.configuration.dialects.of<dialects::BtcppOptions>().told_versions;
    is_known = project::read_versions(files_, snapshot_) == told;
  }
  if (!is_known) return load();
  return {changed.begin(), changed.end()};
}

// Everything anew.
std::vector<FileId> LiveProject::load() {
  ++load_count_;
  const std::vector<std::string> before = paths_with_findings();
  may_tell_otherwise_ = false;
  snapshot_ = {};
  index_.clear();
  findings_.clear();
  dependents_.clear();
  quiet_.clear();
  rest_.clear();
  file_of_path_.clear();
  number_of_.clear();
  project::LoadErrors errors;
  const bool is_taken = project::take_snapshot(options_, files_, parsed_, snapshot_, errors);
  snapshot_.keeps_findings_in_file = true;
  snapshot_.sources.show_plainly();  // nothing is reported here, and each check has a copy
  errors_ = std::move(errors.messages);
  is_loaded_ = is_taken;
  paths_.assign(snapshot_.sources.size(), {});
  if (!is_taken) snapshot_.files.clear();
  for (std::size_t i = 0; i < snapshot_.files.size(); ++i) {
    const project::SnapshotFile& file = snapshot_.files[i];
    if (file.parsed == nullptr) continue;
    number_of_[file.id] = i;
    paths_[file.id] = file.place.path;
    file_of_path_[file.place.path] = file.id;
    file_of_path_.emplace(canonical_path(file.place.path), file.id);
    set_facts(snapshot_.files[i]);
  }
  for (FileId file = 0; file < snapshot_.sources.size(); ++file) {
    if (!paths_[file].empty()) continue;
    paths_[file] = canonical_path(snapshot_.sources[file].path());
    file_of_path_.emplace(paths_[file], file);
  }
  dependents_.link();
  declare_models();
  was_damaged_ = !dependents_.damaged().empty();
  faults_ = {};
  for (const text::Finding& finding : snapshot_.findings.all()) {
    if (number_of_.count(finding.span.file) == 0) faults_.add(finding);
  }
  const text::Findings found = is_taken ? project::check(snapshot_).findings : snapshot_.findings;
  for (auto& [file, findings] : by_file(found)) set_findings(file, std::move(findings));
  const auto is_gone = [&](const std::string& path) { return file_of_path_.count(path) == 0; };
  std::copy_if(before.begin(), before.end(), std::back_inserter(gone_), is_gone);
  std::vector<FileId> all(snapshot_.sources.size());
  for (FileId file = 0; file < all.size(); ++file) all[file] = file;
  return all;
}

// Brings what is known of a file up to date with its text.
void LiveProject::set_facts(project::SnapshotFile& file) {
  auto facts = std::make_shared<project::FileFacts>(project::facts_of(file.parsed, file.place));
  facts->includes = includes_of(file);
  file.facts = std::move(facts);
  file.place.summary.reset();
  if (file.facts->summary != nullptr) file.place.summary = project::summary_in(file.id, *file.facts);
  dependents_.set_facts(file);
  FileNames names;
  if (file.parsed->has_document) {
    const text::XmlDocument document(file.parsed, file.id);
    if (const dialects::Dialect* const dialect = dialects::find_owner(document.root_name()))
      names = project::names_of(document, *dialect, file.place);
  }
  index_.set(file.id, std::move(names));
}

void LiveProject::declare_models() {
  dialects::btcpp::Summaries summaries;
  for (const FileId file : connections().joined())
    summaries.push_back(dialects::btcpp::summary_of(tree_file(file)->place));
  dialects::btcpp::declare_models(summaries, snapshot_.configuration.dialects);
}

// What the file includes, if it can include others.
std::vector<std::string> LiveProject::includes_of(const project::SnapshotFile& file) const {
  if (!file.parsed->has_document) return {};
  const text::XmlDocument document(file.parsed, file.id);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  if (dialect == nullptr || dialect->includes == nullptr) return {};
  return dialect->includes(document, file.place.path, snapshot_.configuration.dialects);
}

// Is a file that is not of the project now one that would be read as a tree?
bool LiveProject::may_be_tree(const std::string& path) const {
  std::string bytes;
  std::string error;
  if (!path.ends_with(".xml") && !path.ends_with(".debt")) return false;
  if (!files_.read(path, text::kMaxFileBytes, bytes, error)) return false;
  const std::optional<std::string> root = text::root_name(bytes);
  return root && project::kind_of_root(*root) != project::Root::other;
}

// Does an include name it, though it need not exist?
bool LiveProject::is_included(const std::string& path) const {
  const std::string name = path.substr(path.find_last_of('/'));
  for (const project::SnapshotFile& file : snapshot_.files) {
    if (file.facts == nullptr) continue;
    for (const std::string& each : file.facts->includes) {
      if (each.ends_with(name) && canonical_path(each) == path) return true;
    }
  }
  return false;
}

// May what is found depend on a file that is no tree of the project, or on a folder?
bool LiveProject::depends_on(const std::string& path) const {
  if (file_of_path_.count(path) != 0) return true;  // a file of the configuration
  for (const std::string_view end : kReadAgainAfter) {
    if (path.ends_with(end)) return true;
  }
  if (path.ends_with(dialects::btcpp::kPackageFile)) {
    const auto is_it = [&](const project::SnapshotFile& file) { return file.place.path == path; };
    const bool was_there = std::any_of(snapshot_.files.begin(), snapshot_.files.end(), is_it);
    if (was_there != files_.is_file(path)) return true;
  }
  const std::string_view name = std::string_view(path).substr(path.find_last_of('/') + 1);
  for (const std::string& each : snapshot_.asked_paths) {
    if (each.ends_with(name) && canonical_path(each) == path) return true;
  }
  const auto is_in_it = [folder = path + '/'](const std::string& each) { return each.starts_with(folder); };
  if (std::any_of(paths_.begin(), paths_.end(), is_in_it)) return true;
  return may_be_tree(path) || is_included(path);
}

// Takes the new text of a file, and checks what depends on it. False: everything must be read again.
bool LiveProject::change(const std::string& path, FileSet& changed) {
  if (project::may_tell_version(path)) {
    may_tell_otherwise_ = true;
    if (!path.ends_with(dialects::btcpp::kPackageFile)) return true;
  }
  const std::optional<FileId> id = file_at(path);
  if (!id || number_of_.count(*id) == 0) return !depends_on(path);
  return edit(snapshot_.files[number_of_[*id]], path, changed);
}

bool LiveProject::edit(project::SnapshotFile& file, const std::string& path, FileSet& changed) {
  std::string bytes;
  std::string error;
  if (!files_.read(path, text::kMaxFileBytes, bytes, error)) return false;
  const std::shared_ptr<const text::ParsedXml> parsed = parsed_.parse(file.parsed->source->path(), std::move(bytes));
  if (parsed == file.parsed) {
    changed.insert(file.id);
    return true;
  }
  const project::VersionNeeded needed = project::version_needed(file);
  file.parsed = parsed;
  const std::shared_ptr<const project::FileFacts> before = file.facts;
  snapshot_.sources.replace(file.id, file.parsed->source);
  set_facts(file);
  may_tell_otherwise_ = may_tell_otherwise_ || project::version_needed(file) != needed;
  // While it is edited it stays a tree. On disk it may be something else now.
  if (texts_.count(path) == 0 && (file.facts->root_name != before->root_name || !is_tree(file))) return false;
  if (file.facts->includes != before->includes) return false;
  if (before->is_damaged && !file.facts->is_damaged && was_damaged_) return false;  // what it has hidden is not known
  FileSet files = dependents_.affected(file, *before);
  const bool is_joined = before->summary != nullptr || file.facts->summary != nullptr;
  const bool had_same_models = !is_joined || (before->summary != nullptr && file.facts->summary != nullptr &&
                                              before->summary->declared == file.facts->summary->declared);
  if (!had_same_models) declare_models();
  if (before->is_damaged || file.facts->is_damaged) files.insert(quiet_.begin(), quiet_.end());
  const bool had_errors = dependents_.has_errors(file.id);
  check_first(file.id, files, changed);
  if (!is_joined && had_errors != dependents_.has_errors(file.id))
    check_first(file.id, dependents_.affected_by_errors(file, *before), changed);
  return true;
}

// Checks these files, or if that needs too many for one who types, the edited one; the others are left for later.
void LiveProject::check_first(FileId edited, const FileSet& files, FileSet& changed) {
  const FileSet all = dependents_.closure(files, project::kAllUsers);
  if (all.size() <= kMostAtOnce) {
    check(files, all);
    changed.insert(files.begin(), files.end());
    for (const FileId file : files) rest_.erase(file);
  } else {
    rest_.insert(files.begin(), files.end());
    check({edited}, dependents_.closure({edited}, project::kMaxUsers));
    changed.insert(edited);
  }
}

std::vector<FileId> LiveProject::check_rest() {
  FileSet some;
  while (!rest_.empty() && some.size() < project::kMaxUsers) some.insert(rest_.extract(rest_.begin()));
  check(some, dependents_.closure(some, project::kAllUsers));
  return {some.begin(), some.end()};
}

// The same project with only these of its files, and of others of their dialect, if it is joined, what is known.
project::Snapshot LiveProject::part(const FileSet& files) const {
  project::Snapshot part;
  part.configuration = snapshot_.configuration;
  part.sources = snapshot_.sources;
  part.paths_below = snapshot_.paths_below;
  part.rest = snapshot_.rest;
  part.for_compiling = snapshot_.for_compiling;
  part.keeps_findings_in_file = snapshot_.keeps_findings_in_file;
  part.thread_count = snapshot_.thread_count;
  part.findings = faults_;
  const bool has_joined =
      std::any_of(files.begin(), files.end(), [&](FileId file) { return connections().is_joined(file); });
  for (const project::SnapshotFile& file : snapshot_.files) {
    const bool is_left_out = file.parsed != nullptr && files.count(file.id) == 0;
    if (is_left_out && (!has_joined || !connections().is_joined(file.id))) continue;
    part.files.push_back(file);
    if (is_left_out) {
      part.files.back().parsed = nullptr;
    } else if (file.parsed != nullptr) {
      part.findings.add_files(file.parsed->findings, file.id);
    }
  }
  part.file_count = static_cast<std::uint32_t>(part.files.size());
  return part;
}

// Finds the findings of these files anew, from all that they need.
void LiveProject::check(const FileSet& files, const FileSet& closure) {
  checked_count_ += closure.size();
  auto found = by_file(project::check(part(closure)).findings);
  for (const FileId file : files) {
    if (!dependents_.damaged().empty()) quiet_.insert(file);
    set_findings(file, std::move(found[file]));
  }
  if (dependents_.damaged().empty()) quiet_.clear();
}

void LiveProject::set_findings(FileId file, std::vector<text::Finding> findings) {
  dependents_.set_findings(file, findings_of(file), findings);
  if (findings.empty()) {
    findings_.erase(file);
  } else {
    findings_[file] = std::move(findings);
  }
}

project::Checked LiveProject::compiled(const std::vector<FileId>& files) const {
  project::Snapshot needed = part(dependents_.closure({files.begin(), files.end()}, 0));
  needed.for_compiling = true;
  needed.shown = lint::Shown::nothing;
  needed.configuration.dialects.is_partial = false;
  return project::check(needed);
}

}  // namespace espalier::editor

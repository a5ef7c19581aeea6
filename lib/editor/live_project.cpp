// What an edit changes. See live_project.h.
#include "editor/live_project.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/options.h"
#include "project/roots.h"
#include "text/root_name.h"

namespace espalier::editor {
namespace {

constexpr std::size_t kMaxKeptFiles = 1'000'000;
// If an edit needs more files than these, the edited one is checked first.
constexpr std::size_t kMostAtOnce = 256;

std::unordered_map<FileId, std::vector<text::Finding>> by_file(const text::Findings& findings) {
  std::unordered_map<FileId, std::vector<text::Finding>> result;
  for (const text::Finding& finding : findings.all()) result[finding.span.file].push_back(finding);
  return result;
}

}  // namespace

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  const auto canonical = std::filesystem::weakly_canonical(absolute, error);
  return (error ? absolute : canonical).lexically_normal().generic_string();
}

LiveProject::LiveProject(project::LoadOptions options) : options_(std::move(options)), parsed_(kMaxKeptFiles) {}

void LiveProject::set_text(const std::string& path, std::optional<std::string> text) {
  changes_[canonical_path(path)] = std::move(text);
}

const std::vector<text::Finding>& LiveProject::findings_of(FileId file) const {
  static const std::vector<text::Finding> kNone;
  const auto found = findings_.find(file);
  return found == findings_.end() ? kNone : found->second;
}

std::string LiveProject::folder() const {
  namespace fs = std::filesystem;
  if (!options_.configuration_path.empty()) return fs::path(options_.configuration_path).parent_path().string();
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
  FileSet changed;
  for (const auto& [path, text] : std::exchange(changes_, {})) {
    if (text) {
      files_.set_text(path, *text);
      texts_[path] = *text;
    } else {
      files_.drop_text(path);
      texts_.erase(path);
    }
    is_known = is_known && change(path, changed);
  }
  if (!is_known) return load();
  return {changed.begin(), changed.end()};
}

// Everything anew.
std::vector<FileId> LiveProject::load() {
  ++load_count_;
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

// Takes the new text of a file, and checks what depends on it. False: everything must be read again.
bool LiveProject::change(const std::string& path, FileSet& changed) {
  const std::optional<FileId> id = file_at(path);
  if (!id || number_of_.count(*id) == 0) {
    const bool is_configuration = id || path.ends_with(std::string("/") + project::kConfigurationName);
    return !is_configuration && !may_be_tree(path);
  }
  project::SnapshotFile& file = snapshot_.files[number_of_[*id]];
  std::string bytes;
  std::string error;
  if (!files_.read(path, text::kMaxFileBytes, bytes, error)) return false;
  const std::shared_ptr<const project::FileFacts> before = file.facts;
  file.parsed = parsed_.parse(file.parsed->source->path(), std::move(bytes));
  snapshot_.sources.replace(*id, file.parsed->source);
  set_facts(file);
  if (file.facts->includes != before->includes) return false;
  if (before->is_damaged && !file.facts->is_damaged && was_damaged_) return false;  // what it has hidden is not known
  FileSet files = dependents_.affected(file, *before);
  const bool is_joined = before->summary != nullptr || file.facts->summary != nullptr;
  const bool had_same_models = !is_joined || (before->summary != nullptr && file.facts->summary != nullptr &&
                                              before->summary->declared == file.facts->summary->declared);
  if (!had_same_models) declare_models();
  if (before->is_damaged || file.facts->is_damaged) files.insert(quiet_.begin(), quiet_.end());
  const bool had_errors = dependents_.has_errors(*id);
  check_first(*id, files, changed);
  if (!is_joined && had_errors != dependents_.has_errors(*id))
    check_first(*id, dependents_.affected_by_errors(file, *before), changed);
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

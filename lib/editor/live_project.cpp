// What an edit changes. See live_project.h.
#include "editor/live_project.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "dialects/btcpp/host_rows.h"
#include "dialects/btcpp/options.h"
#include "dialects/modular/options.h"
#include "project/roots.h"
#include "rules/btcpp.h"
#include "rules/decider.h"
#include "rules/dragengine.h"
#include "rules/modular.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "rules/synchronized.h"
#include "rules/xml.h"
#include "text/names.h"
#include "text/root_name.h"

namespace espalier::editor {
namespace {

using rules::Rule;

constexpr std::size_t kMaxKeptFiles = 1'000'000;
// Findings in a file that more others use are found anew when it is changed itself, or everything is.
constexpr std::size_t kMaxUsers = 64;
// If an edit needs more files than these, the edited one is checked first.
constexpr std::size_t kMostAtOnce = 256;
constexpr std::size_t kAllUsers = std::numeric_limits<std::size_t>::max();
// Of files that send an event, so many are enough to know that it is sent.
constexpr std::size_t kEnoughSenders = 2;

// What connects files so that one reads what the other declares. Signals only have to be sent by some file.
constexpr NameKind kLinks[] = {NameKind::block, NameKind::tree, NameKind::file, NameKind::slot};

bool is_link(const Occurrence& each) {
  return project::is_shared(each) && std::find(std::begin(kLinks), std::end(kLinks), each.kind) != std::end(kLinks);
}

bool has_scope(const text::Finding& finding, rules::Scope scope) { return rules::info(finding.rule).scope == scope; }

std::unordered_map<FileId, std::vector<text::Finding>> by_file(const text::Findings& findings) {
  std::unordered_map<FileId, std::vector<text::Finding>> result;
  for (const text::Finding& finding : findings.all()) result[finding.span.file].push_back(finding);
  return result;
}

constexpr bool declares(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::declares) & 1) != 0; }
constexpr bool reads(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::reads) & 1) != 0; }
constexpr bool writes(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::writes) & 1) != 0; }

// What other files can notice of a file, apart from the contents of what it declares.
std::set<std::pair<NameKind, std::string>> shown_names(const FileNames& names, bool of_declarations) {
  std::set<std::pair<NameKind, std::string>> result;
  for (const Occurrence& each : names.all) {
    if (!project::is_shared(each)) continue;
    const bool is_sent = each.kind == NameKind::signal && each.use == NameUse::writes;
    const bool is_declared = is_link(each) && each.use == NameUse::declares;
    if (of_declarations ? is_declared : is_sent || each.kind == NameKind::action) result.emplace(each.kind, each.key);
  }
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

bool LiveProject::is_damaged(FileId file) const {
  const project::SnapshotFile* const tree = tree_file(file);
  return tree != nullptr && (!tree->parsed->has_document || tree->parsed->is_damaged);
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
  with_findings_.clear();
  with_errors_.clear();
  with_unresolved_.clear();
  with_shared_.clear();
  related_.clear();
  joined_.clear();
  damaged_.clear();
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
    set_names(i);
    if (is_damaged(file.id)) damaged_.insert(file.id);
  }
  for (FileId file = 0; file < snapshot_.sources.size(); ++file) {
    if (!paths_[file].empty()) continue;
    paths_[file] = canonical_path(snapshot_.sources[file].path());
    file_of_path_.emplace(paths_[file], file);
  }
  static_cast<void>(joined_.link(snapshot_, 0));
  declare_models();
  was_damaged_ = !damaged_.empty();
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

void LiveProject::set_names(std::size_t number) {
  project::SnapshotFile& file = snapshot_.files[number];
  FileNames names;
  joined_.remove(file.id);
  file.place.summary.reset();
  if (file.parsed->has_document) {
    const text::XmlDocument document(file.parsed, file.id);
    if (const dialects::Dialect* const dialect = dialects::find_owner(document.root_name())) {
      names = project::names_of(document, *dialect, file.place);
      if (dialect->is_joined && document.root()) {
        joined_.add(file.id);
        file.place.summary = joined_.summarize(document);
      }
    }
  }
  index_.set(file.id, std::move(names));
}

void LiveProject::declare_models() {
  dialects::btcpp::Summaries summaries;
  for (const FileId file : joined_.all()) summaries.push_back(dialects::btcpp::summary_of(tree_file(file)->place));
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
  const bool was_damaged = is_damaged(*id);
  const JoinedFiles::Summary summary = dialects::btcpp::summary_of(file.place);
  const std::vector<std::string> included = includes_of(file);
  file.parsed = parsed_.parse(file.parsed->source->path(), std::move(bytes));
  snapshot_.sources.replace(*id, file.parsed->source);
  const FileNames before = index_.names_of(*id);
  set_names(number_of_[*id]);
  const FileNames& after = index_.names_of(*id);
  if (includes_of(file) != included) return false;
  const bool is_joined = summary != nullptr || joined_.has(*id);
  FileSet files;
  if (is_joined) files = affected_joined(*id, summary);
  if (summary == nullptr || !joined_.has(*id)) files.merge(affected(*id, before, after));  // it may be of two dialects
  const bool is_now_damaged = is_damaged(*id);
  if (was_damaged && !is_now_damaged && was_damaged_) return false;  // what it has hidden is not known
  if (is_now_damaged) damaged_.insert(*id);
  if (!is_now_damaged) damaged_.erase(*id);
  if (was_damaged || is_now_damaged) {
    // The words of the damaged file may be why something is not reported in others.
    if (with_findings_.size() <= kMaxUsers) files.insert(with_findings_.begin(), with_findings_.end());
    files.insert(quiet_.begin(), quiet_.end());
  }
  const bool had_errors = with_errors_.count(*id) != 0;
  check_first(*id, files, changed);
  // Trees with errors do nothing that others could notice.
  if (is_joined || had_errors == (with_errors_.count(*id) != 0)) return true;
  FileSet more = affected(*id, before, {});
  more.merge(affected(*id, {}, after));
  check_first(*id, more, changed);
  return true;
}

// Checks these files, or if that needs too many for one who types, the edited one; the others are left for later.
void LiveProject::check_first(FileId edited, const FileSet& files, FileSet& changed) {
  const FileSet all = closure(files, kAllUsers);
  if (all.size() <= kMostAtOnce) {
    check(files, all);
    changed.insert(files.begin(), files.end());
    for (const FileId file : files) rest_.erase(file);
  } else {
    rest_.insert(files.begin(), files.end());
    check({edited}, closure({edited}, kMaxUsers));
    changed.insert(edited);
  }
}

std::vector<FileId> LiveProject::check_rest() {
  FileSet some;
  while (!rest_.empty() && some.size() < kMaxUsers) some.insert(rest_.extract(rest_.begin()));
  check(some, closure(some, kAllUsers));
  return {some.begin(), some.end()};
}

// The files that use what these names declare, and those that use what they declare: at most so many.
void LiveProject::add_users(const FileNames& names, std::size_t most, FileSet& files) const {
  std::size_t count = 0;
  std::vector<const FileNames*> open = {&names};
  while (!open.empty()) {
    const FileNames& next = *open.back();
    open.pop_back();
    for (const Occurrence& each : next.all) {
      if (!is_link(each) || each.use != NameUse::declares) continue;
      const Index::Uses* const uses = index_.files_with(each.kind, each.key);
      if (uses == nullptr) continue;
      // Files that declare the same name have findings about it; all trees together are no such name.
      const bool is_any_tree = each.is_implied && each.key.starts_with(kAnyTree);
      for (const auto& [file, how] : *uses) {
        if (is_any_tree && !reads(how)) continue;
        if (!files.insert(file).second) continue;
        open.push_back(&index_.names_of(file));
        if (++count == most) return;
      }
    }
  }
}

// The files whose findings an edit of one can change.
FileSet LiveProject::affected(FileId file, const FileNames& before, const FileNames& after) const {
  FileSet files = {file};
  add_users(before, kAllUsers, files);
  add_users(after, kAllUsers, files);
  // What it uses: files that only a few use have findings that depend on each of them.
  std::vector<const FileNames*> open = {&before, &after};
  std::set<FileId> used;
  while (!open.empty()) {
    const FileNames& next = *open.back();
    open.pop_back();
    for (const Occurrence& each : next.all) {
      if (!is_link(each) || each.use == NameUse::declares) continue;
      const Index::Uses* const uses = index_.files_with(each.kind, each.key);
      if (uses == nullptr || uses->size() > kMaxUsers) continue;
      for (const auto& [other, how] : *uses) {
        if (declares(how) && used.insert(other).second) open.push_back(&index_.names_of(other));
      }
    }
  }
  files.merge(used);
  const auto sent_before = shown_names(before, false);
  const auto sent_after = shown_names(after, false);
  if (sent_before != sent_after) {
    std::vector<std::pair<NameKind, std::string>> different;
    std::set_symmetric_difference(sent_before.begin(), sent_before.end(), sent_after.begin(), sent_after.end(),
                                  std::back_inserter(different));
    for (const auto& [kind, key] : different) {
      const auto add = [&](std::string_view signal) {
        const Index::Uses* const uses = index_.files_with(NameKind::signal, signal);
        if (uses == nullptr) return;
        for (const auto& [other, how] : *uses) files.insert(other);
      };
      if (kind == NameKind::signal) add(key);
      const auto* const host =
          dialects::find_declaration(snapshot_.configuration.dialects.of<dialects::ModularOptions>().hosts, key);
      if (kind != NameKind::action || host == nullptr || host->sends == nullptr) continue;
      for (const std::string& signal : *host->sends) add(signal);
    }
  }
  if (sent_before != sent_after || shown_names(before, true) != shown_names(after, true))
    files.insert(with_unresolved_.begin(), with_unresolved_.end());
  return files;
}

// The same of a file that belongs, or belonged, to the joined ones. `before`: what it was.
FileSet LiveProject::affected_joined(FileId file, const JoinedFiles::Summary& before) {
  const JoinedFiles::Summary after = dialects::btcpp::summary_of(tree_file(file)->place);
  FileSet files = {file};
  // Findings in others that show places in it.
  if (const auto related = related_.find(file); related != related_.end())
    files.insert(related->second.begin(), related->second.end());
  const auto add_all = [&] { files.insert(joined_.all().begin(), joined_.all().end()); };
  if (before == nullptr || after == nullptr || before->declared != after->declared) {
    static_cast<void>(joined_.link(snapshot_, file));
    declare_models();
    add_all();
    return files;
  }
  files.merge(joined_.affected(file, kMaxUsers));
  const UsedTrees used_before = used_trees(*before);
  const UsedTrees used_after = used_trees(*after);
  if (used_before == used_after) return files;
  const std::set<std::string> names = different_names(used_before, used_after);
  for (const std::string& name : names) add_meant(name, files);
  if (joined_.link(snapshot_, file) || is_elsewhere(used_before.references) || is_elsewhere(used_after.references))
    add_all();
  files.merge(joined_.affected(file, kMaxUsers));
  for (const std::string& name : names) add_meant(name, files);
  files.insert(with_shared_.begin(), with_shared_.end());
  return files;
}

// Those with the trees of a name that is used now, or no more, or that it may mean, and what is connected with them.
void LiveProject::add_meant(const std::string& tree, FileSet& files) const {
  FileSet meant;
  if (const Index::Uses* const uses = index_.files_with(NameKind::tree, tree)) {
    for (const auto& [file, how] : *uses) {
      if (declares(how)) meant.insert(file);
    }
  }
  if (meant.empty()) add_near(NameKind::tree, tree, meant);
  if (meant.size() > kMaxUsers) return;
  for (const FileId file : meant) files.merge(joined_.affected(file, kMaxUsers));
}

// Is one of these trees elsewhere? All such trees of a project have one note.
bool LiveProject::is_elsewhere(const std::vector<std::string>& trees) const {
  const std::vector<std::string>& elsewhere = snapshot_.configuration.dialects.of<dialects::BtcppOptions>().trees;
  return std::any_of(trees.begin(), trees.end(), [&](const std::string& tree) {
    return std::binary_search(elsewhere.begin(), elsewhere.end(), tree);
  });
}

// Files that send the signals of these names, or may be meant by a hint for one.
void LiveProject::add_senders(const FileNames& names, FileSet& files) const {
  const auto add_some = [&](const Index::Uses* uses, bool only_writers) {
    std::size_t count = 0;
    if (uses == nullptr) return;
    for (const auto& [file, how] : *uses) {
      if ((only_writers && !writes(how)) || with_errors_.count(file) != 0) continue;
      files.insert(file);
      if (++count == kEnoughSenders) return;
    }
  };
  bool has_signals = false;
  for (const Occurrence& each : names.all) {
    if (each.kind != NameKind::signal) continue;
    has_signals = true;
    add_some(index_.files_with(NameKind::signal, each.key), true);
  }
  if (!has_signals) return;
  for (const dialects::HostDeclaration& host : snapshot_.configuration.dialects.of<dialects::ModularOptions>().hosts) {
    if (host.sends != nullptr && !host.sends->empty()) add_some(index_.files_with(NameKind::action, host.name), false);
  }
}

// The files whose names a hint for an unknown one may choose from.
void LiveProject::add_near(NameKind kind, std::string_view name, FileSet& files) const {
  constexpr std::size_t kMostEdits = 2;
  index_.each_name(kind, [&](std::string_view key, const Index::Uses& uses) {
    if (!text::is_near(key, name, kMostEdits)) return;
    for (const auto& [file, how] : uses) {
      if (kind == NameKind::signal ? writes(how) : declares(how)) files.insert(file);
    }
  });
}

// These files and all that they need, with those that use what they declare, on which findings depend: of each at most
// so many.
FileSet LiveProject::closure(const FileSet& files, std::size_t most_users) const {
  FileSet all = files;
  all.insert(damaged_.begin(), damaged_.end());
  FileSet joined;
  const bool declares_events = !snapshot_.configuration.dialects.events.empty();
  for (const FileId file : files) {
    if (joined_.has(file)) {
      joined_.add_above(file, most_users, joined);
      continue;
    }
    const FileNames& names = index_.names_of(file);
    if (most_users > 0) add_users(names, most_users, all);
    add_senders(names, all);
    for (const Occurrence& each : names.all) {
      if (each.kind == NameKind::signal && declares_events) add_near(each.kind, each.key, all);
    }
  }
  joined_.add_below(joined);
  all.merge(joined);
  std::vector<FileId> open(all.begin(), all.end());
  while (!open.empty()) {
    const FileId next = open.back();
    open.pop_back();
    if (joined_.has(next)) {
      add_included(next, all);
      continue;
    }
    const FileNames& names = index_.names_of(next);
    for (const Occurrence& each : names.all) {
      if (!is_link(each) || each.use == NameUse::declares) continue;
      FileSet needed;
      const Index::Uses* const uses = index_.files_with(each.kind, each.key);
      if (uses != nullptr) {
        for (const auto& [file, how] : *uses) {
          if (declares(how)) needed.insert(file);
        }
      }
      if (needed.empty()) add_near(each.kind, each.key, needed);
      for (const FileId file : needed) {
        if (all.insert(file).second) open.push_back(file);
      }
    }
  }
  return all;
}

// Files of other dialects that a joined one includes, which is a fault.
void LiveProject::add_included(FileId file, FileSet& files) const {
  for (const dialects::Included& each : tree_file(file)->place.includes) {
    const auto found = file_of_path_.find(each.path);
    if (found != file_of_path_.end() && !joined_.has(found->second)) files.insert(found->second);
  }
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
  const bool has_joined = std::any_of(files.begin(), files.end(), [&](FileId file) { return joined_.has(file); });
  for (const project::SnapshotFile& file : snapshot_.files) {
    const bool is_left_out = file.parsed != nullptr && files.count(file.id) == 0;
    if (is_left_out && (!has_joined || !joined_.has(file.id))) continue;
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
    if (!damaged_.empty()) quiet_.insert(file);
    set_findings(file, std::move(found[file]));
  }
  if (damaged_.empty()) quiet_.clear();
}

void LiveProject::set_findings(FileId file, std::vector<text::Finding> findings) {
  const auto keep = [&](FileSet& files, bool is_in) {
    if (is_in && number_of_.count(file) != 0) {
      files.insert(file);
    } else {
      files.erase(file);
    }
  };
  const auto is_error = [](const text::Finding& each) { return each.severity == text::Severity::error; };
  keep(with_findings_, !findings.empty());
  keep(with_errors_, std::any_of(findings.begin(), findings.end(), is_error));
  keep(with_unresolved_, std::any_of(findings.begin(), findings.end(),
                                     [](const text::Finding& each) { return has_scope(each, rules::Scope::names); }));
  keep(with_shared_, std::any_of(findings.begin(), findings.end(),
                                 [](const text::Finding& each) { return has_scope(each, rules::Scope::project); }));
  if (joined_.has(file)) set_related(file, findings);
  if (findings.empty()) {
    findings_.erase(file);
  } else {
    findings_[file] = std::move(findings);
  }
}

void LiveProject::set_related(FileId file, const std::vector<text::Finding>& findings) {
  for (const text::Finding& before : findings_of(file)) {
    for (const text::Related& each : before.related) {
      if (const auto found = related_.find(each.span.file); found != related_.end()) found->second.erase(file);
    }
  }
  for (const text::Finding& finding : findings) {
    for (const text::Related& each : finding.related) {
      if (each.span.file != file) related_[each.span.file].insert(file);
    }
  }
}

project::Checked LiveProject::compiled(const std::vector<FileId>& files) const {
  project::Snapshot needed = part(closure({files.begin(), files.end()}, 0));
  needed.for_compiling = true;
  needed.shown = lint::Shown::nothing;
  needed.configuration.dialects.is_partial = false;
  return project::check(needed);
}

}  // namespace espalier::editor

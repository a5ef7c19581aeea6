// Which files an edit affects. See dependents.h.
#include "project/incremental/dependents.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "dialects/btcpp/options.h"
#include "dialects/modular/options.h"
#include "rules/rules.h"
#include "text/names.h"

namespace espalier::project {
namespace {

// Of files that send an event, so many are enough to know that it is sent.
constexpr std::size_t kEnoughSenders = 2;

// Signals only have to be sent by some file.
bool connects(const SharedName& name) { return connects_files(name.kind); }

bool has_scope(const text::Finding& finding, rules::Scope scope) { return rules::info(finding.rule).scope == scope; }

constexpr bool declares(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::declares) & 1) != 0; }
constexpr bool reads(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::reads) & 1) != 0; }
constexpr bool writes(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::writes) & 1) != 0; }
constexpr std::uint8_t bit(NameUse use) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(use)); }

// What other files can notice of a file, apart from the contents of what it declares.
std::set<std::pair<NameKind, std::string>> shown_names(const FileFacts& facts, bool of_declarations) {
  std::set<std::pair<NameKind, std::string>> result;
  for (const SharedName& each : facts.names) {
    const bool is_sent = each.kind == NameKind::signal && each.use == NameUse::writes;
    const bool is_declared = connects(each) && each.use == NameUse::declares;
    if (of_declarations ? is_declared : is_sent || each.kind == NameKind::action) result.emplace(each.kind, each.key);
  }
  return result;
}

}  // namespace

void Dependents::clear() {
  known_.clear();
  uses_.clear();
  files_of_paths_.clear();
  joined_.clear();
  with_findings_.clear();
  with_errors_.clear();
  with_unresolved_.clear();
  with_shared_.clear();
  related_.clear();
  damaged_.clear();
}

void Dependents::set_facts(const SnapshotFile& file) {
  for (const SharedName& each : facts_of(file.id).names) {
    const auto found = uses_.find({each.kind, each.key});
    if (found == uses_.end()) continue;
    found->second.erase(file.id);
    if (found->second.empty()) uses_.erase(found);
  }
  known_[file.id] = {file.facts, file.place.includes};
  for (const SharedName& each : file.facts->names) uses_[{each.kind, each.key}][file.id] |= bit(each.use);
  files_of_paths_[file.place.path] = file.id;
  const auto keep = [&](FileSet& files, bool is_in) {
    is_in ? void(files.insert(file.id)) : void(files.erase(file.id));
  };
  keep(damaged_, file.facts->is_damaged);
  joined_.set(file.id, file.place.summary.has_value());
}

void Dependents::set_findings(FileId file, std::span<const text::Finding> before,
                              std::span<const text::Finding> findings) {
  const auto keep = [&](FileSet& files, bool is_in) {
    if (is_in && known_.count(file) != 0) {
      files.insert(file);
    } else {
      files.erase(file);
    }
  };
  const auto has = [&](const auto& is_so) { return std::any_of(findings.begin(), findings.end(), is_so); };
  keep(with_findings_, !findings.empty());
  keep(with_errors_, has([](const text::Finding& each) { return each.severity == text::Severity::error; }));
  keep(with_unresolved_, has([](const text::Finding& each) { return has_scope(each, rules::Scope::names); }));
  keep(with_shared_, has([](const text::Finding& each) { return has_scope(each, rules::Scope::project); }));
  if (!joined_.has(file)) return;
  for (const text::Finding& finding : before) {
    for (const text::Related& each : finding.related) {
      if (const auto found = related_.find(each.span.file); found != related_.end()) found->second.erase(file);
    }
  }
  for (const text::Finding& finding : findings) {
    for (const text::Related& each : finding.related) {
      if (each.span.file != file) related_[each.span.file].insert(file);
    }
  }
}

const FileFacts& Dependents::facts_of(FileId file) const {
  static const FileFacts kNone;
  const auto found = known_.find(file);
  return found == known_.end() ? kNone : *found->second.facts;
}

const NameUses* Dependents::files_with(NameKind kind, std::string_view key) const {
  const auto found = uses_.find(std::pair<NameKind, std::string>(kind, key));
  return found == uses_.end() ? nullptr : &found->second;
}

template <typename Visit>
void Dependents::each_name(NameKind kind, const Visit& visit) const {
  for (auto it = uses_.lower_bound({kind, {}}); it != uses_.end() && it->first.first == kind; ++it)
    visit(it->first.second, it->second);
}

FileSet Dependents::affected(const SnapshotFile& file, const FileFacts& before,
                             const JoinedFiles::Summary& summary_before) {
  const JoinedFiles::Summary summary = dialects::btcpp::summary_of(file.place);
  FileSet files;
  if (summary_before != nullptr || summary != nullptr) files = affected_joined(file.id, summary_before, summary);
  // It may be of two dialects, one after the other.
  if (summary_before == nullptr || summary == nullptr) files.merge(affected(file.id, before, *file.facts));
  // The words of a damaged file may be why something is not reported in others.
  if ((before.is_damaged || file.facts->is_damaged) && with_findings_.size() <= kMaxUsers)
    files.insert(with_findings_.begin(), with_findings_.end());
  return files;
}

FileSet Dependents::affected_by_errors(const SnapshotFile& file, const FileFacts& before) const {
  FileSet files = affected(file.id, before, {});
  files.merge(affected(file.id, {}, *file.facts));
  return files;
}

// The files that use what these names declare, and those that use what they declare: at most so many.
void Dependents::add_users(const FileFacts& names, std::size_t most, FileSet& files) const {
  std::size_t count = 0;
  std::vector<const FileFacts*> open = {&names};
  while (!open.empty()) {
    const FileFacts& next = *open.back();
    open.pop_back();
    for (const SharedName& each : next.names) {
      if (!connects(each) || each.use != NameUse::declares) continue;
      const NameUses* const uses = files_with(each.kind, each.key);
      if (uses == nullptr) continue;
      // Files that declare the same name have findings about it; all trees together are no such name.
      const bool is_any_tree = each.is_implied && each.key.starts_with(kAnyTree);
      for (const auto& [file, how] : *uses) {
        if (is_any_tree && !reads(how)) continue;
        if (!files.insert(file).second) continue;
        open.push_back(&facts_of(file));
        if (++count == most) return;
      }
    }
  }
}

// The files whose findings an edit of one can change.
FileSet Dependents::affected(FileId file, const FileFacts& before, const FileFacts& after) const {
  FileSet files = {file};
  add_users(before, kAllUsers, files);
  add_users(after, kAllUsers, files);
  // What it uses: files that only a few use have findings that depend on each of them.
  std::vector<const FileFacts*> open = {&before, &after};
  std::set<FileId> used;
  while (!open.empty()) {
    const FileFacts& next = *open.back();
    open.pop_back();
    for (const SharedName& each : next.names) {
      if (!connects(each) || each.use == NameUse::declares) continue;
      const NameUses* const uses = files_with(each.kind, each.key);
      if (uses == nullptr || uses->size() > kMaxUsers) continue;
      for (const auto& [other, how] : *uses) {
        if (declares(how) && used.insert(other).second) open.push_back(&facts_of(other));
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
        const NameUses* const uses = files_with(NameKind::signal, signal);
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

// The same of a file that belongs, or belonged, to the joined ones. Summaries: of before and after the edit.
FileSet Dependents::affected_joined(FileId file, const JoinedFiles::Summary& before,
                                    const JoinedFiles::Summary& after) {
  FileSet files = {file};
  // Findings in others that show places in it.
  if (const auto related = related_.find(file); related != related_.end())
    files.insert(related->second.begin(), related->second.end());
  const auto add_all = [&] { files.insert(joined_.all().begin(), joined_.all().end()); };
  if (before == nullptr || after == nullptr || before->declared != after->declared) {
    static_cast<void>(joined_.link(snapshot_, file));
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
void Dependents::add_meant(const std::string& tree, FileSet& files) const {
  FileSet meant;
  if (const NameUses* const uses = files_with(NameKind::tree, tree)) {
    for (const auto& [file, how] : *uses) {
      if (declares(how)) meant.insert(file);
    }
  }
  if (meant.empty()) add_near(NameKind::tree, tree, meant);
  if (meant.size() > kMaxUsers) return;
  for (const FileId file : meant) files.merge(joined_.affected(file, kMaxUsers));
}

// Is one of these trees elsewhere? All such trees of a project have one note.
bool Dependents::is_elsewhere(const std::vector<std::string>& trees) const {
  const std::vector<std::string>& elsewhere = snapshot_.configuration.dialects.of<dialects::BtcppOptions>().trees;
  return std::any_of(trees.begin(), trees.end(), [&](const std::string& tree) {
    return std::binary_search(elsewhere.begin(), elsewhere.end(), tree);
  });
}

// Files that send the signals of these names, or may be meant by a hint for one.
void Dependents::add_senders(const FileFacts& names, FileSet& files) const {
  const auto add_some = [&](const NameUses* uses, bool only_writers) {
    std::size_t count = 0;
    if (uses == nullptr) return;
    for (const auto& [file, how] : *uses) {
      if ((only_writers && !writes(how)) || with_errors_.count(file) != 0) continue;
      files.insert(file);
      if (++count == kEnoughSenders) return;
    }
  };
  bool has_signals = false;
  for (const SharedName& each : names.names) {
    if (each.kind != NameKind::signal) continue;
    has_signals = true;
    add_some(files_with(NameKind::signal, each.key), true);
  }
  if (!has_signals) return;
  for (const dialects::HostDeclaration& host : snapshot_.configuration.dialects.of<dialects::ModularOptions>().hosts) {
    if (host.sends != nullptr && !host.sends->empty()) add_some(files_with(NameKind::action, host.name), false);
  }
}

// The files whose names a hint for an unknown one may choose from.
void Dependents::add_near(NameKind kind, std::string_view name, FileSet& files) const {
  constexpr std::size_t kMostEdits = 2;
  each_name(kind, [&](std::string_view key, const NameUses& uses) {
    if (!text::is_near(key, name, kMostEdits)) return;
    for (const auto& [file, how] : uses) {
      if (kind == NameKind::signal ? writes(how) : declares(how)) files.insert(file);
    }
  });
}

// These files and all that they need, with those that use what they declare, on which findings depend: of each at most
// so many.
FileSet Dependents::closure(const FileSet& files, std::size_t most_users) const {
  FileSet all = files;
  all.insert(damaged_.begin(), damaged_.end());
  FileSet joined;
  const bool declares_events = !snapshot_.configuration.dialects.events.empty();
  for (const FileId file : files) {
    if (joined_.has(file)) {
      joined_.add_above(file, most_users, joined);
      continue;
    }
    const FileFacts& names = facts_of(file);
    if (most_users > 0) add_users(names, most_users, all);
    add_senders(names, all);
    for (const SharedName& each : names.names) {
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
    const FileFacts& names = facts_of(next);
    for (const SharedName& each : names.names) {
      if (!connects(each) || each.use == NameUse::declares) continue;
      FileSet needed;
      const NameUses* const uses = files_with(each.kind, each.key);
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
void Dependents::add_included(FileId file, FileSet& files) const {
  for (const dialects::Included& each : known_.at(file).includes) {
    const auto found = files_of_paths_.find(each.path);
    if (found != files_of_paths_.end() && !joined_.has(found->second)) files.insert(found->second);
  }
}

}  // namespace espalier::project

// Which files an edit affects. See dependents.h.
#include "project/incremental/dependents.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "dialects/btcpp/options.h"
#include "dialects/modular/options.h"
#include "project/incremental/first_users.h"
#include "rules/rules.h"

namespace espalier::project {
namespace {

// Of files that send an event, so many are enough to know that it is sent.
constexpr std::size_t kEnoughSenders = 2;

bool has_scope(const text::Finding& finding, rules::Scope scope) { return rules::info(finding.rule).scope == scope; }

// What other files can notice of a file, apart from the contents of what it declares.
std::set<std::pair<NameKind, std::string>> shown_names(const FileFacts& facts, bool of_declarations) {
  std::set<std::pair<NameKind, std::string>> result;
  for (const SharedName& each : facts.names) {
    const bool is_sent = each.kind == NameKind::signal && each.use == NameUse::writes;
    const bool is_declared = connects_files(each.kind) && each.use == NameUse::declares;
    if (of_declarations ? is_declared : is_sent || each.kind == NameKind::action) result.emplace(each.kind, each.key);
  }
  return result;
}

// How a file uses trees: if it is the same before and after an edit, so are its effects on other files.
struct UsedTrees {
  std::vector<std::string> references;          // in order, tree by tree, with repetitions
  std::vector<dialects::btcpp::NodeUse> nodes;  // sorted; a tree that is used as a node is among them
  friend bool operator==(const UsedTrees&, const UsedTrees&) = default;
};

UsedTrees used_trees(const dialects::btcpp::FileSummary& summary) {
  UsedTrees used;
  used.nodes = summary.nodes;
  for (const dialects::btcpp::TreeSummary& tree : summary.trees) {
    for (const dialects::btcpp::TreeReference& reference : tree.references) used.references.push_back(reference.name);
    used.references.emplace_back();  // where the next tree begins
  }
  return used;
}

// The names that are in one of them only, as references or as names of nodes.
std::set<std::string> different_names(const UsedTrees& before, const UsedTrees& after) {
  const auto names_of = [](const UsedTrees& used) {
    std::set<std::string> names(used.references.begin(), used.references.end());
    for (const dialects::btcpp::NodeUse& node : used.nodes) names.insert(node.name);
    return names;
  };
  const std::set<std::string> of_before = names_of(before);
  const std::set<std::string> of_after = names_of(after);
  std::set<std::string> names;
  std::set_symmetric_difference(of_before.begin(), of_before.end(), of_after.begin(), of_after.end(),
                                std::inserter(names, names.end()));
  return names;
}

}  // namespace

void Dependents::clear() {
  connections_.clear();
  with_findings_.clear();
  with_errors_.clear();
  with_unresolved_.clear();
  with_shared_.clear();
  related_.clear();
  damaged_.clear();
}

void Dependents::set_facts(const SnapshotFile& file) {
  connections_.set(file);
  file.facts->is_damaged ? void(damaged_.insert(file.id)) : void(damaged_.erase(file.id));
}

void Dependents::set_findings(FileId file, std::span<const text::Finding> before,
                              std::span<const text::Finding> findings) {
  const auto keep = [&](FileSet& files, bool is_in) {
    if (is_in && connections_.is_known(file)) {
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
  if (!connections_.is_joined(file)) return;
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

FileSet Dependents::affected(const SnapshotFile& file, const FileFacts& before) {
  const FileFacts& after = *file.facts;
  FileSet files = connections_.around(file.id, std::array{&before, &after}, kMaxUsers);
  // It may be of two dialects, one after the other.
  if (before.summary == nullptr || after.summary == nullptr) add_noticing(before, after, files);
  if (before.summary != nullptr || after.summary != nullptr) add_joined(file.id, before, after, files);
  // The words of a damaged file may be why something is not reported in others.
  if ((before.is_damaged || after.is_damaged) && with_findings_.size() <= kMaxUsers)
    files.insert(with_findings_.begin(), with_findings_.end());
  return files;
}

FileSet Dependents::affected_by_errors(const SnapshotFile& file, const FileFacts& before) const {
  FileSet files = connections_.around(file.id, std::array{&before, file.facts.get()}, kMaxUsers);
  add_noticing(before, {}, files);
  add_noticing({}, *file.facts, files);
  return files;
}

// Files that a name connects with none of these names, but that notice what is sent, or lack what is declared.
void Dependents::add_noticing(const FileFacts& before, const FileFacts& after, FileSet& files) const {
  const auto sent_before = shown_names(before, false);
  const auto sent_after = shown_names(after, false);
  if (sent_before != sent_after) {
    std::vector<std::pair<NameKind, std::string>> different;
    std::set_symmetric_difference(sent_before.begin(), sent_before.end(), sent_after.begin(), sent_after.end(),
                                  std::back_inserter(different));
    for (const auto& [kind, key] : different) {
      const auto add = [&](const std::string& signal) {
        const FileSet& all = connections_.files_with(NameKind::signal, signal).all;
        files.insert(all.begin(), all.end());
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
}

// The same of a file that belongs, or belonged, to the joined ones.
void Dependents::add_joined(FileId file, const FileFacts& before, const FileFacts& after, FileSet& files) {
  // Findings in others that show places in it.
  if (const auto related = related_.find(file); related != related_.end())
    files.insert(related->second.begin(), related->second.end());
  const auto add_all = [&] { files.insert(connections_.joined().begin(), connections_.joined().end()); };
  if (before.summary == nullptr || after.summary == nullptr || before.summary->declared != after.summary->declared) {
    static_cast<void>(connections_.link(file));
    return add_all();
  }
  const UsedTrees used_before = used_trees(*before.summary);
  const UsedTrees used_after = used_trees(*after.summary);
  if (used_before == used_after) return;
  const std::set<std::string> names = different_names(used_before, used_after);
  for (const std::string& name : names) add_meant(name, files);
  if (connections_.link(file) || is_elsewhere(used_before.references) || is_elsewhere(used_after.references)) add_all();
  files.merge(connections_.around(file, std::array{&after}, kMaxUsers));
  for (const std::string& name : names) add_meant(name, files);
  files.insert(with_shared_.begin(), with_shared_.end());
  add_first_users(snapshot_, file, used_before.nodes, used_after.nodes, files);
}

// Those with the trees of a name that is used now, or no more, or that it may mean, and what is connected with them.
void Dependents::add_meant(const std::string& tree, FileSet& files) const {
  FileSet meant = connections_.files_with(NameKind::tree, tree).declaring;
  if (meant.empty()) connections_.add_near(NameKind::tree, tree, meant);
  if (meant.size() > kMaxUsers) return;
  for (const FileId file : meant)
    files.merge(connections_.around(file, std::array{&connections_.facts_of(file)}, kMaxUsers));
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
  const auto add_some = [&](const FileSet& senders) {
    std::size_t count = 0;
    for (auto file = senders.begin(); file != senders.end() && count < kEnoughSenders; ++file) {
      if (with_errors_.count(*file) != 0) continue;
      files.insert(*file);
      ++count;
    }
  };
  const bool declares_events = !snapshot_.configuration.dialects.events.empty();
  bool has_signals = false;
  for (const SharedName& each : names.names) {
    if (each.kind != NameKind::signal) continue;
    has_signals = true;
    add_some(connections_.files_with(NameKind::signal, each.key).writing);
    if (declares_events) connections_.add_near(NameKind::signal, each.key, files);
  }
  if (!has_signals) return;
  for (const dialects::HostDeclaration& host : snapshot_.configuration.dialects.of<dialects::ModularOptions>().hosts) {
    if (host.sends != nullptr && !host.sends->empty())
      add_some(connections_.files_with(NameKind::action, host.name).all);
  }
}

FileSet Dependents::closure(const FileSet& files, std::size_t most_users) const {
  FileSet all;
  for (const FileId file : files) {
    const FileFacts& facts = connections_.facts_of(file);
    connections_.add_above(file, facts, most_users, all);
    if (!connections_.is_joined(file)) add_senders(facts, all);
  }
  connections_.add_below(all, Connections::Unknown::may_be_near);
  all.insert(damaged_.begin(), damaged_.end());
  return all;
}

}  // namespace espalier::project

// Connections between files. See connections.h.
#include "project/incremental/connections.h"

#include <algorithm>
#include <utility>

#include "dialects/btcpp/file_summary.h"
#include "dialects/btcpp/tree_graph.h"
#include "text/names.h"

namespace espalier::project {

using dialects::btcpp::TreeGraph;

namespace {

FileSet& files_that(NameUse use, NameFiles& files) {
  return use == NameUse::declares ? files.declaring : use == NameUse::reads ? files.reading : files.writing;
}

// What there is of trees with the same names: which of them are taken, and which replace others.
std::vector<std::size_t> same_names_of(const TreeGraph& graph) {
  std::vector<std::size_t> numbers;
  for (const auto& [name, trees] : graph.names()) {
    if (trees.size() > 1) numbers.insert(numbers.end(), trees.begin(), trees.end());
  }
  for (const TreeGraph::Duplicate& each : graph.duplicates()) numbers.insert(numbers.end(), {each.tree, each.other});
  return numbers;
}

}  // namespace

const Connections::Links Connections::kNoLinks;

void Connections::clear() {
  known_.clear();
  names_.clear();
  files_of_paths_.clear();
  joined_.clear();
  links_.clear();
}

void Connections::set(const SnapshotFile& file) {
  for (const SharedName& each : facts_of(file.id).names) {
    const auto found = names_.find({each.kind, each.key});
    if (found == names_.end()) continue;
    files_that(each.use, found->second).erase(file.id);
    found->second.all.erase(file.id);
    if (found->second.all.empty()) names_.erase(found);
  }
  known_[file.id] = {file.facts, file.place.includes};
  for (const SharedName& each : file.facts->names) {
    NameFiles& files = names_[{each.kind, each.key}];
    files.all.insert(file.id);
    files_that(each.use, files).insert(file.id);
  }
  files_of_paths_[file.place.path] = file.id;
  file.place.summary.has_value() ? void(joined_.insert(file.id)) : void(joined_.erase(file.id));
}

bool Connections::link(FileId edited) {
  std::vector<FileId> ids;
  std::vector<dialects::File> files;
  std::vector<dialects::OtherFile> others;
  for (const SnapshotFile& file : snapshot_.files) {
    if (!file.place.summary.has_value()) {
      others.emplace_back().path = file.place.path;
      continue;
    }
    ids.push_back(file.id);
    dialects::File& own = files.emplace_back();
    own.path = file.place.path;
    own.includes = file.place.includes;
    own.summary = dialects::btcpp::summary_of(file.place);
  }
  const auto summaries = dialects::btcpp::summaries_of(files, nullptr);
  const TreeGraph graph(files, summaries, others);
  std::unordered_map<FileId, Links> links;
  const auto uses = graph.uses();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    for (const std::size_t used : uses[i]) {
      links[ids[i]].uses.push_back(ids[used]);
      links[ids[used]].used_by.push_back(ids[i]);
    }
  }
  std::swap(links_, links);
  const std::vector<std::size_t> same_names = std::exchange(same_names_, same_names_of(graph));
  return same_names != same_names_ || std::any_of(ids.begin(), ids.end(), [&](FileId file) {
           const auto before = links.find(file);
           return file != edited && (before == links.end() ? kNoLinks : before->second).uses != links_of(file).uses;
         });
}

const FileFacts& Connections::facts_of(FileId file) const {
  static const FileFacts kNone;
  const auto found = known_.find(file);
  return found == known_.end() ? kNone : *found->second.facts;
}

const NameFiles& Connections::files_with(NameKind kind, const std::string& key) const {
  static const NameFiles kNone;
  const auto found = names_.find({kind, key});
  return found == names_.end() ? kNone : found->second;
}

const Connections::Links& Connections::links_of(FileId file) const {
  const auto found = links_.find(file);
  return found == links_.end() ? kNoLinks : found->second;
}

// Trees of BehaviorTree.CPP refer to one another by programs, all others by names alone.
template <typename Visit>
void Connections::each_user(FileId file, const FileFacts& facts, const Visit& visit) const {
  if (facts.summary != nullptr) {
    for (const FileId user : links_of(file).used_by) {
      if (!visit(user)) return;
    }
    return;
  }
  for (const SharedName& name : facts.names) {
    if (!connects_files(name.kind) || name.use != NameUse::declares) continue;
    // Files that declare the same name have findings about it; all trees together are no such name.
    const NameFiles& files = files_with(name.kind, name.key);
    for (const FileId user : name.is_implied&& name.key.starts_with(kAnyTree) ? files.reading : files.all) {
      if (!visit(user)) return;
    }
  }
}

void Connections::add_above(FileId file, const FileFacts& facts, std::size_t most, FileSet& files) const {
  FileSet above = {file};
  std::vector<std::pair<FileId, const FileFacts*>> open = {{file, &facts}};
  while (!open.empty()) {
    const auto [next, names] = open.back();
    open.pop_back();
    each_user(next, *names, [&](FileId user) {
      if (above.size() > most) return false;
      if (above.insert(user).second) open.emplace_back(user, &facts_of(user));
      return true;
    });
  }
  files.merge(above);
}

void Connections::add_below(FileSet& files, Unknown unknown) const {
  std::vector<FileId> open(files.begin(), files.end());
  const auto add = [&](FileId file) {
    if (files.insert(file).second) open.push_back(file);
  };
  while (!open.empty()) {
    const FileId next = open.back();
    open.pop_back();
    each_used(next, facts_of(next), add, [&](const SharedName& name) {
      if (unknown == Unknown::is_left_out) return;
      FileSet near;
      add_near(name.kind, name.key, near);
      std::for_each(near.begin(), near.end(), add);
    });
  }
}

FileSet Connections::around(FileId file, std::span<const FileFacts* const> versions, std::size_t most_users) const {
  FileSet users;
  for (const FileFacts* const facts : versions) add_above(file, *facts, kAllUsers, users);
  FileSet files = users;
  for (const FileFacts* const facts : versions) {
    each_used(
        file, *facts, [&](FileId used) { files.insert(used); }, [](const SharedName&) {});
  }
  add_below(files, Unknown::is_left_out);
  std::erase_if(files, [&](FileId other) {
    if (users.count(other) != 0) return false;
    FileSet above;
    add_above(other, facts_of(other), most_users, above);
    return above.size() > most_users;
  });
  return files;
}

FileSet Connections::connected(FileId file) const {
  FileSet files = {file};
  std::vector<FileId> open = {file};
  while (!open.empty()) {
    const Links& links = links_of(open.back());
    open.pop_back();
    for (const std::vector<FileId>* const others : {&links.uses, &links.used_by}) {
      for (const FileId other : *others) {
        if (files.insert(other).second) open.push_back(other);
      }
    }
  }
  return files;
}

void Connections::add_near(NameKind kind, std::string_view name, FileSet& files) const {
  constexpr std::size_t kMostEdits = 2;
  for (auto it = names_.lower_bound({kind, {}}); it != names_.end() && it->first.first == kind; ++it) {
    if (!text::is_near(it->first.second, name, kMostEdits)) continue;
    const FileSet& meant = kind == NameKind::signal ? it->second.writing : it->second.declaring;
    files.insert(meant.begin(), meant.end());
  }
}

}  // namespace espalier::project

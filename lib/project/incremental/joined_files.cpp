// Which files depend on which. See joined_files.h.
#include "project/incremental/joined_files.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "dialects/btcpp/tree_graph.h"

namespace espalier::project {

using dialects::btcpp::FileSummary;
using dialects::btcpp::TreeGraph;

namespace {

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

const JoinedFiles::Links JoinedFiles::kNoLinks;

void JoinedFiles::clear() {
  ids_.clear();
  links_.clear();
}

bool JoinedFiles::link(const Snapshot& snapshot, FileId edited) {
  std::vector<FileId> ids;
  std::vector<dialects::File> files;
  std::vector<dialects::OtherFile> others;
  for (const SnapshotFile& file : snapshot.files) {
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
  const TreeGraph graph(files, summaries, others, dialects::btcpp::Format3::is_read);
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

const JoinedFiles::Links& JoinedFiles::links_of(FileId file) const {
  const auto found = links_.find(file);
  return found == links_.end() ? kNoLinks : found->second;
}

void JoinedFiles::add_above(FileId file, std::size_t most, FileSet& files) const {
  std::vector<FileId> open = {file};
  FileSet above = {file};
  while (!open.empty()) {
    const FileId next = open.back();
    open.pop_back();
    for (const FileId user : links_of(next).used_by) {
      if (above.size() > most) break;
      if (above.insert(user).second) open.push_back(user);
    }
  }
  files.merge(above);
}

void JoinedFiles::add_below(FileSet& files) const {
  std::vector<FileId> open(files.begin(), files.end());
  while (!open.empty()) {
    const FileId next = open.back();
    open.pop_back();
    for (const FileId used : links_of(next).uses) {
      if (files.insert(used).second) open.push_back(used);
    }
  }
}

FileSet JoinedFiles::connected(FileId file) const {
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

FileSet JoinedFiles::affected(FileId file, std::size_t most_users) const {
  FileSet users;
  add_above(file, std::numeric_limits<std::size_t>::max(), users);
  FileSet files = users;
  add_below(files);
  std::erase_if(files, [&](FileId other) {
    if (users.count(other) != 0) return false;
    FileSet above;
    add_above(other, most_users, above);
    return above.size() > most_users;
  });
  return files;
}

UsedTrees used_trees(const FileSummary& summary) {
  UsedTrees used;
  used.node_names = summary.node_names;
  for (const dialects::btcpp::TreeSummary& tree : summary.trees) {
    for (const dialects::btcpp::TreeReference& reference : tree.references) used.references.push_back(reference.name);
    used.references.emplace_back();  // where the next tree begins
  }
  return used;
}

std::set<std::string> different_names(const UsedTrees& before, const UsedTrees& after) {
  std::set<std::string> names;
  for (const auto list : {&UsedTrees::references, &UsedTrees::node_names}) {
    const std::set<std::string> of_before((before.*list).begin(), (before.*list).end());
    const std::set<std::string> of_after((after.*list).begin(), (after.*list).end());
    std::set_symmetric_difference(of_before.begin(), of_before.end(), of_after.begin(), of_after.end(),
                                  std::inserter(names, names.end()));
  }
  return names;
}

}  // namespace espalier::project

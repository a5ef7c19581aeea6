// Which files depend on which. See joined_files.h.
#include "editor/joined_files.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "dialects/btcpp/tree_graph.h"
#include "project/engine_hosts.h"

namespace espalier::editor {

using dialects::btcpp::FileSummary;

const JoinedFiles::Links JoinedFiles::kNoLinks;

JoinedFiles::JoinedFiles() : nav2_(project::nav2_nodes()) {}

void JoinedFiles::clear() {
  ids_.clear();
  links_.clear();
}

JoinedFiles::Summary JoinedFiles::summarize(const text::XmlDocument& document) const {
  return dialects::btcpp::summarize(document, &nav2_);
}

FileSet JoinedFiles::link(const project::Snapshot& snapshot) {
  std::vector<FileId> ids;
  std::vector<dialects::File> files;
  std::vector<dialects::OtherFile> others;
  for (const project::SnapshotFile& file : snapshot.files) {
    if (file.place.summary == nullptr) {
      others.emplace_back().path = file.place.path;
      continue;
    }
    ids.push_back(file.id);
    dialects::File& own = files.emplace_back();
    own.path = file.place.path;
    own.includes = file.place.includes;
    own.summary = file.place.summary;
  }
  const auto summaries = dialects::btcpp::summaries_of(files, nullptr);
  std::unordered_map<FileId, Links> links;
  const auto found = dialects::btcpp::TreeGraph(files, summaries, others).links();
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::size_t used : found[i].uses) {
      links[ids[i]].uses.push_back(ids[used]);
      links[ids[used]].used_by.push_back(ids[i]);
    }
    for (const std::size_t replaced : found[i].replaces) links[ids[i]].replaces.push_back(ids[replaced]);
  }
  std::swap(links_, links);
  FileSet changed;
  for (const FileId file : ids) {
    const auto before = links.find(file);
    const Links& now = links_of(file);
    const Links& then = before == links.end() ? kNoLinks : before->second;
    if (then.uses != now.uses || then.replaces != now.replaces) changed.insert(file);
  }
  return changed;
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

std::set<std::string> other_references(const FileSummary& before, const FileSummary& after) {
  const auto names_of = [](const FileSummary& summary) {
    std::set<std::string> names(summary.node_names.begin(), summary.node_names.end());
    for (const dialects::btcpp::TreeSummary& tree : summary.trees) {
      for (const dialects::btcpp::TreeReference& reference : tree.references) names.insert(reference.name);
    }
    return names;
  };
  const std::set<std::string> of_before = names_of(before);
  const std::set<std::string> of_after = names_of(after);
  std::set<std::string> names;
  std::set_symmetric_difference(of_before.begin(), of_before.end(), of_after.begin(), of_after.end(),
                                std::inserter(names, names.end()));
  return names;
}

}  // namespace espalier::editor

// The files of BehaviorTree.CPP's trees, which are one project: which of them depend on which, so that after an edit
// only these are read again.
#pragma once
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "project/snapshot.h"
#include "text/source.h"

namespace espalier::project {

using text::FileId;
using FileSet = std::set<FileId>;

class JoinedFiles {
 public:
  using Summary = std::shared_ptr<const dialects::btcpp::FileSummary>;

  void clear();
  [[nodiscard]] bool has(FileId file) const { return ids_.count(file) != 0; }
  [[nodiscard]] const FileSet& all() const { return ids_; }
  void set(FileId file, bool is_joined) { is_joined ? void(ids_.insert(file)) : void(ids_.erase(file)); }

  // Finds from the summaries in the snapshot which files use which. Did anything change but what `edited` uses? Then
  // the findings of all may be others.
  bool link(const Snapshot& snapshot, FileId edited);

  // Adds the files with trees that use those of this one, through others too: at most so many. Itself is one of them.
  void add_above(FileId file, std::size_t most, FileSet& files) const;
  // Adds the files with trees that those of these use, through others too.
  void add_below(FileSet& files) const;
  // The files whose trees are connected in any way to those of this one.
  [[nodiscard]] FileSet connected(FileId file) const;
  // The files in which an edit of this one may change findings, if its summary stays the same, apart from those that
  // more than `most_users` others use.
  [[nodiscard]] FileSet affected(FileId file, std::size_t most_users) const;

 private:
  struct Links {
    std::vector<FileId> uses, used_by;
  };
  static const Links kNoLinks;
  [[nodiscard]] const Links& links_of(FileId file) const;

  FileSet ids_;
  std::unordered_map<FileId, Links> links_;
  std::vector<std::size_t> same_names_;  // trees of one name, and which of them are taken, by their numbers
};

// How a file uses trees: if it is the same before and after an edit, so are its effects on other files.
struct UsedTrees {
  std::vector<std::string> references;  // in order, tree by tree, with repetitions
  std::vector<std::string> node_names;  // sorted; a tree that is used as a node has its name among them
  friend bool operator==(const UsedTrees&, const UsedTrees&) = default;
};
[[nodiscard]] UsedTrees used_trees(const dialects::btcpp::FileSummary& summary);
// The names that are in one of them only, as references or as names of nodes.
[[nodiscard]] std::set<std::string> different_names(const UsedTrees& before, const UsedTrees& after);

}  // namespace espalier::project

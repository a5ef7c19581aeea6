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

namespace espalier::editor {

using text::FileId;
using FileSet = std::set<FileId>;

class JoinedFiles {
 public:
  using Summary = std::shared_ptr<const dialects::btcpp::FileSummary>;

  JoinedFiles();
  void clear();
  [[nodiscard]] bool has(FileId file) const { return ids_.count(file) != 0; }
  [[nodiscard]] const FileSet& all() const { return ids_; }
  [[nodiscard]] Summary summarize(const text::XmlDocument& document) const;
  void add(FileId file) { ids_.insert(file); }
  void remove(FileId file) { ids_.erase(file); }

  // Finds links from the summaries in the snapshot. Returns the files whose links are others than before.
  FileSet link(const project::Snapshot& snapshot);

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
    std::vector<FileId> uses, used_by, replaces;
  };
  static const Links kNoLinks;
  [[nodiscard]] const Links& links_of(FileId file) const;

  const dialects::btcpp::Framework nav2_;
  FileSet ids_;
  std::unordered_map<FileId, Links> links_;
};

// Names of trees that only one of the summaries refers to, or uses as nodes.
[[nodiscard]] std::set<std::string> other_references(const dialects::btcpp::FileSummary& before,
                                                     const dialects::btcpp::FileSummary& after);

}  // namespace espalier::editor

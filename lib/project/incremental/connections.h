// Which files of a project are connected: one declares names that another uses, or one has trees of BehaviorTree.CPP
// that another refers to. It follows from the facts of files, and is brought up to date when one of them changes. What
// lint checks together (parts.h) and what an edit affects (dependents.h) are both made of these connections.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/incremental/file_facts.h"
#include "project/snapshot.h"
#include "text/source.h"

namespace espalier::project {

using text::FileId;
using FileSet = std::set<FileId>;

inline constexpr std::size_t kAllUsers = std::numeric_limits<std::size_t>::max();

// The files in which a name occurs, by how they use it.
struct NameFiles {
  FileSet all, declaring, reading, writing;
};

class Connections {
 public:
  // Reads the summaries of files in the snapshot, which must outlive this.
  explicit Connections(const Snapshot& snapshot) : snapshot_(snapshot) {}
  void clear();

  // What is known of a file of the snapshot now: its facts and its place.
  void set(const SnapshotFile& file);
  // Call this when all files are known: which trees of BehaviorTree.CPP use which. Did anything change but what
  // `edited` uses? Then the findings in all such files may be others.
  bool link(FileId edited);

  [[nodiscard]] bool is_known(FileId file) const { return known_.count(file) != 0; }
  [[nodiscard]] const FileFacts& facts_of(FileId file) const;  // empty: it is not known
  [[nodiscard]] const std::map<std::pair<NameKind, std::string>, NameFiles>& names() const { return names_; }
  [[nodiscard]] const NameFiles& files_with(NameKind kind, const std::string& key) const;
  // Files with trees of BehaviorTree.CPP. They are one project, of which each file is read with what is known of all.
  [[nodiscard]] const FileSet& joined() const { return joined_; }
  [[nodiscard]] bool is_joined(FileId file) const { return joined_.count(file) != 0; }

  // Adds the files that use what this one declares, through others too: at most so many. Itself is one of them.
  // `facts`: of the file, now or before an edit.
  void add_above(FileId file, const FileFacts& facts, std::size_t most, FileSet& files) const;
  // Adds the files that these use, through others too. `unknown`: a hint for a name that nothing declares may choose
  // one that is nearly the same.
  enum class Unknown : std::uint8_t { is_left_out, may_be_near };
  void add_below(FileSet& files, Unknown unknown) const;
  // Those in which an edit of this file may change findings, if these are its facts before and after: all above it, and
  // what they use, apart from files that more than `most_users` use.
  [[nodiscard]] FileSet around(FileId file, std::span<const FileFacts* const> versions, std::size_t most_users) const;
  // The joined files that are connected with this one in any way, through others too.
  [[nodiscard]] FileSet connected(FileId file) const;
  // Adds the files that send a signal, or declare another name, that is nearly this one.
  void add_near(NameKind kind, std::string_view name, FileSet& files) const;
  // Visits the files that one uses itself: visit(file). And names that no file of its dialect
  // declares: unknown(name).
  template <typename Visit, typename OnUnknown>
  void each_used(FileId file, const FileFacts& facts, const Visit& visit, const OnUnknown& unknown) const;

 private:
  struct Links {
    std::vector<FileId> uses, used_by;
  };
  static const Links kNoLinks;
  [[nodiscard]] const Links& links_of(FileId file) const;
  template <typename Visit>
  void each_user(FileId file, const FileFacts& facts, const Visit& visit) const;

  const Snapshot& snapshot_;
  struct Known {
    std::shared_ptr<const FileFacts> facts;
    std::vector<dialects::Included> includes;
  };
  std::unordered_map<FileId, Known> known_;
  std::map<std::pair<NameKind, std::string>, NameFiles> names_;
  std::unordered_map<std::string, FileId> files_of_paths_;
  FileSet joined_;
  std::unordered_map<FileId, Links> links_;  // of joined files
  std::vector<std::size_t> same_names_;      // trees of one name, and which of them are taken, by their numbers
};

template <typename Visit, typename OnUnknown>
void Connections::each_used(FileId file, const FileFacts& facts, const Visit& visit, const OnUnknown& unknown) const {
  const auto visit_path = [&](const std::string& path) {
    const auto found = files_of_paths_.find(path);
    if (found != files_of_paths_.end() && !is_joined(found->second)) visit(found->second);
  };
  if (facts.summary != nullptr) {
    for (const FileId used : links_of(file).uses) visit(used);
    // What is included may be no file of such trees, which is a fault.
    for (const dialects::Included& include : known_.at(file).includes) visit_path(include.path);
    return;
  }
  for (const SharedName& name : facts.names) {
    if (!connects_files(name.kind) || name.use == NameUse::declares) continue;
    bool is_known = false;
    for (const FileId used : files_with(name.kind, name.key).declaring) {
      is_known = is_known || facts_of(used).owner == facts.owner;
      visit(used);
    }
    if (name.kind == NameKind::file) visit_path(name.key);  // it may be of another kind
    if (!is_known) unknown(name);
  }
}

}  // namespace espalier::project

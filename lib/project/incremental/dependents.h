// Which files have to be checked again when one has changed, and which a check of these needs, while a project is
// edited: fewer than its part (parts.h) has, as findings in a file that very many others use wait until it is changed
// itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "project/incremental/file_facts.h"
#include "project/incremental/joined_files.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

// Findings in a file that more others use are found anew when it is changed itself, or everything is.
inline constexpr std::size_t kMaxUsers = 64;
inline constexpr std::size_t kAllUsers = std::numeric_limits<std::size_t>::max();

// The files in which a name occurs, and how: bits 1 << NameUse.
using NameUses = std::map<FileId, std::uint8_t>;

class Dependents {
 public:
  // Reads the configuration and the summaries of files in the snapshot, which must outlive this.
  explicit Dependents(const Snapshot& snapshot) : snapshot_(snapshot) {}
  void clear();

  // What is known of a file of the snapshot now: its facts, its place and its summary.
  void set_facts(const SnapshotFile& file);
  // Call this when all files are known.
  void link() { static_cast<void>(joined_.link(snapshot_, 0)); }
  // What is found in a file now, and was before.
  void set_findings(FileId file, std::span<const text::Finding> before, std::span<const text::Finding> findings);

  // The files whose findings the edit of one can change, itself among them. `before`, `summary_before`: of before.
  [[nodiscard]] FileSet affected(const SnapshotFile& file, const FileFacts& before,
                                 const JoinedFiles::Summary& summary_before);
  // The same where the file has errors now and had none, or the opposite: such trees do nothing that others notice.
  [[nodiscard]] FileSet affected_by_errors(const SnapshotFile& file, const FileFacts& before) const;
  // These files and all that they need, with those that use what they declare, on which findings depend: of each at
  // most so many.
  [[nodiscard]] FileSet closure(const FileSet& files, std::size_t most_users) const;

  [[nodiscard]] const JoinedFiles& joined() const { return joined_; }
  [[nodiscard]] const FileSet& damaged() const { return damaged_; }
  [[nodiscard]] bool has_errors(FileId file) const { return with_errors_.count(file) != 0; }

 private:
  [[nodiscard]] const FileFacts& facts_of(FileId file) const;
  [[nodiscard]] const NameUses* files_with(NameKind kind, std::string_view key) const;
  template <typename Visit>
  void each_name(NameKind kind, const Visit& visit) const;
  [[nodiscard]] FileSet affected(FileId file, const FileFacts& before, const FileFacts& after) const;
  [[nodiscard]] FileSet affected_joined(FileId file, const JoinedFiles::Summary& before,
                                        const JoinedFiles::Summary& after);
  void add_meant(const std::string& tree, FileSet& files) const;
  [[nodiscard]] bool is_elsewhere(const std::vector<std::string>& trees) const;
  void add_users(const FileFacts& names, std::size_t most, FileSet& files) const;
  void add_senders(const FileFacts& names, FileSet& files) const;
  void add_near(NameKind kind, std::string_view name, FileSet& files) const;
  void add_included(FileId file, FileSet& files) const;

  const Snapshot& snapshot_;
  struct Known {
    std::shared_ptr<const FileFacts> facts;
    std::vector<dialects::Included> includes;
  };
  std::unordered_map<FileId, Known> known_;
  std::map<std::pair<NameKind, std::string>, NameUses> uses_;  // of shared names
  std::unordered_map<std::string, FileId> files_of_paths_;
  JoinedFiles joined_;
  // Trees with such findings: any, errors, those that end when another file declares or sends a name, and those that
  // are about several files.
  FileSet with_findings_, with_errors_, with_unresolved_, with_shared_;
  std::unordered_map<FileId, FileSet> related_;  // to each file: those with findings that show places in it
  FileSet damaged_;                              // their words may be why a name seems to be unknown
};

}  // namespace espalier::project

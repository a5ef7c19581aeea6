// Which files have to be checked again when one has changed, and which a check of these needs, while a project is
// edited: of its part (parts.h) fewer, as findings in a file that very many others use wait until it is changed itself.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "project/incremental/connections.h"
#include "project/incremental/file_facts.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::project {

// Findings in a file that more others use are found anew when it is changed itself, or everything is.
inline constexpr std::size_t kMaxUsers = 64;

class Dependents {
 public:
  // Reads the configuration and the summaries of files in the snapshot, which must outlive this.
  explicit Dependents(const Snapshot& snapshot) : snapshot_(snapshot), connections_(snapshot) {}
  void clear();

  // What is known of a file of the snapshot now: its facts, its place and its summary.
  void set_facts(const SnapshotFile& file);
  // Call this when all files are known.
  void link() { static_cast<void>(connections_.link(0)); }
  // What is found in a file now, and was before.
  void set_findings(FileId file, std::span<const text::Finding> before, std::span<const text::Finding> findings);

  // The files whose findings the edit of one can change, itself among them. `before`: its facts of before.
  [[nodiscard]] FileSet affected(const SnapshotFile& file, const FileFacts& before);
  // The same where the file has errors now and had none, or the opposite: such trees do nothing that others notice.
  [[nodiscard]] FileSet affected_by_errors(const SnapshotFile& file, const FileFacts& before) const;
  // These files and all that they need, with those that use what they declare, on which findings depend: of each at
  // most so many.
  [[nodiscard]] FileSet closure(const FileSet& files, std::size_t most_users) const;

  [[nodiscard]] const Connections& connections() const { return connections_; }
  [[nodiscard]] const FileSet& damaged() const { return damaged_; }
  [[nodiscard]] bool has_errors(FileId file) const { return with_errors_.count(file) != 0; }

 private:
  void add_noticing(const FileFacts& before, const FileFacts& after, FileSet& files) const;
  void add_joined(FileId file, const FileFacts& before, const FileFacts& after, FileSet& files);
  void add_meant(const std::string& tree, FileSet& files) const;
  [[nodiscard]] bool is_elsewhere(const std::vector<std::string>& trees) const;
  void add_senders(const FileFacts& names, FileSet& files) const;

  const Snapshot& snapshot_;
  Connections connections_;
  // Trees with such findings: any, errors, those that end when another file declares or sends a name, and those that
  // are about several files.
  FileSet with_findings_, with_errors_, with_unresolved_, with_shared_;
  std::unordered_map<FileId, FileSet> related_;  // to each file: those with findings that show places in it
  FileSet damaged_;                              // their words may be why a name seems to be unknown
};

}  // namespace espalier::project

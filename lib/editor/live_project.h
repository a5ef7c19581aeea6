// A project that is being edited: its files with unsaved texts, their names and findings. After a change only the
// changed file is parsed, and only what depends on it is checked.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "editor/index.h"
#include "project/check.h"
#include "project/incremental/dependents.h"
#include "project/parsed_files.h"
#include "project/snapshot.h"
#include "text/finding.h"

namespace espalier::editor {

using project::FileSet;

class LiveProject {
 public:
  // What the options name. Without a configuration and a folder, a file is a project of its own.
  explicit LiveProject(project::LoadOptions options);
  LiveProject(const LiveProject&) = delete;
  LiveProject& operator=(const LiveProject&) = delete;

  // The unsaved text of a file; none: what is on disk. `path` is absolute.
  void set_text(const std::string& path, std::optional<std::string> text);
  // A file on disk, or a folder, was written, created or removed. One whose text is not saved stays as it is here.
  void touch(const std::string& path);

  // Checks what depends on the changes since the last call. Returns the files whose findings were found anew.
  std::vector<FileId> update();
  // The paths of files that had findings and are no files of the project any more, since the last call.
  [[nodiscard]] std::vector<std::string> take_gone() { return std::exchange(gone_, {}); }
  [[nodiscard]] std::vector<std::string> paths_with_findings() const;
  // Of very many files that depend on a change, update() checks only the changed one, and that with some of its users.
  // Is something left? Then this checks some of the rest, and returns their files.
  [[nodiscard]] bool has_rest() const { return !rest_.empty(); }
  std::vector<FileId> check_rest();

  [[nodiscard]] const project::Snapshot& snapshot() const { return snapshot_; }
  [[nodiscard]] const project::Files& files() const { return files_; }
  // That of espalier.json, or the one that is open in the editor; empty: a file of its own.
  [[nodiscard]] std::string folder() const;
  [[nodiscard]] const Index& index() const { return index_; }
  [[nodiscard]] const project::Connections& connections() const { return dependents_.connections(); }
  [[nodiscard]] const std::vector<text::Finding>& findings_of(FileId file) const;
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }  // why nothing could be read
  // By absolute path; none: not a file of the project.
  [[nodiscard]] std::optional<FileId> file_at(const std::string& path) const;
  [[nodiscard]] const std::string& path_of(FileId file) const { return paths_[file]; }
  // Of all files that it is read from, and of files of packages that may come: without C++.
  [[nodiscard]] std::vector<std::string> paths_on_disk() const;
  [[nodiscard]] const project::SnapshotFile* tree_file(FileId file) const;  // null: not a tree
  // Reads and checks these files and all that they need, as for compiling.
  [[nodiscard]] project::Checked compiled(const std::vector<FileId>& files) const;

  // ---- For tests
  [[nodiscard]] std::uint64_t checked_count() const { return checked_count_; }  // files read by checks, but for loading
  [[nodiscard]] std::uint64_t load_count() const { return load_count_; }
  [[nodiscard]] std::uint64_t parse_count() const { return parsed_.parse_count(); }

 private:
  std::vector<FileId> load();
  bool may_be_tree(const std::string& path) const;
  bool depends_on(const std::string& path) const;
  bool is_included(const std::string& path) const;
  bool change(const std::string& path, FileSet& changed);
  bool edit(project::SnapshotFile& file, const std::string& path, FileSet& changed);
  [[nodiscard]] project::Snapshot part(const FileSet& files) const;
  void check(const FileSet& files, const FileSet& closure);
  void check_first(FileId edited, const FileSet& files, FileSet& changed);
  void set_findings(FileId file, std::vector<text::Finding> findings);
  void set_facts(project::SnapshotFile& file);
  // Brings what files themselves declare up to date.
  void declare_models();
  [[nodiscard]] std::vector<std::string> includes_of(const project::SnapshotFile& file) const;

  project::LoadOptions options_;
  project::Files files_;
  project::ParsedFiles parsed_;
  std::map<std::string, std::optional<std::string>> changes_;  // texts since the last update
  std::unordered_map<std::string, std::string> texts_;         // unsaved, by path
  bool is_loaded_ = false;
  bool may_tell_otherwise_ = false;  // packages, which version of a library their trees are for
  std::vector<std::string> gone_;

  project::Snapshot snapshot_;
  text::Findings faults_;           // of the configuration and of links
  std::vector<std::string> paths_;  // absolute, by file
  std::unordered_map<std::string, FileId> file_of_path_;
  std::unordered_map<FileId, std::size_t> number_of_;  // in snapshot_.files
  Index index_;
  project::Dependents dependents_{snapshot_};
  std::unordered_map<FileId, std::vector<text::Finding>> findings_;  // of files that have some
  FileSet rest_;                                                     // what is still to be checked
  FileSet quiet_;                                                    // files that were checked while a file was damaged
  bool was_damaged_ = false;                                         // when everything was checked
  std::vector<std::string> errors_;
  std::uint64_t checked_count_ = 0;
  std::uint64_t load_count_ = 0;
};

// A path as the index of files has it: absolute and without links.
[[nodiscard]] std::string canonical_path(const std::string& path);

}  // namespace espalier::editor

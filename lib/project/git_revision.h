// The files of a git checkout as they are at a revision, read with the machine's git, without its network and without
// the checkout's filters and hooks.
#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "system/run_program.h"

namespace espalier::project {

// As a command line names them: files and folders, and a configuration, which may be empty.
struct NamedPaths {
  std::vector<std::string> paths;
  std::string configuration;
};

// Why a revision cannot be read.
struct GitFault {
  std::string message;
  std::string hint = {};
  std::string of_git = {};  // what git says: all of it, as its words often name the remedy in a later line
};

class GitRevision {
 public:
  GitRevision() = default;
  // Removes the files.
  ~GitRevision();
  GitRevision(const GitRevision&) = delete;
  GitRevision& operator=(const GitRevision&) = delete;

  // Puts what trees are made of (XML, configurations and what they name, scripts) into a private temporary folder. The
  // paths must be in one checkout, and exist there or at the revision. False: fault() says why.
  [[nodiscard]] bool take(const NamedPaths& named_paths, const std::string& revision);
  const GitFault& fault() const { return fault_; }
  // The same files at the revision, during a visit.
  const NamedPaths& paths() const { return paths_; }

  // A file of a revision.
  struct Entry {
    std::string object;
    std::string path;  // relative to the checkout
    bool is_link = false;
  };

  // While it exists, the current folder is that of the revision: paths are shown as those of the checkout.
  class Visit {
   public:
    explicit Visit(const GitRevision& version);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    std::string before_;
  };

 private:
  std::string inside(const std::string& absolute_path) const;
  bool fail(std::string message, std::string hint = {}, std::string of_git = {});
  std::optional<system::ProgramResult> run_git(std::vector<std::string> words, const std::string& input = {});
  [[nodiscard]] bool write_files(const std::string& revision, const std::vector<std::string>& named);
  [[nodiscard]] bool write_entries(std::span<const Entry> entries);
  void add_configured(const Entry& entry, const std::vector<std::string>& named,
                      std::set<std::string>& configured) const;
  [[nodiscard]] bool name_paths(const NamedPaths& named_paths, const std::string& revision);

  std::string folder_;    // in which absolute paths are repeated
  std::string checkout_;  // its folder, absolute and without links
  std::string current_;   // the current folder, the same
  NamedPaths paths_;
  GitFault fault_;
};

}  // namespace espalier::project

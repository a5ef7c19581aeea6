// The files of a git checkout as they are at a revision, read with the machine's git, without its network and without
// the checkout's filters and hooks.
#pragma once
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace espalier::cli {

class GitVersion {
 public:
  GitVersion() = default;
  // Removes the files.
  ~GitVersion();
  GitVersion(const GitVersion&) = delete;
  GitVersion& operator=(const GitVersion&) = delete;

  // Puts what trees are made of (XML, configurations and what they name, scripts) into a private temporary folder. The
  // paths of the options must be in one checkout, and exist at the revision. Returns an exit status; errors go to
  // standard error.
  [[nodiscard]] int take(const CommonOptions& options, const std::string& revision);
  // Names the same files at the revision, during a visit.
  const CommonOptions& options() const { return options_; }

  // A file of a revision.
  struct Entry {
    std::string object;
    std::string path;  // relative to the checkout
    bool is_link = false;
  };

  // While it exists, the current folder is that of the revision: paths are shown as those of the checkout.
  class Visit {
   public:
    explicit Visit(const GitVersion& version);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    std::string before_;
  };

 private:
  std::string inside(const std::string& absolute_path) const { return folder_ + absolute_path; }
  [[nodiscard]] int write_files(const std::string& revision, const std::vector<std::string>& named);
  [[nodiscard]] int write_entries(std::span<const Entry> entries);
  void add_configured(const Entry& entry, const std::vector<std::string>& named,
                      std::set<std::string>& configured) const;
  [[nodiscard]] int name_paths(const CommonOptions& options, const std::string& revision);

  std::string folder_;    // in which absolute paths are repeated
  std::string checkout_;  // its folder, absolute and without links
  std::string current_;   // the current folder, the same
  CommonOptions options_;
};

}  // namespace espalier::cli

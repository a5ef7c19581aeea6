// The files of a git checkout as they are at a revision, read with the machine's git, without its network and without
// the checkout's filters and hooks.
#pragma once
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

  // Puts what trees are made of (XML, configuration, scripts) into a private temporary folder. The paths of the options
  // must be in one checkout, and exist at the revision. Returns an exit status; errors go to standard error.
  [[nodiscard]] int take(const CommonOptions& options, const std::string& revision);
  // Names the same files at the revision, during a visit.
  const CommonOptions& options() const { return options_; }

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
  [[nodiscard]] int name_paths(const CommonOptions& options, const std::string& revision);

  std::string folder_;    // in which absolute paths are repeated
  std::string checkout_;  // its folder, absolute and without links
  std::string current_;   // the current folder, the same
  CommonOptions options_;
};

}  // namespace espalier::cli

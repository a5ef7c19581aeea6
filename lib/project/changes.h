// Waits for changes of files.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "system/file.h"
#include "system/filesystem.h"
#include "system/notifier.h"

namespace espalier::project {

// On Linux the system says when something has changed; elsewhere, or if it cannot, the files are looked at ten times a
// second. What has changed is found by comparing their times and sizes.
class Changes {
 public:
  // `roots`: files and folders; folders with all below them, except hidden ones.
  explicit Changes(std::vector<std::string> roots);
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // From now on these files count too. Of others below the roots those count that may be trees, traces, assets,
  // configurations or scripts, by their names.
  void follow(const std::set<std::string>& files);
  // Waits until files have changed since the last call, or since the beginning, and nothing has changed for a moment.
  // Returns their paths; none: nobody reads standard output any more, or the system cannot wait, which has a reason.
  std::vector<std::string> wait(std::string* reason);

 private:
  using Stamps = std::map<std::string, system::FileStamp>;

  void find_folders();
  static void add_stamp(const system::filesystem::path& path, Stamps& stamps);
  Stamps stamps() const;
  std::vector<std::string> take_changes();

  std::vector<std::string> roots_;
  std::set<std::string> files_;    // that are followed
  std::set<std::string> folders_;  // the roots and what is below them
  Stamps last_;
  system::Notifier notifier_;
};

}  // namespace espalier::project

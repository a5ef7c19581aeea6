// A hidden folder next to the outputs, in which they are written before they are renamed. Its name is unique to the
// run, it has a mark in it, and it is locked while its process lives: the next run that writes to the same place
// removes marked ones that are unlocked, which killed processes have left. A folder without the mark is never touched.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "system/marked_folder.h"

namespace espalier::system {

class StagingFolder {
 public:
  // Creates one in `folder`. On failure there is a reason().
  explicit StagingFolder(const std::string& folder);
  // Removes it with everything that is still in it.
  ~StagingFolder();
  StagingFolder(StagingFolder&& other) noexcept;
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  StagingFolder& operator=(StagingFolder&&) = delete;

  // Why the folder could not be created; empty on success.
  const std::string& reason() const { return reason_; }

  // Writes the file with this number, with the permissions of `target` if that exists. False: `reason` says why.
  [[nodiscard]] bool write(std::size_t number, const std::string& target, std::string_view bytes, std::string* reason);
  // Renames it to `target`, in the folder that contains this one. An existing file is replaced.
  [[nodiscard]] bool publish(std::size_t number, const std::string& target, std::string* reason);

 private:
  std::string path_of(std::size_t number) const;

  std::string path_;
  std::string reason_;
  MarkedFolder held_;
};

}  // namespace espalier::system

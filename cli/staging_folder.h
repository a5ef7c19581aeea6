// A folder beside outputs, in which they are written before they are moved to their places. It is hidden, has a name of
// its own in every run, and is locked as long as its process lives: what a killed process left behind is known by that,
// and the next run that writes to the same place removes it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::cli {

class StagingFolder {
 public:
  // Makes one in `folder`. What cannot be made has a reason().
  explicit StagingFolder(const std::string& folder);
  // Removes it with all that is still in it.
  ~StagingFolder();
  StagingFolder(StagingFolder&& other) noexcept;
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  StagingFolder& operator=(StagingFolder&&) = delete;

  // Why the folder was not made; empty when it was.
  const std::string& reason() const { return reason_; }

  // Writes the file of this number, with the permissions of `target` where there is one. False: `reason` says why.
  [[nodiscard]] bool write(std::size_t number, const std::string& target, std::string_view bytes, std::string* reason);
  // Moves it to `target`, in the folder that this one is in. What was there is replaced.
  [[nodiscard]] bool publish(std::size_t number, const std::string& target, std::string* reason);

 private:
  std::string path_of(std::size_t number) const;

  std::string path_;
  std::string reason_;
  int lock_ = -1;  // descriptor of the folder
};

// Writes all bytes to a descriptor. False: errno says why.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

}  // namespace espalier::cli

// A folder that a process holds: it has a mark, a file of a given text, and it is locked while the process lives. So
// other processes see what a killed one has left behind.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace espalier::system {

struct Mark {
  const char* name;
  std::string_view text;
};

class MarkedFolder {
 public:
  MarkedFolder();
  ~MarkedFolder();
  MarkedFolder(MarkedFolder&& other) noexcept;
  MarkedFolder& operator=(MarkedFolder&& other) noexcept;

  // Locks a new folder and marks it. The mark comes after the lock, so that no other process takes the folder for one
  // that was left behind.
  [[nodiscard]] std::error_code hold(const std::string& path, const Mark& mark);
  // Takes a folder that has the mark and that no process holds. False: it is none. Where the file system has no locks,
  // none is.
  [[nodiscard]] bool take_left_behind(const std::string& path, const Mark& mark);
  // Of the folder itself, wherever its path leads now. No links are followed.
  void remove_file(const std::string& name) const;
  // Removes the mark, and the folder, which must be empty.
  void remove();

 private:
  struct Held;  // of the system
  std::unique_ptr<Held> held_;
};

}  // namespace espalier::system

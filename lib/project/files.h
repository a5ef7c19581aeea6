// The files that a project is read from: files on disk, overlaid by texts that are not saved yet.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace espalier::project {

inline constexpr const char* kStandardInput = "-";
inline constexpr const char* kStandardInputName = "<stdin>";

// An unsaved text replaces what the disk has. The file need not exist on disk, but its folder must. The const functions
// are safe to call from several threads.
class Files {
 public:
  void set_text(const std::string& path, std::string bytes);
  // Uses the file on disk again.
  void drop_text(const std::string& path);

  bool is_file(const std::string& path) const;
  bool exists(const std::string& path) const;
  // Reads a whole file, or `limit_bytes` + 1 bytes of one that is longer. False: `error` is the system's reason.
  [[nodiscard]] bool read(const std::string& path, std::size_t limit_bytes, std::string& bytes,
                          std::string& error) const;
  // The names of the unsaved files in a folder, which is absolute and without links.
  std::vector<std::string> unsaved_in(const std::string& folder) const;

 private:
  const std::string* find(const std::string& path) const;
  std::map<std::string, std::string> unsaved_;  // by path, absolute and without links
};

// The same for files on disk only; "-" is standard input.
[[nodiscard]] bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error);

}  // namespace espalier::project

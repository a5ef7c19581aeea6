// From paths on a command line to the files of a project, each once, in one order.
#pragma once
#include <string>
#include <vector>

namespace espalier::project {

inline constexpr const char* kStandardInput = "-";
inline constexpr const char* kStandardInputName = "<stdin>";

// A file to read.
struct InputFile {
  std::string shown;      // as findings show it: relative to the current folder, with '/'
  std::string open_path;  // absolute; "-" is standard input
  std::string below;      // its path below the folder that stands for it; its own name when it was named itself
};

// The files that `paths` stand for: a file as it is, whatever its suffix; of a folder all .xml and .debt files below
// it, without what .gitignore files exclude (when `ignore_files`), and without hidden files and folders. A file that is
// reached in several ways (links, "./", a folder and a file in it) is there once. Sorted by `shown`, bytewise: the
// order of `paths` does not matter. What is missing or cannot be read is a line in `errors`.
std::vector<InputFile> collect(const std::vector<std::string>& paths, bool ignore_files,
                               std::vector<std::string>& errors);

// Reads a whole file, or `limit_bytes` + 1 bytes of one that is longer. False: `error` is the system's reason.
[[nodiscard]] bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error);

// `path` relative to the current folder, with '/'.
std::string shown_path(const std::string& path);

}  // namespace espalier::project

// Writing the outputs of a run: all are written or none is, and inputs are never overwritten.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::system {

struct OutputFile {
  std::string path;  // "-" is standard output
  std::string_view bytes;
  // What the file held when it was read, for one that is rewritten: if somebody has saved it since, it is left as it
  // is.
  std::optional<std::string_view> before = {};
};

struct Outputs {
  std::vector<OutputFile> files;
  std::vector<std::string> inputs = {};   // what was read; "-" is standard input
  std::vector<std::string> folders = {};  // created if they are missing; no others are
};

// Why nothing was written.
struct OutputFault {
  std::string message;
  std::string hint = {};
};

// Before anything is written, refuses outputs that are inputs or the same file as another output, also through links.
// Then writes each file to a temporary one in the same folder, and renames them when all are written. Links and
// permissions are kept, and signals that end the program are blocked meanwhile. Pipes and devices are written directly.
// If several runs write the same output, the last one replaces it as a whole. A file that has changed since it was read
// is left as it is, and the others are written. False: `fault` says why, or what was left.
[[nodiscard]] bool write_files(const Outputs& outputs, OutputFault* fault);

}  // namespace espalier::system

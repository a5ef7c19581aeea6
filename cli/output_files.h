// Writing the outputs of a run: all appear, or none is touched, and nothing that was read is ever written over.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

struct OutputFile {
  std::string path;  // "-" is standard output
  std::string_view bytes;
};

struct Outputs {
  std::vector<OutputFile> files;
  std::vector<std::string> inputs = {};   // what was read; "-" is standard input
  std::vector<std::string> folders = {};  // made where they are missing, and no others
};

// Why nothing was written.
struct OutputFault {
  std::string message;
  std::string hint = {};
};

// Refuses outputs that are inputs, or each other, under whatever names and links, before anything is written. Then
// writes every file beside its place, and moves them there when all are written. A link stays a link, permissions are
// kept, and signals that end the program wait for the end; pipes and devices are written as they are. Of several runs
// onto one output the last one wins whole. False: `fault` says why.
[[nodiscard]] bool write_files(const Outputs& outputs, OutputFault* fault);

}  // namespace espalier::cli

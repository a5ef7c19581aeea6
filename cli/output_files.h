// Writing several files as one: all appear, or none is touched.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

struct OutputFile {
  std::string path;  // "-" is standard output
  std::string_view bytes;
};

// Makes missing folders, writes every file beside its place, and moves them there when all are written. False: `error`
// says why.
[[nodiscard]] bool write_files(const std::vector<OutputFile>& files, std::string* error);

// A tree's name as the stem of a file that every file system takes: "Guard/Night" becomes "Guard_Night".
std::string file_stem(std::string_view tree_name);

// The rule of a Makefile: `targets` are made of `sources`.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources);

}  // namespace espalier::cli

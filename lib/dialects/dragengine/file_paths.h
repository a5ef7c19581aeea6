// Which file of a project the path in a subtree means. Nothing is looked up on the disk: only the given files are
// known.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialects/dragengine/rule_file.h"

namespace espalier::dialects::dragengine {

class FilePaths {
 public:
  // The arguments must outlive this. The number of a file is its index in `files`. `is_partial`: the project may have
  // files that are not given.
  FilePaths(const std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial);

  // What a subtree's path leads to.
  struct Target {
    std::size_t file = kNoFile;
    const OtherFile* other = nullptr;
    std::string fault;     // empty: `file` or `other` is set
    bool is_fault = true;  // false: the file may be one that is not given
    std::string hint;
    std::size_t meant = kNoFile;  // for a faulty path: the file that the hint names
  };
  // `path` is not empty; `from` is the file that contains it.
  [[nodiscard]] Target find(std::string_view path, const File& from);

 private:
  [[nodiscard]] Target missing(std::string_view path, const std::string& absolute, const File& from);

  const std::vector<RuleFile>& files_;
  const bool is_partial_;
  std::unordered_map<std::string, std::size_t> file_of_path_;
  std::unordered_map<std::string, const OtherFile*> other_of_path_;
  std::unordered_set<std::string> folders_;
  std::size_t compared_paths_ = 0;
};

}  // namespace espalier::dialects::dragengine

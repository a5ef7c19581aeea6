// Which file of a project the path in a subtree means. Nothing is looked up on the disk: what is not among the given
// files is not there.
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
  // What they are built from must outlive them. The number of a file is its place in `files`.
  // `is_partial`: other files may be there that are not given.
  FilePaths(const std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial);

  // What a subtree's path leads to.
  struct Target {
    std::size_t file = kNoFile;
    const OtherFile* other = nullptr;
    std::string fault;     // empty: one of the two is set
    bool is_fault = true;  // false: the file may be one that is not given
    std::string hint;
    std::size_t meant = kNoFile;  // of a faulty path: the file that the hint names
  };
  // `path` is not empty; `from` is the file it stands in.
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

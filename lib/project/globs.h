// Lists of globs in espalier.json: which paths below its folder they match. They are written as in .gitignore.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "project/gitignore.h"

namespace espalier::project {

class Globs {
 public:
  // False: it can never match a path below the folder ("", "../x", "#x").
  [[nodiscard]] bool add(std::string_view glob);
  bool empty() const { return patterns_.empty(); }
  // Does the list match this path, relative to its folder, with '/' between names? The last glob that matches the path
  // or a folder above it decides; one that begins with '!' excludes it.
  bool contain(std::string_view path, bool is_folder) const;
  // Does a list that contains a folder contain all that is below it too?
  bool contain_whole_folders() const { return !has_negated_; }

 private:
  std::vector<IgnorePattern> patterns_;
  bool has_negated_ = false;
};

}  // namespace espalier::project

// Finds the files of a project: each once, in one order.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "project/files.h"
#include "project/globs.h"

namespace espalier::project {

// A file to read.
struct InputFile {
  std::string shown;      // as findings show it: relative to the current folder, with '/'
  std::string open_path;  // absolute; "-" is standard input
  std::string below;      // path below the folder in which it was found; the file name when the file itself was named
  std::string canonical = {};  // absolute, without links
  std::string given = {};      // spelled as the given path: "./trees/tree.xml" for "./trees"
  bool is_named = false;       // itself, not found in a folder
  bool is_rest = false;        // belongs to the project, but is in none of the given paths
};

// A given folder.
struct InputFolder {
  std::string shown;
  std::string canonical;
};

struct CollectOptions {
  bool ignore_files = true;                         // honour .gitignore
  std::string folder = {};                          // of espalier.json, absolute and without links; empty: none
  const Globs* include = nullptr;                   // for files found below `folder`, when not empty
  const Globs* exclude = nullptr;                   // for all files below `folder`
  std::string stdin_filename = {};                  // the file that "-" stands for; empty: none
  const Files* files = nullptr;                     // null: those on disk
  std::span<const std::string_view> suffixes = {};  // of the files that are found in folders; empty: those of trees
  bool may_be_empty = false;                        // a given folder without trees is no error
};

struct Collection {
  std::vector<InputFile> files;         // sorted by `shown`, bytewise
  std::vector<InputFolder> folders;     // among the given paths
  std::vector<std::string> outside;     // links out of all these folders, which are not followed; as shown
  std::vector<std::string> broken;      // links that lead to nothing, or in a circle; as shown
  std::vector<std::string> left_out;    // named files that `exclude` matches; as shown
  std::vector<InputFolder> configured;  // below a given one, with an espalier.json that is not the project's
  bool has_empty_folder = false;        // a given folder has no files; there is an error for it
  // Projects of Groot2 in the folders, which are no files of trees: absolute, without links, sorted.
  std::vector<std::string> editor_projects;
};

// The files that `paths` name: a file whatever its suffix; for a folder all .xml and .debt files below it, except
// hidden ones and those that .gitignore files and `exclude` exclude. Those of `rest` are added as the rest of the
// project. A file that is reached in several ways (links, "./", a folder and a file in it) is listed once. The order of
// `paths` does not matter. Links in a folder are followed when they lead to one of the paths or below one, or below the
// folder of espalier.json. Each path that is missing or cannot be read is a line in `errors`.
Collection collect(const std::vector<std::string>& paths, const std::vector<std::string>& rest,
                   const CollectOptions& options, std::vector<std::string>& errors);

// `path` relative to `folder`, for globs; empty if it is not below the folder. Both are absolute.
std::string path_below(const std::string& folder, const std::string& path);

// `path` relative to the current folder, with '/'.
std::string shown_path(const std::string& path);

}  // namespace espalier::project

// From paths on a command line to the files of a project, each once, in one order.
#pragma once
#include <string>
#include <vector>

#include "project/files.h"
#include "project/globs.h"

namespace espalier::project {

// A file to read.
struct InputFile {
  std::string shown;           // as findings show it: relative to the current folder, with '/'
  std::string open_path;       // absolute; "-" is standard input
  std::string below;           // its path below the folder that stands for it; its own name when it was named itself
  std::string canonical = {};  // absolute, without links
  std::string given = {};      // in the words of the paths that were given: "./trees/tree.xml" of "./trees"
  bool is_named = false;       // by itself, and not found in a folder
  bool is_rest = false;        // of the project, and in none of the paths that were given
};

// A folder that was given.
struct InputFolder {
  std::string shown;
  std::string canonical;
};

struct CollectOptions {
  bool ignore_files = true;         // honour .gitignore
  std::string folder = {};          // of espalier.json, absolute and without links; empty: there is none
  const Globs* include = nullptr;   // of the files found below it, when it has any
  const Globs* exclude = nullptr;   // of all files below it
  std::string stdin_filename = {};  // what "-" stands for; empty: for itself
  const Files* files = nullptr;     // null: those on disk
};

struct Collection {
  std::vector<InputFile> files;       // sorted by `shown`, bytewise
  std::vector<InputFolder> folders;   // of the paths that were given
  std::vector<std::string> outside;   // links that lead out of all these folders, and are not followed; as shown
  std::vector<std::string> left_out;  // files that were named and that `exclude` has; as shown
};

// The files that `paths` stand for: a file as it is, whatever its suffix; of a folder all .xml and .debt files below
// it, without what .gitignore files and `exclude` leave out, and without hidden files and folders. Those of `rest` are
// added as the rest of the project. A file that is reached in several ways (links, "./", a folder and a file in it) is
// there once. The order of `paths` does not matter. Links in a folder are followed where they lead to one of the paths
// or below one, or below the folder of espalier.json. What is missing or cannot be read is a line in `errors`.
Collection collect(const std::vector<std::string>& paths, const std::vector<std::string>& rest,
                   const CollectOptions& options, std::vector<std::string>& errors);

// The paths of files as they are below a folder, for its globs; empty: it is not below. Both are absolute.
std::string path_below(const std::string& folder, const std::string& path);

// `path` relative to the current folder, with '/'.
std::string shown_path(const std::string& path);

}  // namespace espalier::project

// .gitignore files: which paths of a folder are not read. The rules are those of gitignore(5).
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::project {

// One line of a .gitignore file.
struct IgnorePattern {
  std::vector<std::string> segments;  // between '/'; "**" stands for any number of folders
  bool is_negated = false;            // began with '!': includes the path again
  bool folders_only = false;          // ended in '/'
  char last_begins_with = '\0';       // the last segment; '\0': with any character
};

// The patterns of a .gitignore file's text, in order. Blank lines and comments are skipped.
std::vector<IgnorePattern> parse_gitignore(std::string_view text);

// Does the pattern match a path relative to the folder of its .gitignore ("a/b.xml")?
bool matches(const IgnorePattern& pattern, std::string_view relative_path, bool is_folder);

// The .gitignore files that apply to a folder: its own, then those of the folders above. Immutable, shared by all
// below.
struct IgnoreRules {
  std::string folder;  // absolute, without '/' at the end; "" is the root of the file system
  std::vector<IgnorePattern> patterns;
  std::shared_ptr<const IgnoreRules> above;
};

// Is the entry at this absolute path ignored? The nearest file with a matching pattern decides, and in it the last such
// pattern. Folders above are not checked: callers must not enter ignored folders.
bool is_ignored(const IgnoreRules* rules, std::string_view absolute_path, bool is_folder);

}  // namespace espalier::project

// Which elements of the text differ between two versions of a project, and the text of the old version with some of
// these changes made. Layout, comments and the order of attributes and of trees are no changes.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiled/elements.h"
#include "explore/results.h"
#include "text/xml.h"

namespace espalier::compiled {

// A file of one version, parsed. Its elements must outlive what is made of them.
struct VersionFile {
  std::string name = {};   // of the same file in both versions it is equal
  std::string shown = {};  // its path for people
  std::string path = {};   // where its text is read from
  std::unique_ptr<text::XmlDocument> document = {};
};

// Parses a text as its dialect does. Null: it cannot be read.
[[nodiscard]] std::unique_ptr<text::XmlDocument> parse_as_dialect(const text::Source& source);

// The names of the trees in a file: of their elements, or of the file.
std::vector<std::string> trees_in(const VersionFile& file);

class TextChanges {
 public:
  TextChanges(std::vector<VersionFile> before, std::vector<VersionFile> after);
  ~TextChanges();
  TextChanges(const TextChanges&) = delete;
  TextChanges& operator=(const TextChanges&) = delete;

  // In the order of the files, without effects. A tree that only one version has is none.
  const std::vector<explore::Change>& all() const { return changes_; }
  // The new names of trees by the old ones, without files. That a tree is called so, here and where others use it, is
  // no change.
  const std::map<std::string, std::string>& renamed_trees() const { return renamed_.all(); }

  // What is added, removed or moved among the children of the element that is changed.
  std::set<std::size_t> inside(std::size_t change) const;

  struct File {
    std::string path;
    std::string text;
  };
  // The files of the old version with these changes, by number. Trees that are new are there, too, and none is removed.
  std::vector<File> with(const std::set<std::size_t>& changes) const;

 private:
  struct Element;
  struct Definition;
  class Pairing;
  bool has_file(const std::string& name) const;  // the old version

  std::vector<VersionFile> before_, after_;
  RenamedTrees renamed_;
  std::vector<explore::Change> changes_;
  std::vector<std::unique_ptr<Definition>> definitions_;  // those of the old version first, file by file
};

}  // namespace espalier::compiled

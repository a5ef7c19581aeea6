// Which elements of the text differ between two versions of a project, and the text of the old version with some of
// these changes made. Layout, comments and the order of attributes and of trees are no changes.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiled/pairing.h"
#include "explore/results.h"

namespace espalier::compiled {

class TextChanges {
 public:
  TextChanges(std::vector<VersionFile> before, std::vector<VersionFile> after);
  TextChanges(const TextChanges&) = delete;
  TextChanges& operator=(const TextChanges&) = delete;

  // In the order of the files, without effects. A tree that only one version has is none.
  const std::vector<explore::Change>& all() const { return texts_.changes; }
  // The new names of trees by the old ones, without files. That a tree is called so, here and where others use it, is
  // no change.
  const std::map<std::string, std::string>& renamed_trees() const { return texts_.renamed.all(); }

  // What is added, removed or moved among the children of the element that is changed.
  std::set<std::size_t> inside(std::size_t change) const;

  struct File {
    std::string path;
    std::string text;
  };
  // The files of the old version with these changes, by number. Trees and files that are new are there, too, and no
  // tree is removed. Trees have their old names, or the new ones.
  std::vector<File> with(const std::set<std::size_t>& changes, bool with_new_names = false) const;

 private:
  // Of the file with this root, or around the definitions that are in it.
  std::string text_with(const std::set<std::size_t>& changes, bool with_new_names, const Definition& root,
                        const std::function<bool(const Definition&)>& is_here) const;

  const std::vector<VersionFile> before_, after_;
  const PairedTexts texts_;
};

}  // namespace espalier::compiled

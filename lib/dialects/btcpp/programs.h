// Which files a program loads together. A repository has many programs: each has a main tree, and reads its file and
// what that includes, or all files of a ROS package. Trees of different programs may have the same name.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// Files are numbers.
class Programs {
 public:
  Programs(std::span<const File> files, std::span<const OtherFile> others);

  void include(std::size_t from, std::size_t to) { includes_[from].push_back(to); }
  // The file names a main tree.
  void set_main(std::size_t file) { has_main_[file] = true; }
  // Call these when all files are known. A reference to a tree of another file that is not included shows that the
  // program loads all files of the package.
  void refer(std::size_t from, std::size_t to);

  // Of files that have a tree of one name, in order: the place in the list of the one that a reference in `from` means.
  [[nodiscard]] std::size_t meant(std::size_t from, std::span<const std::size_t> candidates);
  // Does a program load both? Without a sign of the opposite, it does. `are_mains`: they have trees of one name, which
  // is the main tree, or the only one, of each.
  [[nodiscard]] bool are_together(std::size_t a, std::size_t b, bool are_mains);

 private:
  // Does a file include both, itself being one of them perhaps?
  [[nodiscard]] bool are_included_together(std::size_t a, std::size_t b);
  void find_tops();

  std::vector<std::vector<std::size_t>> includes_;  // of each file
  std::vector<bool> has_main_;
  std::vector<std::size_t>
      packages_;  // of each file: a number for the nearest folder with a package.xml; 0: there is none
  std::set<std::size_t> loaded_whole_;
  // Of each file: those that no file includes, or one of a circle, which include it, sorted. Found when it is asked
  // for.
  std::vector<std::vector<std::size_t>> tops_;
};

}  // namespace espalier::dialects::btcpp

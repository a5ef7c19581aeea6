// Which files a program loads together. A repository has many programs: each has a main tree, and reads its file and
// what that includes, or all files of a ROS package. Trees of different programs may have the same name.
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "dialects/btcpp/packages.h"
#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// Files are numbers.
class Programs {
 public:
  Programs(std::span<const File> files, std::span<const OtherFile> others);

  void include(std::size_t from, std::size_t to) { includes_[from].push_back(to); }
  // The file names a main tree.
  void set_main(std::size_t file) { has_main_[file] = true; }
  // Call the following when all files are known. A reference to a tree of another file that is not included shows that
  // the program loads all files of the package.
  void refer(std::size_t from, std::size_t to);

  [[nodiscard]] std::size_t package_of(std::size_t file) const { return packages_.of(file); }
  [[nodiscard]] bool has_main(std::size_t file) const { return has_main_[file]; }
  [[nodiscard]] bool is_loaded_whole(std::size_t package) const { return loaded_whole_.count(package) != 0; }
  // Those that no file includes, or one of a circle, which include the file, sorted. A file that neither includes nor
  // is included has none.
  [[nodiscard]] std::span<const std::size_t> tops_of(std::size_t file);

 private:
  [[nodiscard]] bool are_included_together(std::size_t a, std::size_t b);
  void find_tops();

  Packages packages_;
  std::vector<std::vector<std::size_t>> includes_;  // of each file
  std::vector<bool> has_main_;
  std::set<std::size_t> loaded_whole_;
  std::vector<std::vector<std::size_t>> tops_;  // of each file; found when they are asked for
};

// Files that have a tree of one name: which of them a reference means. Those of many programs may have it.
class MeantFiles {
 public:
  // `files`: in order; at least one.
  MeantFiles(Programs& programs, std::span<const std::size_t> files);
  // The place in the list of the one that a reference in `from` means.
  [[nodiscard]] std::size_t meant(std::size_t from) const;

 private:
  Programs& programs_;
  std::size_t last_;
  // The last places of a file, of files that a file includes, and of a package.
  std::map<std::size_t, std::size_t> by_file_, by_top_, by_package_;
};

// Files that have a tree of one name, one after the other: which an earlier one is loaded together with. Without a sign
// of the opposite, a program loads both.
class SameNames {
 public:
  explicit SameNames(Programs& programs) : programs_(programs) {}
  // The place of the first kept one that a program loads together with this file, which then replaces it there; else
  // nothing, and it is kept as the next one. `is_main`: the tree is the file's main one, or its only one.
  [[nodiscard]] std::optional<std::size_t> add(std::size_t file, bool is_main);

 private:
  struct Kept {
    std::size_t file;
    bool is_main;
  };
  using Places = std::set<std::size_t>;
  [[nodiscard]] std::size_t kind_of(const Kept& kept) const;
  void note(std::size_t place, bool is_there);

  Programs& programs_;
  std::vector<Kept> kept_;
  std::map<std::size_t, Places> by_file_, by_top_;
  std::map<std::size_t, std::array<Places, 4>> by_package_;  // and whether the tree and the file are a program's main
};

}  // namespace espalier::dialects::btcpp

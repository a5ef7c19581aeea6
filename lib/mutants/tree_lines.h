// Where the trees of an asset are written: which lines of which files. Found once for all trees.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::mutants {

struct Lines {
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last = 0;
};

using FileLines = std::map<std::string, Lines, std::less<>>;

class TreeLines {
 public:
  // The asset must have names and places, and is not needed afterwards.
  explicit TreeLines(const Asset& asset);

  // The lines of a tree's nodes, by file, each up to the next tree in the file: what a tree declares may follow it.
  FileLines of(const Tree& tree) const;
  // Does a file have nodes of some tree? Others may declare what these are.
  bool have(std::string_view file) const { return beginnings_.find(file) != beginnings_.end(); }

 private:
  std::vector<FileLines> trees_;                                            // by index: of their nodes
  std::map<std::string, std::set<std::uint32_t>, std::less<>> beginnings_;  // of trees, by file
};

}  // namespace espalier::mutants

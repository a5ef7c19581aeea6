// What is known of all trees of a project together.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

struct ReadProject {
  Nodes nodes;
  Enumeration enumeration;
  std::map<std::string, Declaration, std::less<>> undeclared;
  std::vector<ReadTree> trees;                              // in file order; those of duplicate names too
  std::map<std::string, std::size_t, std::less<>> by_name;  // the last of duplicates, as in the library
  std::vector<std::size_t> roots;                           // the main tree, and those that nothing refers to
  std::string main;                                         // the name of the main tree; empty: not known
  const std::vector<std::string>* entries = nullptr;        // of the main tree that the host writes, sorted; null: any
  bool may_lack_trees = false;                              // a file could not be read

  [[nodiscard]] const ReadTree* find_tree(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &trees[found->second];
  }
};

// Checks blackboards: which entries are made with which types, written and read, in the trees below each root.
void check_entries(const ReadProject& project, Reporter& reporter);
// Checks what nodes can give: children that are never ticked, or that would halt each other.
void check_outcomes(const ReadProject& project, Reporter& reporter);

}  // namespace espalier::dialects::btcpp

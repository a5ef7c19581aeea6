// What is known of all trees of a project together.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/tree_graph.h"
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

struct ReadProject {
  Nodes nodes;
  Enumeration enumeration;
  std::map<std::string, Declaration, std::less<>> undeclared;
  std::vector<ReadTree> trees;                        // as in the graph of trees
  const TreeGraph::Names* names = nullptr;            // of trees
  std::vector<std::size_t> roots;                     // the main tree, and those that nothing refers to
  std::optional<std::size_t> main;                    // the main tree of the project
  const std::vector<std::string>* entries = nullptr;  // of the main tree that the host writes, sorted; null: any
  bool ticks_exactly_once = false;                    // a signal does not make an update start again
  bool may_lack_trees = false;                        // a file could not be read

  // The tree of a SubTree; null: it is not known.
  [[nodiscard]] const ReadTree* tree_of(const ReadNode& subtree) const {
    return subtree.tree ? &trees[*subtree.tree] : nullptr;
  }
};

// Checks blackboards: which entries are made with which types, written and read, in the trees below each root.
void check_entries(const ReadProject& project, Reporter& reporter);
// Checks what nodes can give: children that are never ticked, or that would halt each other.
void check_outcomes(const ReadProject& project, Reporter& reporter);
// Checks conditions that fail whenever they begin anew, and are reset before they are ticked again.
void check_idle_conditions(const ReadProject& project, Reporter& reporter);
// Checks conditions whose entries the node before has just written.
void check_neighbours(const ReadProject& project, Reporter& reporter);

}  // namespace espalier::dialects::btcpp

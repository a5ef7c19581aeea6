// Random trees that tick, as a reader would produce them, and in printed form. The same seed gives the same trees on
// every machine.
#pragma once
#include <cstdint>
#include <string>

#include "payloads.h"
#include "runtime_random_trees.h"

namespace espalier::test {

struct TickingShape {
  std::uint32_t max_nodes = 40;
  std::uint32_t max_depth = 7;  // nodes within nodes
  std::uint32_t max_variables = 6;
  std::uint32_t max_children = 4;
  std::uint32_t parallel_percent = 12;  // of the nodes that have children
  std::uint32_t log_percent = 15;       // of all nodes: how many are logged
  std::uint32_t plain_percent = 0;  // of all nodes: how many are surely sequences, selectors, or actions without memory
};

// Shapes of all kinds: mostly small, some wide, deep, or with nested parallels.
TickingShape random_ticking_shape(Random& random);

// A tree named `name` of all opcodes that tick. Durations and thresholds are a few seconds at most.
DraftTree random_ticking_tree(Random& random, const TickingShape& shape, std::string name);

// One to three trees, sorted by name; some of them select.
DraftProject random_ticking_project(Random& random);

// The relevant parts of a tree, one node per line, for the message of a failed test. Nodes are numbered in the order of
// the file.
std::string text_of(const DraftTree& tree);
std::string text_of(const DraftTree& tree, const ir::Condition& condition);

}  // namespace espalier::test

// Random selection trees, as the readers would produce them, and compiled. The same seed gives the same trees on every
// machine.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "payloads.h"

namespace espalier::test {

// SplitMix64.
struct Random {
  std::uint64_t state = 0;
  std::uint64_t next();
  std::uint32_t below(std::uint32_t count);  // a number in [0, count)
  bool chance(std::uint32_t percent);
};

// Adds a condition on the tree's variables, of which there must be at least one, with operators nested up to
// `max_depth`.
ir::ConditionIndex random_condition(Random& random, DraftTree& tree, std::uint32_t max_depth);
// A signal with some assignments to the variables; it is not added.
ir::Signal random_signal(Random& random, DraftTree& tree, std::uint32_t max_depth, std::string name);

struct TreeShape {
  std::uint32_t max_nodes = 40;
  std::uint32_t max_depth = 6;  // nodes within nodes
  std::uint32_t max_variables = 8;
  std::uint32_t max_states = 5;     // of a machine
  std::uint32_t max_condition = 4;  // operators within operators
  std::uint32_t copy_percent = 15;  // how often a node is a copy of another one
};

// A tree named `name` with priorities, machines, copies of its own subtrees and signals.
DraftTree random_tree(Random& random, const TreeShape& shape, std::string name);

// Shapes of all kinds: mostly small, some wide, deep, with many variables or with machines of many states.
TreeShape random_shape(Random& random);

// One to three trees, sorted by name.
DraftProject random_project(Random& random);

// A compiled project. `asset` is a view of `words`; neither may move.
struct Compiled {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
};

// Compiles and opens; fails the test if either fails.
// `text` is that of the file in which spans of nodes are.
void compile(const ir::Project& project, Compiled& compiled, bool strip = false, const std::string& text = {});

}  // namespace espalier::test

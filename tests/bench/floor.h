// The trees of the benchmarks and, for each, the code that one would write by hand: the floor that the runtime is
// compared with.
#pragma once
#include <cstdint>

struct FloorTree {
  const char* name;
  std::uint32_t leaf_count;
  std::uint32_t variable_count;  // named v0, v1, ...
  const char* xml;
  std::uint32_t (*select)(std::uint64_t variables);  // nested ifs; variable i is bit i; gives the number of a leaf
};

inline constexpr int kFloorTreeCount = 4;
extern const FloorTree kFloorTrees[kFloorTreeCount];  // made by generate_trees.py

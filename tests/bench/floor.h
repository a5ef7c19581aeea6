// The trees of the benchmarks and, for each, equivalent handwritten code: the floor that the runtime is compared with.
#pragma once
#include <cstdint>

struct FloorTree {
  const char* name;
  std::uint32_t leaf_count;
  std::uint32_t variable_count;  // named v0, v1, ...
  const char* xml;
  // Nested ifs; variable i is bit i. `leaf`: the number of the leaf before; `states`: of its machines. Returns the
  // number of a leaf.
  std::uint32_t (*select)(std::uint64_t variables, std::uint32_t leaf, std::uint8_t* states);
};

inline constexpr int kFloorMachines = 3;  // of a tree, at most
inline constexpr int kFloorTreeCount = 5;
extern const FloorTree kFloorTrees[kFloorTreeCount];  // made by generate_trees.py

// A tree that ticks and visits every node. Its actions are named Act0 to Act7; each succeeds if its byte, one of 8, is
// not 0. The first four bytes are not 0.
struct TickingFloor {
  std::uint32_t node_count;
  const char* xml;
  bool (*tick_by_calls)(bool (*const leaves[8])(const unsigned char*), const unsigned char* bytes);
  bool (*tick_in_place)(const volatile unsigned char* bytes);
};

extern const TickingFloor kTickingFloor;  // made by generate_trees.py

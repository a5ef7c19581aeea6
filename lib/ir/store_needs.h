// What trees that store their results need of an agent's block: the sizes of their instances, with rooms for the trees
// that may run in their slots, down to so many levels.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/tree.h"
#include "runtime/store/layout.h"

namespace espalier::ir {

// Bytes for 1, 2, ... levels of trees. What is above layout::kMaxNeedBytes is that, but for a budget.
using BytesByLevel = std::array<std::uint32_t, layout::kMaxTreeLevels>;

// What has a room of its own.
enum class Rooms : std::uint8_t {
  of_each_node,  // each store_child: as an agent's block is laid out, so that all of them can run at once
  of_each_slot,  // of a tree's store_child nodes of one slot one runs at a time: the least that an agent can do with
};

struct StoreNeeds {
  std::vector<InstanceParts> parts;   // by index into Project::trees, as the next two; of other engines nothing
  std::vector<BytesByLevel> of_tree;  // of an instance, itself being the first level
  std::vector<std::vector<std::uint32_t>> slots;              // of its store_child nodes in their order, or each once
  std::vector<BytesByLevel> of_slot;                          // its room, by index into Project::slots
  std::unordered_map<std::string_view, std::uint32_t> trees;  // of the engine, by name: index into Project::trees

  // Of an agent whose own tree this is, with rooms for so many levels of trees.
  std::uint64_t agent_bytes(const Project& project, std::uint32_t tree, std::uint32_t level_count) const;
  // For how many levels, at most its `maxDepth`, an agent of at most layout::kMaxStoreBytes has rooms; 0: not even for
  // its own tree.
  std::uint32_t levels_that_fit(const Project& project, std::uint32_t tree) const;
  // May it be compiled? Then trees run in its slots, if not always down to the level that it asks for.
  bool fits(const Project& project, std::uint32_t tree) const;
  // Of an instance in one of the slots of `tree`, where that is the agent's own. 0 levels: nothing ever runs there, and
  // it is taken as if it did.
  std::uint32_t bytes_below(const Project& project, std::uint32_t tree, std::uint32_t injected) const;
};

// The views in it are of the project. A name in `accepts` that no tree has is passed over.
StoreNeeds store_needs(const Project& project, Rooms rooms = Rooms::of_each_node);

// These trees with all trees that their slots can reach, through others too, and these slots: a project by itself. Only
// the names of other trees that store are looked at.
Project with_reached(const Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees);

}  // namespace espalier::ir

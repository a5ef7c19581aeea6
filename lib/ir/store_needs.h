// How much of an agent's block trees that store their results need: the sizes of their instances, with rooms for the
// trees that can run in their slots, down to a given number of levels.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/store_rooms.h"
#include "ir/tree.h"
#include "runtime/store/layout.h"

namespace espalier::ir {

// What gets a separate room.
enum class Rooms : std::uint8_t {
  of_each_node,  // each store_child, as in the layout of an agent's block: see plan_rooms()
  of_each_slot,  // each slot, of whose store_child nodes in a tree only one runs at a time: the least room an agent
                 // needs
};

struct StoreNeeds {
  std::vector<InstanceParts> parts;   // by index into Project::trees, as the next two; empty for other engines
  std::vector<BytesByLevel> of_tree;  // of an instance, which is the first level
  std::vector<std::vector<std::uint32_t>> slots;  // of its store_child nodes in their order, or each once
  std::vector<BytesByLevel> of_slot;              // its room, by index into Project::slots
  // By index into Project::trees and number of a store_child: where its room begins in an instance. Empty if the rooms
  // of all trees follow one another.
  std::vector<std::vector<BytesByLevel>> room_offsets;
  std::uint32_t entry_count = 1;  // of lists by levels: all later entries are the same as that one
  std::unordered_map<std::string_view, std::uint32_t> trees;  // of the engine, by name: index into Project::trees

  // The bytes of an agent with this tree as its own and rooms for `level_count` levels of trees.
  std::uint64_t agent_bytes(const Project& project, std::uint32_t tree, std::uint32_t level_count) const;
  // For how many levels, at most its `maxDepth`, an agent of at most layout::kMaxStoreBytes has rooms; 0: not even for
  // its own tree.
  std::uint32_t levels_that_fit(const Project& project, std::uint32_t tree) const;
  // Can it be compiled? Then trees run in its slots, but not always down to the level that it asks for.
  bool fits(const Project& project, std::uint32_t tree) const;
  // The bytes of an instance in one of the slots of `tree`, the agent's own tree. With 0 levels nothing ever runs
  // there; the size is computed as if it did.
  std::uint32_t bytes_below(const Project& project, std::uint32_t tree, std::uint32_t injected) const;
};

// Its views point into the project. A name in `accepts` that no tree has is ignored.
StoreNeeds store_needs(const Project& project, Rooms rooms = Rooms::of_each_node);

// A project of these trees, all trees that their slots can reach, directly or through others, and these slots. Of other
// trees that store, only the names are read.
Project with_reached(const Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees);
// The same, of the project itself, without a copy.
void leave_reached(Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees);

}  // namespace espalier::ir

// Which store_child nodes of a tree that stores its results never hold what they need at the same time, so that their
// rooms may overlap, and where each room begins.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "ir/node.h"
#include "runtime/format/records.h"

namespace espalier::ir {

// Bytes for 1, 2, ... levels of trees. Sizes above layout::kMaxNeedBytes, other than budgets, are clamped to it.
using BytesByLevel = std::array<std::uint32_t, layout::kMaxTreeLevels>;

// What stays in a room when the tree in it is done.
enum class Remains : std::uint8_t {
  nothing,  // there are only conditions and nodes that combine them
  results,  // until the store_child is reset: actions are told of it, monitors are watched
  times,    // longer than that: of cooldowns
};

// A room, or several of them.
struct RoomPlan {
  std::uint32_t child = layout::kNone;  // the number of a store_child in its tree; kNone: the rooms inside
  bool overlaps_later = false;          // the next ones of the same list begin where this one begins
  std::vector<RoomPlan> inside;
};

// `remains`: of the store_child nodes in their order.
//
// Two rooms overlap if the nodes are below different roles of one group, of which an agent has one until the group is
// reset; or if a sequence or selector that has run a tree in the first one does not evaluate the second one before it
// is reset, or is done with the first one, of which nothing remains.
RoomPlan plan_rooms(const Node& root, const std::vector<Remains>& remains);

// Does any room overlap another one? If not, they follow one another in the order of the nodes.
bool has_overlaps(const RoomPlan& plan);

// The end of the rooms if they begin at this offset. `sizes`: of the rooms, by store_child. Sets their offsets.
std::uint64_t place_rooms(const RoomPlan& plan, const std::vector<std::uint32_t>& sizes, std::uint64_t begin,
                          std::vector<std::uint32_t>* offsets);

}  // namespace espalier::ir

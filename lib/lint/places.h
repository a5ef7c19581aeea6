// What the outlines of all engines' trees share: a tree as a list of places, and sets of results.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/tree.h"

namespace espalier::lint {

using PlaceIndex = std::uint32_t;  // into a list of places
inline constexpr PlaceIndex kNoPlace = 0xFFFFFFFF;

struct Place {
  const ir::Node* node = nullptr;
  PlaceIndex parent = kNoPlace;
  std::uint32_t number = 0;  // among its parent's children
  PlaceIndex end = 0;        // one past its last descendant
  std::vector<PlaceIndex> children = {};
  bool is_idle = false;  // it is never run
};

// The nodes of a tree in file order, parents before children.
std::vector<Place> lay_out(const ir::Node& root);

using ir::bit;
using ir::can;
using ir::kDone;
using ir::kFails;
using ir::kRuns;
using ir::kSucceeds;
using ir::Results;

}  // namespace espalier::lint

// What the outlines of all engines' trees share: a tree as a list of places, and sets of results.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
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
  bool is_idle = false;      // it is never run
  std::span<const PlaceIndex> children = {};
};

// The nodes below one, in the order of the file: parents before children. The node is the first one.
class Places {
 public:
  explicit Places(const ir::Node& root);
  Places(Places&&) = default;

  std::size_t size() const { return places_.size(); }
  Place& operator[](std::size_t place) { return places_[place]; }
  const Place& operator[](std::size_t place) const { return places_[place]; }
  const Place& front() const { return places_.front(); }
  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

 private:
  std::vector<Place> places_;
  std::vector<PlaceIndex> children_;  // of all places
};

using ir::bit;
using ir::can;
using ir::kDone;
using ir::kFails;
using ir::kRuns;
using ir::kSucceeds;
using ir::Results;

}  // namespace espalier::lint

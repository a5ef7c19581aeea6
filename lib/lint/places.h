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

template <typename Node>
struct PlaceOf {
  const Node* node = nullptr;
  PlaceIndex parent = kNoPlace;
  std::uint32_t number = 0;  // among its parent's children
  PlaceIndex end = 0;        // one past its last descendant
  bool is_idle = false;      // it is never run
  std::span<const PlaceIndex> children = {};
};

// The nodes below one, in the order of the file: parents before children. The node is the first one.
template <typename Node>
class PlacesOf {
 public:
  explicit PlacesOf(const Node& root) : places_(root.extent), children_(root.extent - 1) {
    PlaceIndex* next = children_.data();
    for (PlaceIndex i = 0; i < places_.size(); ++i) {
      PlaceOf<Node>& place = places_[i];
      place.node = &root + i;
      place.end = i + place.node->extent;
      PlaceIndex* const first = next;
      for (const Node& child : place.node->children()) {
        const auto index = static_cast<PlaceIndex>(&child - &root);
        places_[index].parent = i;
        places_[index].number = static_cast<std::uint32_t>(next - first);
        *next++ = index;
      }
      place.children = {first, next};
    }
  }
  PlacesOf(PlacesOf&&) = default;

  std::size_t size() const { return places_.size(); }
  PlaceOf<Node>& operator[](std::size_t place) { return places_[place]; }
  const PlaceOf<Node>& operator[](std::size_t place) const { return places_[place]; }
  const PlaceOf<Node>& front() const { return places_.front(); }
  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

 private:
  std::vector<PlaceOf<Node>> places_;
  std::vector<PlaceIndex> children_;  // of all places
};

using Place = PlaceOf<ir::Node>;
using Places = PlacesOf<ir::Node>;

using ir::bit;
using ir::both;
using ir::can;
using ir::kDone;
using ir::kFails;
using ir::kRuns;
using ir::kSucceeds;
using ir::Results;

}  // namespace espalier::lint

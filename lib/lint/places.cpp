// A tree as a list of places. See places.h.
#include "lint/places.h"

namespace espalier::lint {

Places::Places(const ir::Node& root) : places_(root.extent), children_(root.extent - 1) {
  PlaceIndex* next = children_.data();
  for (PlaceIndex i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    place.node = &root + i;
    place.end = i + place.node->extent;
    PlaceIndex* const first = next;
    for (const ir::Node& child : place.node->children()) {
      const auto index = static_cast<PlaceIndex>(&child - &root);
      places_[index].parent = i;
      places_[index].number = static_cast<std::uint32_t>(next - first);
      *next++ = index;
    }
    place.children = {first, next};
  }
}

}  // namespace espalier::lint

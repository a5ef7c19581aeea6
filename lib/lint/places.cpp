// A tree as a list of places. See places.h.
#include "lint/places.h"

#include <algorithm>
#include <utility>

namespace espalier::lint {

// Trees can be deep: no recursion.
std::vector<Place> lay_out(const ir::Node& root) {
  std::vector<Place> places;
  std::vector<Place> open = {{&root}};
  while (!open.empty()) {
    Place place = std::move(open.back());
    open.pop_back();
    const auto index = static_cast<PlaceIndex>(places.size());
    if (place.parent != kNoPlace) places[place.parent].children.push_back(index);
    const std::size_t first = open.size();
    for (const ir::Node& child : place.node->children()) {
      open.push_back({&child, index, static_cast<std::uint32_t>(open.size() - first)});
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    places.push_back(std::move(place));
  }
  for (std::size_t i = places.size(); i-- > 0;) {
    Place& place = places[i];
    place.end = place.children.empty() ? static_cast<PlaceIndex>(i + 1) : places[place.children.back()].end;
  }
  return places;
}

}  // namespace espalier::lint

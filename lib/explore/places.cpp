// See places.h.
#include "explore/places.h"

namespace espalier::explore {

Places joined(const Places& places, const Places& others) {
  Places all;
  auto other = others.begin();
  for (const Place& place : places) {
    for (; other != others.end() && other->offset < place.offset; ++other) all.push_back(*other);
    all.push_back(place);
    if (other != others.end() && other->offset == place.offset) all.back().mask |= (other++)->mask;
  }
  all.insert(all.end(), other, others.end());
  return all;
}

}  // namespace espalier::explore

// A tree of deciders as a list. See outline.h.
#include "lint/decide/outline.h"

#include <algorithm>

#include "runtime/format/opcodes/decide.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

bool asks_for_nothing(const ir::Decider& decider) {
  const bool has_lists = std::any_of(std::begin(kWantedLists), std::end(kWantedLists),
                                     [&](const WantedListInfo& info) { return !(decider.*info.list).words.empty(); });
  return !has_lists && decider.every_us == 0 && decider.decide.empty();
}

}  // namespace

DecideOutline::DecideOutline(const ir::Tree& of_tree) : tree(of_tree) {
  std::vector<PlaceIndex> shared;
  shared.reserve(tree.nodes.shared_count());
  for (std::size_t i = 0; i < tree.nodes.shared_count(); ++i) {
    add(tree.nodes.shared(i), shared);
    shared.push_back(root());
  }
  add(tree.root(), shared);
}

// Called after the shared deciders that it refers to have been added.
void DecideOutline::add(const ir::Node& unit, const std::vector<PlaceIndex>& shared) {
  const Places laid(unit);
  const auto end = static_cast<PlaceIndex>(places.size() + laid.size());
  const auto turned = [&](PlaceIndex place) { return end - 1 - place; };
  for (std::size_t i = laid.size(); i-- > 0;) {
    const auto index = static_cast<PlaceIndex>(places.size());
    DecidePlace place{laid[i].node, index};
    if (place.node->opcode == opcode::decide_share) {
      place.own = shared[place.node->as<ir::DeciderShare>().shared];
      place.always_accepts = places[place.own].always_accepts;
    } else {
      const ir::Decider& own = ir::decider_of(*place.node);
      bool accepts_below = false;
      for (const PlaceIndex child : laid[i].children) {
        place.children.push_back(turned(child));
        accepts_below = accepts_below || places[turned(child)].always_accepts;
      }
      place.always_accepts = asks_for_nothing(own) && (!own.delegates || accepts_below);
    }
    places.push_back(std::move(place));
  }
}

Results DecideOutline::goes_on_after(PlaceIndex place) const {
  return places[place].node->opcode == opcode::decide_prioritized ? kFails : Results{0};
}

// If a group accepts because a child does, that child; of a reference, what is below the decider that it refers to.
PlaceIndex DecideOutline::decides(PlaceIndex place, Results /*next*/) const {
  const std::span<const PlaceIndex> below = places[places[place].own].children;
  if (below.empty() || !decider(place).delegates) return kNoPlace;
  return *std::find_if(below.begin(), below.end(), [&](PlaceIndex child) { return places[child].always_accepts; });
}

std::string DecideOutline::name(PlaceIndex place) const { return text::quote(places[place].node->name); }

}  // namespace espalier::lint

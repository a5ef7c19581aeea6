// A tree of deciders as its analyses walk it: one list, each decider after its children.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/places.h"

namespace espalier::lint {

struct DecidePlace {
  const ir::Node* node = nullptr;
  // Itself; for a reference, the decider that it refers to.
  PlaceIndex own = 0;
  std::vector<PlaceIndex> children = {};  // of a group, in the order of the file
  // It accepts whenever it is asked: it has no preconditions and, if it is a group that delegates, has such a child.
  bool always_accepts = false;
};

struct DecideOutline {
  const ir::Tree& tree;
  std::vector<DecidePlace> places;  // the root is the last one

  explicit DecideOutline(const ir::Tree& tree);
  PlaceIndex root() const { return static_cast<PlaceIndex>(places.size() - 1); }
  text::Span span(PlaceIndex place) const { return places[place].node->span; }
  std::string name(PlaceIndex place) const;  // in '...'
  bool is_reference(PlaceIndex place) const { return places[place].own != place; }
  // See facts.h. The children of a 'prioritizedList' follow one another as long as they refuse.
  Results gives(PlaceIndex place) const { return places[place].always_accepts ? kSucceeds : kDone; }
  Results goes_on_after(PlaceIndex place) const;
  std::span<const PlaceIndex> children(PlaceIndex place) const { return places[place].children; }
  PlaceIndex decides(PlaceIndex place, Results next) const;
  std::string why_not(PlaceIndex, Results) const { return "always accepts"; }
  // Follows references.
  const ir::Decider& decider(PlaceIndex place) const { return ir::decider_of(*places[places[place].own].node); }

 private:
  void add(const ir::Node& unit, const std::vector<PlaceIndex>& shared);
};

// A list of words that a decider requires; all its lists must hold.
struct WantedListInfo {
  std::string_view attribute;
  ir::WantedList ir::Decider::*list;
  bool is_any;  // one word is enough
  bool is_of_stimuli;
};
inline constexpr WantedListInfo kWantedLists[] = {
    {"flagsAll", &ir::Decider::flags_all, false, false},
    {"flagsAny", &ir::Decider::flags_any, true, false},
    {"stimuliAll", &ir::Decider::stimuli_all, false, true},
    {"stimuliAny", &ir::Decider::stimuli_any, true, true},
};

}  // namespace espalier::lint

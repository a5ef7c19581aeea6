// A tree of deciders as its analyses walk it: one list, each decider behind those below it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/places.h"

namespace espalier::lint {

struct DecidePlace {
  const ir::Node* node = nullptr;
  // Itself; of a reference, the decider that it stands for.
  PlaceIndex own = 0;
  std::vector<PlaceIndex> children = {};  // of a group, in the order of the file
  // It accepts whenever it is asked: it asks for nothing; of a group that delegates, a child of it does so too.
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
  // Of what a reference stands for, too.
  const ir::Decider& decider(PlaceIndex place) const { return ir::decider_of(*places[places[place].own].node); }

 private:
  void add(const ir::Node& unit, const std::vector<PlaceIndex>& shared);
};

// The lists of words that a decider asks for; each has to hold.
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

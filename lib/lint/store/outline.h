// A tree that stores its results as its analyses walk it: one list, parents before children, with the results that an
// evaluation of each can give.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "lint/flow.h"
#include "lint/places.h"

namespace espalier::lint {

// What is known about a node from its descendants only, whatever hosts and other agents do.
enum class Fate : std::uint8_t {
  unknown,
  succeeds,  // when it completes
  fails,     // when it completes
  never,     // it never completes
};

struct StoreOutline {
  const ir::Tree& tree;
  Places places;
  std::vector<Results> results;  // of each place: the possible results of an evaluation
  std::vector<Fate> fates;  // of each place; less precise than `results`: actions, gates and similar nodes are unknown
  std::vector<bool> is_reached;  // of each place: it can be evaluated
  // Of each place, by its result: the possible results of the root in the update in which the place ends with this
  // result, or in which it runs and is not reset.
  std::vector<std::array<Results, 3>> root_gives;

  explicit StoreOutline(const ir::Tree& tree);
  const ir::Node& node(PlaceIndex place) const { return *places[place].node; }
  Opcode opcode(PlaceIndex place) const { return node(place).opcode; }
  const std::string& barrier(PlaceIndex place) const { return node(place).as<ir::Barrier>().name; }
  text::Span span(PlaceIndex place) const { return node(place).span; }
  std::string name(PlaceIndex place) const;  // in '...', with its label where it has one
  // See facts.h.
  Results gives(PlaceIndex place) const { return results[place]; }
  Results goes_on_after(PlaceIndex place) const { return is_row(opcode(place)) ? goes_on(opcode(place)) : Results{0}; }
  std::span<const PlaceIndex> children(PlaceIndex place) const { return places[place].children; }
  PlaceIndex decides(PlaceIndex place, Results next) const;
  std::string why_not(PlaceIndex place, Results next) const;
  // The possible results of the root if `place` gives one of `given`.
  Results at_root(PlaceIndex place, Results given) const;
  // For a sequence or selector: the result of a child after which the next one is evaluated.
  static bool is_row(Opcode opcode) { return flow_of(opcode).shape == FlowShape::row; }
  static Results goes_on(Opcode opcode) { return lint::goes_on_after(flow_of(opcode)); }

 private:
  bool is_alone(PlaceIndex group) const { return places[group].children.size() == 1; }
  // If its children give these. `can_close`: what only nodes give that do not run their children counts as well.
  Results of_node(PlaceIndex place, std::span<const Results> children, bool can_close) const;
  Fate fate_of(PlaceIndex place) const;
  void find_reached(PlaceIndex place);
  void look_up_row(PlaceIndex place);
  void look_up_parallel(PlaceIndex place);
  void look_up(PlaceIndex place);
};

}  // namespace espalier::lint

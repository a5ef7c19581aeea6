// A tree as analyses walk it: one list of its nodes, parents before children, with the possible results of each and
// whether it is ever ticked.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lint/tick/facts.h"

namespace espalier::lint {

// A step on the path of a result through the tree: a node that can give it.
struct Step {
  PlaceIndex place = 0;
  Result result = Result::success;
};

struct TickOutline {
  const ir::Tree& tree;
  const Facts& facts;
  Places places;
  std::unique_ptr<TickStates> states;  // shared by all analyses: questions about sets of states change it
  TickFacts known;                     // with Hosts::choose
  std::vector<Outcome> own_outcomes;   // of each place, with Hosts::run

  TickOutline(const ir::Tree& tree, const Facts& facts);
  const ir::Node& node(PlaceIndex place) const { return *places[place].node; }
  Opcode opcode(PlaceIndex place) const { return node(place).opcode; }
  const Outcome& outcome(PlaceIndex place, Hosts hosts = Hosts::choose) const {
    return (hosts == Hosts::choose ? known.outcomes : own_outcomes)[place];
  }
  bool is_below(PlaceIndex place, PlaceIndex above) const { return place >= above && place < places[above].end; }
  // The place itself, or its nearest descendant that has an element.
  PlaceIndex shown(PlaceIndex place) const;
  std::string name(PlaceIndex place) const;  // of the one that is shown, in '...'
  // The nearest ancestor with the opcode `wanted`; kNoPlace if there is none.
  PlaceIndex above(PlaceIndex place, Opcode wanted) const;
  // The nearest common ancestor, which may be one of the two.
  PlaceIndex common(PlaceIndex a, PlaceIndex b) const;
  // results_after for the parent of `place`.
  Results after(PlaceIndex place, Result result, Hosts hosts) const;
  // Why `place` can give a result: the places from it down to the one that decides.
  std::vector<Step> way(PlaceIndex place, Result result, Hosts hosts) const;

 private:
  std::vector<Outcome> of_children(PlaceIndex place, Hosts hosts) const;
};

}  // namespace espalier::lint

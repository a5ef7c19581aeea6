// What is known about the places of a tree that ticks: the states in which each is begun and updated, and the results
// that it can give there. Facts are found by running the tree on sets of states (states.h): a condition splits a
// set, an event and the host change its members, and a new update can begin in any state.
//
// So what an ancestor has found out holds for a node until something can change it: an event that is sent, a call of
// the host that is not declared otherwise, the end of the update. A priority tests its cases again whenever a variable
// has changed, so what has chosen a case holds in each update of its node.
#pragma once
#include <vector>

#include "lint/tick/outcomes.h"
#include "lint/tick/states.h"

namespace espalier::lint {

struct TickFacts {
  // Sets of states, of each place.
  struct At {
    logic::Function begun;    // when it is begun
    logic::Function updated;  // when it is updated later, in updates in which its ancestors have gone on, too
    logic::Function asked;    // when its condition or comparison is evaluated
  };
  std::vector<At> places;
  std::vector<Outcome> outcomes;
};

// `coarse`: what siblings and gates have found is forgotten, and only the cases of a priority know of each other. That
// takes far fewer steps, and rules out less.
enum class Detail : std::uint8_t { full, coarse };
TickFacts find_tick_facts(const Places& places, const Facts& facts, Hosts hosts, Detail detail, TickStates& states);

}  // namespace espalier::lint

// How an evaluation moves through the states of a machine. From the present state it follows transitions until no
// transition of a state holds, or a state is met again, in which it ends. See model.h.
#pragma once
#include <cstdint>
#include <vector>

#include "logic/circuit.h"

namespace espalier::lint {

using Formulas = std::vector<logic::Formula>;

// edges[s][t]: an evaluation that follows the transitions of state s comes to state t next. From no state it comes to
// two at once.
using Edges = std::vector<Formulas>;

class MachineFlow {
 public:
  MachineFlow(logic::Circuit& circuit, Edges edges);

  // For each state: an evaluation ends in it. `is_active`: it begins in the stored state, else in the first one; the
  // stored one counts as met in both cases. `stored`: for each state, whether it is the stored one.
  Formulas ends(logic::Formula is_active, const Formulas& stored) const;
  // For each state: such an evaluation reads its transitions.
  Formulas reads(logic::Formula is_active, const Formulas& stored) const;
  // Followed from `state`, transitions lead back to it.
  logic::Formula is_on_cycle(std::size_t state) const { return leads_[state][state]; }

 private:
  Formulas ends_from(std::size_t start) const;
  Formulas ends_restarted(std::size_t stored) const;
  Formulas reads_restarted(std::size_t stored) const;
  logic::Formula reaches(std::size_t from, std::size_t to) const;

  logic::Circuit& circuit_;
  Edges edges_;
  Formulas stays_;  // no transition of the state holds
  Edges leads_;     // leads_[s][t]: transitions lead from s to t, in one step or more
};

}  // namespace espalier::lint

// How an evaluation moves through the states of a machine. From the present state it follows transitions until no
// transition of a state holds, or a state is met again, in which it ends. See select_model.h.
#pragma once
#include <cstdint>
#include <vector>

#include "logic/diagrams.h"

namespace espalier::lint {

using Functions = std::vector<logic::Function>;

// edges[s][t]: an evaluation that follows the transitions of state s comes to state t next. From no state it comes to
// two at once.
using Edges = std::vector<Functions>;

class MachineFlow {
 public:
  MachineFlow(logic::Diagrams& diagrams, Edges edges);

  // For each state: an evaluation ends in it. `is_active`: it begins in the stored state, else in the first one; the
  // stored one counts as met in both cases. `stored`: for each state, whether it is the stored one.
  Functions ends(logic::Function is_active, const Functions& stored) const;
  // For each state: such an evaluation reads its transitions.
  Functions reads(logic::Function is_active, const Functions& stored) const;
  // Followed from `state`, transitions lead back to it.
  logic::Function is_on_cycle(std::size_t state) const { return leads_[state][state]; }

 private:
  Functions ends_from(std::size_t start) const;
  Functions ends_restarted(std::size_t stored) const;
  Functions reads_restarted(std::size_t stored) const;
  logic::Function reaches(std::size_t from, std::size_t to) const;

  logic::Diagrams& diagrams_;
  Edges edges_;
  Functions stays_;  // no transition of the state holds
  Edges leads_;      // leads_[s][t]: transitions lead from s to t, in one step or more
};

}  // namespace espalier::lint

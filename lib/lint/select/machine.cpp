// Moving through a machine. See machine.h. For given values of the variables each state has one next state or
// none, so a way through the machine ends in a state without a next one or runs into one cycle.
#include "lint/select/machine.h"

#include <utility>

namespace espalier::lint {

using logic::Formula;

MachineFlow::MachineFlow(logic::Circuit& circuit, Edges edges) : circuit_(circuit), edges_(std::move(edges)) {
  const std::size_t count = edges_.size();
  for (const Formulas& from : edges_) {
    Formula moves = circuit.constant(false);
    for (const Formula edge : from) moves = circuit.disjunction(moves, edge);
    stays_.push_back(circuit.negation(moves));
  }
  leads_ = edges_;
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t from = 0; from < count; ++from) {
      if (circuit.is_constant(leads_[from][middle], false)) continue;
      for (std::size_t to = 0; to < count; ++to) {
        const Formula around = circuit.conjunction(leads_[from][middle], leads_[middle][to]);
        leads_[from][to] = circuit.disjunction(leads_[from][to], around);
      }
    }
  }
}

Formula MachineFlow::reaches(std::size_t from, std::size_t to) const {
  return from == to ? circuit_.constant(true) : leads_[from][to];
}

// From a state that counts as met: on a cycle it is met again first where the way enters the cycle.
Formulas MachineFlow::ends_from(std::size_t start) const {
  const std::size_t count = edges_.size();
  Formulas result;
  for (std::size_t state = 0; state < count; ++state) {
    Formula enters_cycle = circuit_.constant(state == start);
    for (std::size_t before = 0; before < count; ++before) {
      const Formula comes = circuit_.conjunction(edges_[before][state], reaches(start, before));
      const Formula outside = circuit_.negation(leads_[before][before]);
      enters_cycle = circuit_.disjunction(enters_cycle, circuit_.conjunction(comes, outside));
    }
    const Formula ends = circuit_.disjunction(stays_[state], circuit_.conjunction(leads_[state][state], enters_cycle));
    result.push_back(circuit_.conjunction(reaches(start, state), ends));
  }
  return result;
}

// From the first state, while another one is stored: the first state does not count as met yet, so on a cycle through
// it the state after it is met again first.
Formulas MachineFlow::ends_restarted(std::size_t stored) const {
  Formulas result = ends_from(0);
  if (stored == 0) return result;
  for (std::size_t state = 0; state < result.size(); ++state) {
    result[state] = circuit_.choice(leads_[0][0], edges_[0][state], result[state]);
    result[state] = circuit_.choice(leads_[0][stored], circuit_.constant(state == stored), result[state]);
  }
  return result;
}

// The states that are come to before the stored one, which ends it.
Formulas MachineFlow::reads_restarted(std::size_t stored) const {
  const std::size_t count = edges_.size();
  Formulas result(count, circuit_.constant(false));
  if (stored == 0) {
    for (std::size_t state = 0; state < count; ++state) result[state] = reaches(0, state);
    return result;
  }
  result[0] = circuit_.constant(true);
  for (std::size_t length = 1; length < count; ++length) {
    const Formulas before = result;
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (to == stored || circuit_.is_constant(edges_[from][to], false)) continue;
        result[to] = circuit_.disjunction(result[to], circuit_.conjunction(before[from], edges_[from][to]));
      }
    }
    if (result == before) break;
  }
  return result;
}

Formulas MachineFlow::ends(Formula is_active, const Formulas& stored) const {
  const std::size_t count = edges_.size();
  Formulas result(count, circuit_.constant(false));
  for (std::size_t state = 0; state < count; ++state) {
    const Formulas from = ends_from(state);
    const Formulas restarted = ends_restarted(state);
    for (std::size_t end = 0; end < count; ++end) {
      const Formula here = circuit_.choice(is_active, from[end], restarted[end]);
      result[end] = circuit_.disjunction(result[end], circuit_.conjunction(stored[state], here));
    }
  }
  return result;
}

Formulas MachineFlow::reads(Formula is_active, const Formulas& stored) const {
  const std::size_t count = edges_.size();
  Formulas result(count, circuit_.constant(false));
  for (std::size_t state = 0; state < count; ++state) {
    const Formulas restarted = reads_restarted(state);
    for (std::size_t read = 0; read < count; ++read) {
      const Formula here = circuit_.choice(is_active, reaches(state, read), restarted[read]);
      result[read] = circuit_.disjunction(result[read], circuit_.conjunction(stored[state], here));
    }
  }
  return result;
}

}  // namespace espalier::lint

// Moving through a machine. See select_machine.h. For given values of the variables each state has one next state or
// none, so a way through the machine ends in a state without a next one or runs into one cycle.
#include "lint/select_machine.h"

#include <utility>

namespace espalier::lint {

using logic::Answer;
using logic::Function;

MachineFlow::MachineFlow(logic::Diagrams& diagrams, Edges edges) : diagrams_(diagrams), edges_(std::move(edges)) {
  const std::size_t count = edges_.size();
  for (const Functions& from : edges_) {
    Function moves = diagrams.constant(false);
    for (const Function edge : from) moves = diagrams.disjunction(moves, edge);
    stays_.push_back(diagrams.negation(moves));
  }
  leads_ = edges_;
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t from = 0; from < count; ++from) {
      if (diagrams.is_satisfiable(leads_[from][middle]) == Answer::no) continue;
      for (std::size_t to = 0; to < count; ++to) {
        const Function around = diagrams.conjunction(leads_[from][middle], leads_[middle][to]);
        leads_[from][to] = diagrams.disjunction(leads_[from][to], around);
      }
    }
  }
}

Function MachineFlow::reaches(std::size_t from, std::size_t to) const {
  return from == to ? diagrams_.constant(true) : leads_[from][to];
}

// From a state that counts as met: on a cycle it is met again first where the way enters the cycle.
Functions MachineFlow::ends_from(std::size_t start) const {
  const std::size_t count = edges_.size();
  Functions result;
  for (std::size_t state = 0; state < count; ++state) {
    Function enters_cycle = diagrams_.constant(state == start);
    for (std::size_t before = 0; before < count; ++before) {
      const Function comes = diagrams_.conjunction(edges_[before][state], reaches(start, before));
      const Function outside = diagrams_.negation(leads_[before][before]);
      enters_cycle = diagrams_.disjunction(enters_cycle, diagrams_.conjunction(comes, outside));
    }
    const Function ends =
        diagrams_.disjunction(stays_[state], diagrams_.conjunction(leads_[state][state], enters_cycle));
    result.push_back(diagrams_.conjunction(reaches(start, state), ends));
  }
  return result;
}

// From the first state, while another one is stored: the first state does not count as met yet, so on a cycle through
// it the state after it is met again first.
Functions MachineFlow::ends_restarted(std::size_t stored) const {
  Functions result = ends_from(0);
  if (stored == 0) return result;
  for (std::size_t state = 0; state < result.size(); ++state) {
    result[state] = diagrams_.choice(leads_[0][0], edges_[0][state], result[state]);
    result[state] = diagrams_.choice(leads_[0][stored], diagrams_.constant(state == stored), result[state]);
  }
  return result;
}

// The states that are come to before the stored one, which ends it.
Functions MachineFlow::reads_restarted(std::size_t stored) const {
  const std::size_t count = edges_.size();
  Functions result(count, diagrams_.constant(false));
  if (stored == 0 || diagrams_.is_satisfiable(leads_[0][stored]) == Answer::no) {
    for (std::size_t state = 0; state < count; ++state) result[state] = reaches(0, state);
    return result;
  }
  result[0] = diagrams_.constant(true);
  std::vector<bool> is_open(count);
  is_open[0] = true;
  for (std::size_t from = 0; from < count;) {
    if (!is_open[from]) {
      ++from;
      continue;
    }
    is_open[from] = false;
    for (std::size_t to = 0; to < count; ++to) {
      if (to == stored) continue;
      const Function come = diagrams_.disjunction(result[to], diagrams_.conjunction(result[from], edges_[from][to]));
      if (!come.is_known()) return Functions(count);
      if (diagrams_.is_equal(come, result[to]) == Answer::no) is_open[to] = true;
      result[to] = come;
    }
    from = 0;
  }
  return result;
}

Functions MachineFlow::ends(Function is_active, const Functions& stored) const {
  const std::size_t count = edges_.size();
  Functions result(count, diagrams_.constant(false));
  for (std::size_t state = 0; state < count; ++state) {
    const Functions from = ends_from(state);
    const Functions restarted = ends_restarted(state);
    for (std::size_t end = 0; end < count; ++end) {
      const Function here = diagrams_.choice(is_active, from[end], restarted[end]);
      result[end] = diagrams_.disjunction(result[end], diagrams_.conjunction(stored[state], here));
    }
  }
  return result;
}

Functions MachineFlow::reads(Function is_active, const Functions& stored) const {
  const std::size_t count = edges_.size();
  Functions result(count, diagrams_.constant(false));
  for (std::size_t state = 0; state < count; ++state) {
    const Functions restarted = reads_restarted(state);
    for (std::size_t read = 0; read < count; ++read) {
      const Function here = diagrams_.choice(is_active, reaches(state, read), restarted[read]);
      result[read] = diagrams_.disjunction(result[read], diagrams_.conjunction(stored[state], here));
    }
  }
  return result;
}

}  // namespace espalier::lint

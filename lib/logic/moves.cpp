// What steps of a circuit do. See moves.h.
#include "logic/moves.h"

#include <utility>

namespace espalier::logic {

std::vector<bool> state_after(const Circuit& circuit, const std::vector<bool>& state, const Move& move) {
  std::vector<bool> result = state;
  Valuation values(circuit, state);
  for (const Change& change : move) {
    if (change.variable >= result.size()) result.resize(change.variable + std::size_t{1});
    result[change.variable] = values.of(change.value) == Answer::yes;
  }
  return result;
}

System drawn(const Moves& moves, Drawing& drawing) {
  System system;
  system.start = moves.start;
  system.within = drawing.of(moves.within);
  for (const Move& move : moves.steps) {
    Step& step = system.steps.emplace_back();
    for (const Change& change : move) step.push_back({change.variable, drawing.of(change.value)});
  }
  return system;
}

}  // namespace espalier::logic

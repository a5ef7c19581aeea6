// A system as a circuit: its states are values of variables, its steps are formulas of what becomes of them.
// Independent of dialects.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "logic/circuit.h"
#include "logic/reachability.h"

namespace espalier::logic {

// The value that a variable gets, as a formula of the values before.
struct Change {
  Variable variable = 0;
  Formula value = {};
};

// A step: all its changes happen at once; the variables without one keep their values.
using Move = std::vector<Change>;

// As System, of which it is the form that a circuit holds: variables have even numbers, equally short ways are told
// apart by their first steps, and lead only through states `within`.
struct Moves {
  std::vector<bool> start;
  std::vector<Move> steps;
  std::optional<std::size_t> tick = {};  // the step that is much larger than the others; the last one
  Formula within = {};
  // True at the start, and after each other step that changes anything; while it is false, ticks change nothing.
  std::optional<Variable> pending = {};
};

// The state after a step.
std::vector<bool> state_after(const Circuit& circuit, const std::vector<bool>& state, const Move& move);

// The system as diagrams see it; steps that are too large for them have unknown values.
System drawn(const Moves& moves, Drawing& drawing);

}  // namespace espalier::logic

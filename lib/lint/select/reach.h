// What an agent of a selection tree can come to: which states are reachable from its start, and the shortest traces
// there. See model.h.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lint/lint.h"
#include "lint/select/model.h"
#include "logic/ways.h"

namespace espalier::lint {

// One line of a trace.
struct TraceStep {
  enum class Kind : std::uint8_t { signal, write, tick };
  Kind kind = Kind::tick;
  std::uint32_t index = 0;  // signal or variable of the tree
  bool value = false;       // of a write
};

// The lines as `replay` reads them: {"signal": "S"}, {"set": {"V": true}}, {"tick": 0.1}.
std::string trace_line(const ir::Tree& tree, const TraceStep& step);

struct Trace {
  logic::Answer answer = logic::Answer::unknown;  // is there one?
  std::vector<TraceStep> steps = {};              // the shortest one
  std::vector<bool> state = {};                   // after the last step: the value of each state variable, by number
  std::optional<PlaceIndex> selected = {};        // trace_to_tick(): the leaf that the last tick selects; none: no leaf
};

// May the host write the variable directly? Not if the project declares it as set by signals only.
bool is_writable(const ir::Tree& tree, std::uint32_t variable, const Facts& facts);

// The agents of a tree as a system: its signals, then writes that change a variable, both in file order, then a tick.
struct SelectSystem {
  logic::Moves moves;
  std::vector<TraceStep> steps = {};  // what each step is; a write's value depends on the state
};
SelectSystem system_of(SelectModel& model, const Facts& facts);

class SelectReach {
 public:
  // All must outlive this.
  SelectReach(SelectModel& model, logic::Questions& questions, const Facts& facts,
              logic::WaysBy by = logic::WaysBy::size);

  // All reachable states, as far as they are found: see logic::Ways::all().
  const logic::Ways::States& reachable() { return ways_.all(); }
  // The share of all values of the state variables that are reachable states; nothing if it is not known.
  std::optional<double> share() { return ways_.fraction(); }
  // The shortest trace that leads to a state of the target; of equally short ones the one with signals before writes
  // before ticks, then in file order.
  Trace trace_to(logic::Formula target);
  // The shortest trace whose last step is a tick in such a state, in which it evaluates the tree.
  Trace trace_to_tick(logic::Formula evaluates_in);

 private:
  SelectModel& model_;
  SelectSystem system_;
  logic::Ways ways_;
};

}  // namespace espalier::lint

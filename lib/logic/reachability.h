// Which states a system can be in, and the shortest ways there. States are sets of values of a diagram's variables;
// steps say what becomes of them. Independent of dialects.
//
// State variables have even numbers: while the states after a step are found, the variable after each stands for its
// new value.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "logic/diagrams.h"

namespace espalier::logic {

// A step: all its updates happen at once; the variables without one keep their values.
using Step = std::vector<Update>;

struct System {
  std::vector<bool> start;  // the value of each variable that a function or step names, by number
  std::vector<Step> steps;  // of equally short ways the one is taken whose first steps stand first here
  // Ways lead only through states in which this is true, as it is in the start; unknown: through all. A step that sets
  // variables to fixed values must not change whether it is true.
  Function within = {};
};

// A way from the start to a state of the target.
struct Way {
  Answer answer = Answer::unknown;          // is there one?
  std::vector<std::size_t> steps = {};      // the shortest one: indices into System::steps
  std::vector<std::vector<bool>> states{};  // values before each step, and after the last one
};

// The system and the diagrams must outlive this. Sets are found when they are first asked for, and kept. When the
// budget of the diagrams is exhausted, what is asked is unknown, unless what was found before tells it.
class Reachability {
 public:
  Reachability(Diagrams& diagrams, const System& system);

  // All states that some steps lead to, the start included. Found without counting steps, which is faster.
  Function all();
  // All states from which some steps lead to the start, some of them perhaps not reachable. `within` is not looked at.
  Function returning();
  // The states that take exactly this many steps at least; false (never unknown) from the first number on that no state
  // takes.
  Function layer(std::size_t step_count);
  // The shortest way to a state for which `target` is true.
  Way way_to(Function target);

  // The state after a step.
  std::vector<bool> after(const std::vector<bool>& state, std::size_t step) const;

 private:
  // Steps that change one variable each, and give the same fixed values to others: handled together.
  struct Flips {
    std::vector<Variable> variables;
    std::vector<Literal> given;
  };

  Function within(Function states);
  Function after_steps(Function states);
  Function before_steps(Function states);
  Function closed_under_flips(Function states);
  Way way_back(Function target, std::size_t length);

  Diagrams& diagrams_;
  const System& system_;
  std::vector<Flips> flips_;
  std::vector<std::size_t> others_;  // the steps that are no flips
  Function start_;
  std::optional<Function> all_;
  std::vector<Function> layers_;
  Function seen_;  // the union of the layers
};

}  // namespace espalier::logic

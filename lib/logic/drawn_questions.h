// What questions.cpp and explaining.cpp share: the diagrams that answer questions while they are small.
#pragma once
#include "logic/questions.h"

namespace espalier::logic {

struct Questions::Drawn {
  Drawn(const Circuit& circuit, std::size_t steps) : diagrams(steps), drawing(circuit, diagrams) {}

  // With one more; unknown: too large.
  Function with(Function function, Formula formula) { return diagrams.conjunction(function, drawing.of(formula)); }
  bool is_false(Function function) const { return diagrams.is_satisfiable(function) == Answer::no; }

  // As the functions of Questions do. False: too large, and nothing is decided.
  bool enough_of_first(std::span<const Formula> all, std::vector<std::size_t>& needed, Sets& possible,
                       std::size_t most);
  bool grow(std::span<const Formula> all, std::uint64_t& set);

  Diagrams diagrams;
  Drawing drawing;
};

}  // namespace espalier::logic

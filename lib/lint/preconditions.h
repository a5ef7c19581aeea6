// The preconditions of a few deciders as functions of the flags and stimuli that they ask for.
#pragma once
#include <string>
#include <vector>

#include "ir/tree.h"
#include "logic/diagrams.h"

namespace espalier::lint {

class Preconditions {
 public:
  // The tree must outlive this.
  Preconditions(const ir::Tree& tree, std::size_t budget);

  // That its lists hold. `every` and `decide` are taken to.
  logic::Function of(const ir::Decider& decider);
  // As few flags and stimuli as can be: "'Night' and 'Rain' alone, without 'Dead'".
  std::string state(const std::vector<logic::Literal>& witness) const;
  // Whether a word is as it is asked for, when all that is not told is not there.
  bool holds(const ir::Wanted& word, bool is_of_stimuli, const std::vector<logic::Literal>& witness) const;

  logic::Diagrams diagrams;

 private:
  std::size_t word_number(const ir::Wanted& word, bool is_of_stimuli) const;
  logic::Literal literal(const ir::Wanted& word, bool is_of_stimuli);

  const ir::Tree& tree_;
  // Of flags, then stimuli. In the order in which they are asked for first: what is asked for together is side by side.
  std::vector<logic::Variable> variables_;
  std::vector<std::size_t> words_;  // of each variable
};

}  // namespace espalier::lint

// The preconditions of a few deciders as functions of the flags and stimuli that they ask for.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "lint/decide/outline.h"
#include "logic/diagrams.h"

namespace espalier::lint {

class Preconditions {
 public:
  // For these places only. The outline must outlive this.
  Preconditions(const DecideOutline& outline, const std::vector<PlaceIndex>& places, std::size_t budget);

  // The function that is true if the lists of the place hold. `every` and `decide` are assumed to hold.
  logic::Function of(PlaceIndex place);
  // The same, and its function of `decide` accepts, if it was given to ask(): it answers all deciders alike.
  logic::Function accepting(PlaceIndex place);
  void ask(const std::string& decide);
  bool asks(const std::string& decide) const { return functions_.contains(decide); }
  // As few flags and stimuli as possible: "only 'Night' and 'Rain', without 'Dead'".
  std::string state(const std::vector<logic::Literal>& witness) const;
  // Does the word hold if all flags and stimuli that are not in `witness` are not set?
  bool holds(const ir::Wanted& word, bool is_of_stimuli, const std::vector<logic::Literal>& witness) const;

  logic::Diagrams diagrams;

 private:
  std::size_t word_number(const ir::Wanted& word, bool is_of_stimuli) const;
  void number_words(const ir::Decider& decider);

  const DecideOutline& outline_;
  std::vector<logic::Variable> variables_;            // of flags, then of stimuli
  std::vector<std::size_t> words_;                    // of each variable
  std::map<std::string, logic::Variable> functions_;  // variables after those, by the name in `decide`
};

// The number of words in its lists.
std::size_t word_count(const ir::Decider& decider);

}  // namespace espalier::lint

// Questions about formulas, answered exactly for all values of all variables: by looking at all states where there are
// few variables, else by diagrams while they are small. Where they are not, most questions are answered by examples,
// states that were met before and those that differ from them in one variable, 64 at a time; a solver is asked about
// the rest.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "logic/circuit.h"
#include "logic/implying_solver.h"

namespace espalier::logic {

class Questions {
 public:
  // With so many variables at most all states are looked at.
  static constexpr std::size_t kListed = 10;
  // Diagrams are given up after so many steps.
  static constexpr std::size_t kDrawn = 60'000;
  // The circuit must outlive this. `conflicts`: what the solver may meet in one question; the total is bounded too.
  Questions(Circuit& circuit, int conflicts, std::size_t most_listed = kListed, std::size_t most_drawn = kDrawn);
  ~Questions();

  // Can they all be true together?
  Answer can_be(std::span<const Formula> all);
  // The same for each of some, together with those in common. Cheaper than one after another where most cannot.
  std::vector<Answer> each_can_be(std::span<const Formula> common, std::span<const Formula> each);
  // Values of variables by number; those that are missing are false.
  using Example = std::shared_ptr<const std::vector<bool>>;
  // After a yes, until something else is asked: values for which they are.
  const Example& example();
  // Do examples help with other questions? Not those of diagrams and lists of all states.
  bool uses_examples();
  // Makes answers cheaper that hold near these values.
  void look_near(const Example& values);

  Answer is_satisfiable(Formula formula) { return can_be({&formula, 1}); }
  // Is it not known that it cannot be true? Asked once of each formula.
  bool is_possible(Formula formula);
  Answer is_tautology(Formula formula);
  Answer is_equal(Formula left, Formula right);
  // Values that make all of them true, in order of the variables, with as few true ones as possible and these as early
  // as possible. They are true whatever the values of the variables left out.
  Satisfied satisfy(std::span<const Formula> all);
  // Of formulas that cannot all be true together, as few as suffice for that, by their places, in order: the first one
  // that suffices alone; else, of not too many, the first two; else those that are needed if later ones are left out
  // before earlier ones: where these are more than `most`, the last of them. Nothing if they can be, or if it cannot be
  // decided. explaining.cpp
  std::vector<std::size_t> enough(std::span<const Formula> all, std::size_t most = SIZE_MAX);

 private:
  struct Round {
    Example base = {};      // of all rounds that have the same one, there are the same values
    std::size_t first = 0;  // number of the listed states before it, or of the first variable that is changed
    bool is_list = false;   // of all states; else the base, and it with one variable changed
    std::vector<std::uint64_t> values = {};    // of gates; a bit for each state
    std::vector<std::uint32_t> known_at = {};  // of each: the `number` of the round that has asked for it
    std::uint32_t number = 0;
  };
  struct Drawn;
  Answer look_at_diagrams(std::span<const Formula> all);
  std::uint64_t values_of_variable(const Round& round, Circuit::Gate gate) const;
  std::uint64_t values_of(Round& round, Formula formula);
  bool find(Round& round, std::span<const Formula> all);
  bool lists_all();
  bool is_shown(std::span<const Formula> all);
  void add_round(const Example& base, std::size_t first);
  void add_near(const Example& values);
  void learn(const Example& values);
  std::vector<bool> state_of(Round& round, unsigned bit);
  Answer ask(std::span<const Formula> all);
  Answer ask(std::span<const Formula> all, int conflicts);
  std::optional<std::vector<bool>> fewest(Formula all, const std::vector<std::uint32_t>& numbers);
  class Passing;
  // Of at most 64 formulas: sets that can be true together, by places.
  using Sets = std::vector<std::uint64_t>;
  void grow(std::span<const Formula> all, std::uint64_t& set, std::uint64_t more);
  std::vector<std::size_t> enough_of_two(std::span<const Formula> all, const Sets& possible);
  std::vector<std::size_t> enough_of_first(std::span<const Formula> all, Sets& possible, std::size_t most);
  bool leave_out_unneeded(Formula whole, std::vector<Literal>& literals);

  Circuit& circuit_;
  std::unique_ptr<Drawn> drawn_;  // null: given up
  int conflicts_;
  std::size_t most_listed_;
  std::size_t listed_ = SIZE_MAX;  // so many variables are listed
  std::vector<Round> rounds_;      // a ring, unless all states are listed
  std::size_t next_ = 0;
  std::uint32_t last_round_ = 0;
  Example example_;
  struct InRound {
    Round* round = nullptr;  // null: the example is made already
    unsigned bit = 0;
  };
  InRound found_;         // where the example is
  Function found_drawn_;  // or of what; unknown: of nothing
  std::unique_ptr<ImplyingSolver> solver_;
  std::vector<Circuit::Gate> open_;  // of values_of()
  int unanswered_ = 0;
  bool is_asked_ = false;          // the solver was, about the last question
  std::vector<bool> is_possible_;  // by code
  struct Enough {
    std::vector<Formula> first;
    std::vector<std::size_t> places;
    std::size_t most = 0;
  };
  Enough last_enough_;  // the last answer of enough_of_first(), and the first formulas, which it is about
};

}  // namespace espalier::logic

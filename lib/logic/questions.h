// Questions about formulas, answered exactly for all values of all variables. Most are answered by examples: states
// that were met before, and those that differ from them in one variable, 64 at a time. A solver is asked about the
// rest; where there are few variables, all states are looked at instead.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "logic/solver.h"

namespace espalier::logic {

class Questions {
 public:
  // With so many variables at most all states are looked at.
  static constexpr std::size_t kListed = 10;
  // The circuit must outlive this. `conflicts`: what the solver may meet in one question; the total is bounded too.
  Questions(Circuit& circuit, int conflicts, std::size_t most_listed = kListed);

  // Can they all be true together?
  Answer can_be(std::span<const Formula> all);
  // The same for each of some, together with those in common. Cheaper than one after another where most cannot.
  std::vector<Answer> each_can_be(std::span<const Formula> common, std::span<const Formula> each);
  // Values of variables by number; those that are missing are false.
  using Example = std::shared_ptr<const std::vector<bool>>;
  // After a yes, until something else is asked: values for which they are.
  const Example& example();
  // Makes answers cheaper that hold near these values.
  void look_near(const Example& values);

  Answer is_satisfiable(Formula formula) { return can_be({&formula, 1}); }
  Answer is_tautology(Formula formula);
  Answer is_equal(Formula left, Formula right);
  // Values that make all of them true, in order of the variables, with as few true ones as possible and these as early
  // as possible. They are true whatever the values of the variables left out.
  Satisfied satisfy(std::span<const Formula> all);

 private:
  struct Round {
    Example base = {};      // of all rounds that have the same one, there are the same values
    std::size_t first = 0;  // number of the listed states before it, or of the first variable that is changed
    bool is_list = false;   // of all states; else the base, and it with one variable changed
    std::vector<std::uint64_t> values = {};  // of gates, as far as they were asked for; a bit for each state
  };
  void extend(Round& round) const;
  bool find(Round& round, std::span<const Formula> all);
  bool lists_all();
  bool is_shown(std::span<const Formula> all);
  void add_round(const Example& base, std::size_t first);
  void add_near(const Example& values);
  void learn(const Example& values);
  std::vector<bool> state_of(const Round& round, unsigned bit) const;
  Answer ask(std::span<const Formula> all);
  Answer ask(std::span<const Formula> all, int conflicts);
  std::optional<std::vector<bool>> fewest(Formula all, const std::vector<std::uint32_t>& numbers);
  bool leave_out_unneeded(Formula whole, std::vector<Literal>& literals);

  Circuit& circuit_;
  int conflicts_;
  std::size_t most_listed_;
  std::size_t listed_ = SIZE_MAX;  // so many variables are listed
  std::vector<Round> rounds_;      // a ring, unless all states are listed
  std::size_t next_ = 0;
  Example example_;
  struct InRound {
    const Round* round = nullptr;  // null: the example is made already
    unsigned bit = 0;
  };
  InRound found_;  // where the example is
  std::unique_ptr<Solver> solver_;
  int unanswered_ = 0;
};

}  // namespace espalier::logic

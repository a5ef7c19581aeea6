// Can formulas be true together, and for which values? Answered by CaDiCaL, a satisfiability solver, which is given the
// gates of a circuit as they are asked for and keeps what it learns.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "logic/circuit.h"

namespace CaDiCaL {  // NOLINT(readability-identifier-naming): the library's name
class Solver;
class Terminator;
}  // namespace CaDiCaL

namespace espalier::logic {

class Solver {
 public:
  // The circuit must outlive this. `is_over`: asked now and then; what is not answered by then is unknown.
  explicit Solver(const Circuit& circuit, std::function<bool()> is_over = {});
  ~Solver();

  // Unknown if more than so many conflicts are met, or if a formula is unknown.
  Answer can_be(std::span<const Formula> all, int most_conflicts);
  // After a yes: the value that the formula has in the example. What was never asked for is
  // false.
  bool value(Formula formula) const;
  std::vector<bool> values() const;  // by number
  // After a no: is this one of those that cannot all be true together? These may be fewer than were asked for, and are
  // none if what was asked for holds a constant.
  bool is_needed(Formula asked) const;
  std::size_t size() const { return gate_count_; }  // gates that were asked for
  // Examples have this value where nothing speaks against it; else they prefer false.
  void prefer(Formula formula);

 private:
  int literal(Formula formula) const;
  void add(Formula formula);

  const Circuit& circuit_;
  std::unique_ptr<CaDiCaL::Terminator> terminator_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::vector<bool> is_added_;  // of gates
  std::size_t gate_count_ = 0;
  bool is_refuted_ = false;  // the last answer was a no of the solver
  std::vector<Circuit::Gate> variables_;
};

}  // namespace espalier::logic

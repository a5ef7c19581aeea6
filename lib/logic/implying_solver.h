// Can formulas be true together? For very many questions about parts of one circuit. Where a Solver gives all gates of
// a formula a variable of the satisfiability solver, which then finds a value for each of them in each answer, this
// gives one to few, says only what follows from their being true, and forgets what no later question needs.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "logic/circuit.h"

namespace CaDiCaL {  // NOLINT(readability-identifier-naming): the library's name
class Solver;
}  // namespace CaDiCaL

namespace espalier::logic {

class ImplyingSolver {
 public:
  explicit ImplyingSolver(const Circuit& circuit);  // which must outlive this
  ~ImplyingSolver();

  // Unknown if more than so many conflicts are met, or if a formula is unknown.
  Answer can_be(std::span<const Formula> all, int most_conflicts);
  // After a yes: values of variables by number; those that are missing are false.
  std::vector<bool> values() const;
  // After a no: is this one, by its place, of those that cannot all be true together? True of each if that is not
  // known.
  bool is_needed(std::size_t asked) const;

  // What is asked between these is forgotten at the end, but for `kept`.
  void begin_passing(std::span<const Formula> kept);
  void end_passing();  // values and needs of the last answer are lost

 private:
  using Code = std::uint32_t;  // of a formula
  bool has_literal(Code code) const { return code < literals_.size() && literals_[code] != 0; }
  bool is_gate(Code code) const { return !circuit_.is_variable(code >> 1); }
  int literal(Code code);
  void assume(Code code);
  void begin();
  void define_all();
  void define(Code code);
  std::vector<int> alternatives(Code code);
  void add_clause(int first, std::span<const int> rest);

  const Circuit& circuit_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::vector<int> literals_;  // by code: true only if the formula is; 0: there is none yet
  int last_ = 0;
  std::vector<Circuit::Gate> variables_;  // that have a literal
  std::vector<Code> undefined_;           // have one, but nothing follows from it yet
  bool is_passing_ = false;
  std::vector<Code> passing_;
  std::size_t forgotten_ = 0;  // literals that `solver_` still has
  std::vector<int> assumed_;
  std::vector<std::pair<std::size_t, std::size_t>> assumed_of_;  // of each that was asked: its part of `assumed_`
  bool is_refuted_ = false;                                      // the last answer was a no of the solver
  bool has_given_up_ = false;
};

}  // namespace espalier::logic

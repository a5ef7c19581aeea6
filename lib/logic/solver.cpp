// A circuit as clauses. See solver.h.
#include "logic/solver.h"

#include <cadical.hpp>
#include <initializer_list>
#include <utility>

namespace espalier::logic {
namespace {

class Limit : public CaDiCaL::Terminator {
 public:
  explicit Limit(std::function<bool()> is_over) : is_over_(std::move(is_over)) {}
  bool terminate() override { return is_over_(); }

 private:
  std::function<bool()> is_over_;
};

}  // namespace

// Questions are many and easy, so what the solver would do to make one hard question easier is left out, and so is its
// own profiling, which asks the system for the time in each of them.
Solver::Solver(const Circuit& circuit, std::function<bool()> is_over)
    : circuit_(circuit), solver_(std::make_unique<CaDiCaL::Solver>()) {
  solver_->configure("plain");
  for (const char* option : {"lucky", "walk", "phase", "profile"}) solver_->set(option, 0);
  if (!is_over) return;
  terminator_ = std::make_unique<Limit>(std::move(is_over));
  solver_->connect_terminator(terminator_.get());
}

Solver::~Solver() {
  if (terminator_) solver_->disconnect_terminator();
}

int Solver::literal(Formula formula) const {
  const int variable = static_cast<int>(Circuit::gate_of(formula)) + 1;
  return Circuit::is_inverted(formula) ? -variable : variable;
}

void Solver::add(Formula formula) {
  is_added_.resize(circuit_.size());
  const auto clause = [&](std::initializer_list<int> literals) {
    for (const int each : literals) solver_->add(each);
    solver_->add(0);
  };
  std::vector<Circuit::Gate> open = {Circuit::gate_of(formula)};
  while (!open.empty()) {
    const Circuit::Gate gate = open.back();
    open.pop_back();
    if (is_added_[gate]) continue;
    is_added_[gate] = true;
    ++gate_count_;
    const int output = static_cast<int>(gate) + 1;
    if (gate == 0) {
      clause({-output});
      continue;
    }
    if (circuit_.is_variable(gate)) {
      variables_.push_back(gate);
      continue;
    }
    const Circuit::Inputs& inside = circuit_.inputs(gate);
    const int left = literal(Circuit::formula(inside.left));
    const int right = literal(Circuit::formula(inside.right));
    clause({-output, left});
    clause({-output, right});
    clause({output, -left, -right});
    open.push_back(inside.left >> 1);
    open.push_back(inside.right >> 1);
  }
}

Answer Solver::can_be(std::span<const Formula> all, int most_conflicts) {
  is_refuted_ = false;
  for (const Formula formula : all) {
    if (!formula.is_known()) return Answer::unknown;
    if (circuit_.is_constant(formula, false)) return Answer::no;
  }
  for (const Formula formula : all) add(formula);
  for (const Formula formula : all) solver_->assume(literal(formula));
  solver_->limit("conflicts", most_conflicts);
  const int status = solver_->solve();
  is_refuted_ = status == 20;
  return status == 10 ? Answer::yes : status == 20 ? Answer::no : Answer::unknown;
}

bool Solver::value(Formula formula) const {
  const Circuit::Gate gate = Circuit::gate_of(formula);
  const bool is_true = gate < is_added_.size() && is_added_[gate] && solver_->val(static_cast<int>(gate) + 1) > 0;
  return is_true != Circuit::is_inverted(formula);
}

bool Solver::is_needed(Formula asked) const { return is_refuted_ && solver_->failed(literal(asked)); }

std::vector<bool> Solver::values() const {
  std::vector<bool> result;
  for (const Circuit::Gate gate : variables_) {
    const std::uint32_t number = circuit_.inputs(gate).left;
    if (result.size() <= number) result.resize(number + std::size_t{1});
    result[number] = solver_->val(static_cast<int>(gate) + 1) > 0;
  }
  return result;
}

void Solver::prefer(Formula formula) {
  if (formula.is_known()) solver_->phase(literal(formula));
}

}  // namespace espalier::logic

// A circuit as clauses in one direction. See implying_solver.h. Where a question turns out to be hard, all gates get
// clauses in both directions from then on, and nothing is forgotten: the solver then learns more from one question for
// the next.
#include "logic/implying_solver.h"

#include <algorithm>
#include <cadical.hpp>
#include <cstddef>

namespace espalier::logic {
namespace {

// Parts of a formula that are said in its own clauses; more get a literal of their own.
constexpr std::size_t kMostParts = 16;

// Then the solver begins anew, since it steps over them in each answer.
constexpr std::size_t kMostForgotten = 10'000;

constexpr std::uint32_t kInverted = 1;

}  // namespace

ImplyingSolver::ImplyingSolver(const Circuit& circuit) : circuit_(circuit) { begin(); }

ImplyingSolver::~ImplyingSolver() = default;

// The options are those of Solver.
void ImplyingSolver::begin() {
  solver_ = std::make_unique<CaDiCaL::Solver>();
  solver_->configure("plain");
  for (const char* option : {"lucky", "walk", "phase", "profile"}) solver_->set(option, 0);
  literals_.clear();
  variables_.clear();
  undefined_.clear();
  passing_.clear();
  last_ = 0;
  forgotten_ = 0;
}

// ---- Clauses ------------------------------------------------------------------------------------

void ImplyingSolver::add_clause(int first, std::span<const int> rest) {
  solver_->add(first);
  for (const int each : rest) solver_->add(each);
  solver_->add(0);
}

int ImplyingSolver::literal(Code code) {
  if (literals_.size() <= (code | kInverted)) literals_.resize(2 * circuit_.size());
  if (literals_[code] != 0) return literals_[code];
  const int made = ++last_;
  if (is_gate(code) && has_given_up_) {
    literals_[code & ~kInverted] = made;
    literals_[code | kInverted] = -made;
    undefined_.push_back(code & ~kInverted);
    return literals_[code];
  }
  if (is_gate(code)) {
    literals_[code] = made;
    undefined_.push_back(code);
    if (is_passing_) passing_.push_back(code);
    return made;
  }
  variables_.push_back(code >> 1);
  literals_[code & ~kInverted] = made;
  literals_[code | kInverted] = -made;
  return literals_[code];
}

// Of a formula that is no conjunction: literals of which one is true if it is.
std::vector<int> ImplyingSolver::alternatives(Code code) {
  std::vector<int> result;
  std::vector<Code> open = {code};
  while (!open.empty()) {
    const Code next = open.back();
    open.pop_back();
    const bool is_alternative = (next & kInverted) != 0 && is_gate(next) && (next == code || !has_literal(next));
    if (is_alternative && result.size() + open.size() < kMostParts) {
      const Circuit::Inputs& inside = circuit_.inputs(next >> 1);
      open.push_back(inside.right ^ kInverted);
      open.push_back(inside.left ^ kInverted);
    } else {
      result.push_back(literal(next));
    }
  }
  return result;
}

// What follows from the literal of a gate.
void ImplyingSolver::define(Code code) {
  const int defined = literals_[code];
  if (has_given_up_) {
    const Circuit::Inputs inside = circuit_.inputs(code >> 1);
    const int left = literal(inside.left);
    const int right = literal(inside.right);
    add_clause(-defined, {&left, 1});
    add_clause(-defined, {&right, 1});
    const int both[] = {-left, -right};
    return add_clause(defined, both);
  }
  if ((code & kInverted) != 0) return add_clause(-defined, alternatives(code));
  std::vector<Code> open = {circuit_.inputs(code >> 1).right, circuit_.inputs(code >> 1).left};
  for (std::size_t parts = 0; !open.empty(); ++parts) {
    const Code next = open.back();
    open.pop_back();
    const bool is_short = is_gate(next) && !has_literal(next) && parts < kMostParts;
    if (is_short && (next & kInverted) == 0) {
      const Circuit::Inputs& inside = circuit_.inputs(next >> 1);
      open.push_back(inside.right);
      open.push_back(inside.left);
    } else if (is_short) {
      add_clause(-defined, alternatives(next));
    } else {
      const int part = literal(next);
      add_clause(-defined, {&part, 1});
    }
  }
}

void ImplyingSolver::define_all() {
  while (!undefined_.empty()) {
    const Code code = undefined_.back();
    undefined_.pop_back();
    define(code);
  }
}

// ---- Questions ----------------------------------------------------------------------------------

// A conjunction of what has literals needs none of its own.
void ImplyingSolver::assume(Code code) {
  const std::size_t begin = assumed_.size();
  if (has_given_up_) {
    assumed_.push_back(literal(code));
    return static_cast<void>(assumed_of_.emplace_back(begin, assumed_.size()));
  }
  std::vector<Code> open = {code};
  while (!open.empty()) {
    const Code next = open.back();
    open.pop_back();
    const bool is_part = has_literal(next) || !is_gate(next);
    if (is_part) {
      assumed_.push_back(literal(next));
    } else if ((next & kInverted) == 0 && assumed_.size() - begin + open.size() < kMostParts) {
      open.push_back(circuit_.inputs(next >> 1).right);
      open.push_back(circuit_.inputs(next >> 1).left);
    } else {
      assumed_.resize(begin);
      assumed_.push_back(literal(code));
      break;
    }
  }
  assumed_of_.emplace_back(begin, assumed_.size());
}

Answer ImplyingSolver::can_be(std::span<const Formula> all, int most_conflicts) {
  is_refuted_ = false;
  for (const Formula formula : all) {
    if (!formula.is_known()) return Answer::unknown;
    if (circuit_.is_constant(formula, false)) return Answer::no;
  }
  assumed_.clear();
  assumed_of_.clear();
  for (const Formula formula : all) {
    if (circuit_.is_constant(formula, true)) {
      assumed_of_.emplace_back(0, 0);
    } else {
      assume(Circuit::code(formula));
    }
  }
  define_all();
  for (const int each : assumed_) solver_->assume(each);
  solver_->limit("conflicts", most_conflicts);
  const int status = solver_->solve();
  is_refuted_ = status == 20;
  if (status == 0 && !has_given_up_) {
    has_given_up_ = true;
    begin();
    return can_be(all, most_conflicts);
  }
  return status == 10 ? Answer::yes : status == 20 ? Answer::no : Answer::unknown;
}

bool ImplyingSolver::is_needed(std::size_t asked) const {
  if (!is_refuted_ || asked >= assumed_of_.size()) return true;
  const auto [begin, end] = assumed_of_[asked];
  return std::any_of(assumed_.begin() + static_cast<std::ptrdiff_t>(begin),
                     assumed_.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](int each) { return solver_->failed(each); });
}

std::vector<bool> ImplyingSolver::values() const {
  std::vector<bool> result;
  for (const Circuit::Gate gate : variables_) {
    const std::uint32_t number = circuit_.inputs(gate).left;
    if (result.size() <= number) result.resize(number + std::size_t{1});
    result[number] = solver_->val(literals_[2 * gate]) > 0;
  }
  return result;
}

// ---- Passing ------------------------------------------------------------------------------------

void ImplyingSolver::begin_passing(std::span<const Formula> kept) {
  for (const Formula formula : kept) {
    if (formula.is_known() && Circuit::gate_of(formula) != 0) static_cast<void>(literal(Circuit::code(formula)));
  }
  define_all();
  is_passing_ = true;
}

// A literal that is false says nothing, and costs nothing.
void ImplyingSolver::end_passing() {
  is_passing_ = false;
  is_refuted_ = false;
  for (const Code code : passing_) {
    add_clause(-literals_[code], {});
    literals_[code] = 0;
  }
  forgotten_ += passing_.size();
  passing_.clear();
  if (forgotten_ > kMostForgotten) begin();
}

}  // namespace espalier::logic

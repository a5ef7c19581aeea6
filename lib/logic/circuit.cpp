// Building and reading circuits. See circuit.h.
#include "logic/circuit.h"

#include <algorithm>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kMaxGates = std::size_t{1} << 30;  // their codes have 31 bits
constexpr std::uint32_t kNone = UINT32_MAX;

std::size_t hash_of(std::uint32_t left, std::uint32_t right) {
  std::uint64_t hash = left * 0x9E3779B97F4A7C15U + right;
  hash = (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9U;
  return hash >> 32;
}

// The gates of a formula that `is_done` does not say are done already, operands before the gates that use them.
template <typename IsDone>
std::vector<Circuit::Gate> cone(const Circuit& circuit, Formula formula, const IsDone& is_done) {
  std::vector<Circuit::Gate> open = {Circuit::gate_of(formula)};
  std::vector<Circuit::Gate> found;
  std::vector<bool> is_found(open.front() + std::size_t{1});
  while (!open.empty()) {
    const Circuit::Gate gate = open.back();
    open.pop_back();
    if (is_found[gate] || is_done(gate)) continue;
    is_found[gate] = true;
    found.push_back(gate);
    if (gate == 0 || circuit.is_variable(gate)) continue;
    open.push_back(circuit.inputs(gate).left >> 1);
    open.push_back(circuit.inputs(gate).right >> 1);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

// ---- Building -----------------------------------------------------------------------------------

Circuit::Circuit(std::size_t budget) : budget_(std::min(budget, kMaxGates)), gates_{{0, 0}}, table_(64, kNone) {}

Formula Circuit::variable(std::uint32_t number) {
  if (gate_of_variable_.size() <= number) gate_of_variable_.resize(number + std::size_t{1}, kNone);
  if (gate_of_variable_[number] == kNone) {
    if (gates_.size() >= budget_) return {};
    gate_of_variable_[number] = static_cast<Gate>(gates_.size());
    variables_.push_back(gate_of_variable_[number]);
    gates_.push_back({number, kVariable});
  }
  return Formula(2 * gate_of_variable_[number]);
}

std::uint32_t Circuit::gate(std::uint32_t left, std::uint32_t right) {
  if (left > right) std::swap(left, right);
  const auto place_of = [&](std::uint32_t first, std::uint32_t second) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash_of(first, second) & mask;
    while (table_[at] != kNone && (gates_[table_[at]].left != first || gates_[table_[at]].right != second)) {
      at = (at + 1) & mask;
    }
    return at;
  };
  const std::size_t place = place_of(left, right);
  if (table_[place] != kNone) return 2 * table_[place];
  if (gates_.size() >= budget_) return kNone;
  const auto made = static_cast<Gate>(gates_.size());
  gates_.push_back({left, right});
  table_[place] = made;
  if (2 * gates_.size() > table_.size()) {
    table_.assign(2 * table_.size(), kNone);
    for (Gate each = 1; each < gates_.size(); ++each) {
      if (!is_variable(each)) table_[place_of(gates_[each].left, gates_[each].right)] = each;
    }
  }
  return 2 * made;
}

Formula Circuit::negation(Formula formula) const {
  return formula.is_known() ? Formula(formula.index_ ^ 1) : Formula();
}

// With what is known of the operands' own operands, which removes much of what priorities repeat.
Formula Circuit::conjunction(Formula left, Formula right) {
  if (is_constant(left, false) || is_constant(right, false)) return constant(false);
  if (!left.is_known() || !right.is_known()) return {};
  if (is_constant(left, true) || left == right) return right;
  if (is_constant(right, true)) return left;
  if (left == negation(right)) return constant(false);
  for (int turn = 0; turn < 2; ++turn, std::swap(left, right)) {
    const Gate of_right = gate_of(right);
    if (is_variable(of_right)) continue;
    const Inputs inside = gates_[of_right];
    const bool has_it = inside.left == left.index_ || inside.right == left.index_;
    const bool has_opposite = inside.left == (left.index_ ^ 1) || inside.right == (left.index_ ^ 1);
    if (!is_inverted(right)) {
      if (has_it) return right;
      if (has_opposite) return constant(false);
    } else {
      if (has_opposite) return left;
      if (has_it) return conjunction(left, Formula((inside.left == left.index_ ? inside.right : inside.left) ^ 1));
    }
  }
  return Formula(gate(left.index_, right.index_));
}

Formula Circuit::disjunction(Formula left, Formula right) {
  return negation(conjunction(negation(left), negation(right)));
}

Formula Circuit::exclusive(Formula left, Formula right) { return choice(left, negation(right), right); }

Formula Circuit::equivalence(Formula left, Formula right) { return choice(left, right, negation(right)); }

Formula Circuit::implication(Formula left, Formula right) { return disjunction(negation(left), right); }

Formula Circuit::choice(Formula condition, Formula then, Formula otherwise) {
  if (then == otherwise) return then;
  // One after the other: compilers evaluate arguments in different orders, and gates are numbered as they are made.
  const Formula chosen = conjunction(condition, then);
  const Formula other = conjunction(negation(condition), otherwise);
  return disjunction(chosen, other);
}

Formula Circuit::all_of(std::span<const Literal> literals) {
  Formula result = constant(true);
  for (const Literal& literal : literals) {
    const Formula value = variable(literal.variable);
    result = conjunction(result, literal.value ? value : negation(value));
  }
  return result;
}

std::vector<Formula> Circuit::at_least(std::span<const Formula> formulas, std::size_t most) {
  std::vector<Formula> result(most + 1, constant(false));
  result[0] = constant(true);
  for (const Formula formula : formulas) {
    for (std::size_t k = most; k > 0; --k) result[k] = disjunction(result[k], conjunction(result[k - 1], formula));
  }
  return result;
}

// ---- Reading ------------------------------------------------------------------------------------

std::vector<Formula> Circuit::conjuncts(Formula formula) const {
  std::vector<Formula> result;
  std::vector<Formula> open = {formula};
  std::vector<bool> is_open(size());
  while (!open.empty()) {
    const Formula next = open.back();
    open.pop_back();
    const Gate gate = gate_of(next);
    if (!next.is_known() || is_inverted(next) || gate == 0 || is_variable(gate)) {
      result.push_back(next);
    } else if (!is_open[gate]) {
      is_open[gate] = true;
      open.push_back(Formula(gates_[gate].right));
      open.push_back(Formula(gates_[gate].left));
    }
  }
  return result;
}

std::vector<std::uint32_t> Circuit::support(Formula formula) const {
  std::vector<std::uint32_t> result;
  if (!formula.is_known()) return result;
  for (const Gate gate : cone(*this, formula, [](Gate) { return false; })) {
    if (gate != 0 && is_variable(gate)) result.push_back(gates_[gate].left);
  }
  std::sort(result.begin(), result.end());
  return result;
}

Answer Valuation::of(Formula formula) {
  if (!formula.is_known()) return Answer::unknown;
  const auto of_code = [&](std::uint32_t code) { return (of_gates_[code >> 1] ^ (code & 1)) != 0; };
  for (auto gate = static_cast<Circuit::Gate>(of_gates_.size()); gate <= Circuit::gate_of(formula); ++gate) {
    const Circuit::Inputs& inside = circuit_.inputs(gate);
    of_gates_.push_back(gate != 0 && (circuit_.is_variable(gate) ? inside.left < values_.size() && values_[inside.left]
                                                                 : of_code(inside.left) && of_code(inside.right)));
  }
  return of_code(Circuit::code(formula)) ? Answer::yes : Answer::no;
}

Formula Copy::of(Formula formula) {
  if (!formula.is_known()) return {};
  const Circuit::Gate last = Circuit::gate_of(formula);
  if (copies_.size() <= last) copies_.resize(last + std::size_t{1});
  copies_[0] = to_.constant(false);
  const auto of_code = [&](std::uint32_t code) {
    return (code & 1) != 0 ? to_.negation(copies_[code >> 1]) : copies_[code >> 1];
  };
  for (const Circuit::Gate gate : cone(from_, formula, [&](Circuit::Gate done) { return copies_[done].is_known(); })) {
    const Circuit::Inputs& inside = from_.inputs(gate);
    if (!from_.is_variable(gate)) {
      const auto left = of_code(inside.left);
      copies_[gate] = to_.conjunction(left, of_code(inside.right));
    } else if (inside.left < values_.size() && values_[inside.left].is_known()) {
      copies_[gate] = values_[inside.left];
    } else {
      copies_[gate] = to_.variable(inside.left);
    }
  }
  return of_code(Circuit::code(formula));
}

Function Drawing::of(Formula formula) {
  if (!formula.is_known()) return {};
  const Circuit::Gate last = Circuit::gate_of(formula);
  if (drawn_.size() <= last) drawn_.resize(last + std::size_t{1});
  drawn_[0] = to_.constant(false);
  const auto of_code = [&](std::uint32_t code) {
    return (code & 1) != 0 ? to_.negation(drawn_[code >> 1]) : drawn_[code >> 1];
  };
  open_.assign(1, last);
  while (!open_.empty()) {
    const Circuit::Gate gate = open_.back();
    if (!drawn_[gate].is_known()) {
      const Circuit::Inputs& inside = from_.inputs(gate);
      if (from_.is_variable(gate)) {
        if (inside.left < kMaxVariables) drawn_[gate] = to_.variable(static_cast<Variable>(inside.left));
      } else {
        const std::size_t before = open_.size();
        if (!drawn_[inside.left >> 1].is_known()) open_.push_back(inside.left >> 1);
        if (!drawn_[inside.right >> 1].is_known()) open_.push_back(inside.right >> 1);
        if (open_.size() > before) continue;
        const Function left = of_code(inside.left);
        drawn_[gate] = to_.conjunction(left, of_code(inside.right));
      }
      if (!drawn_[gate].is_known()) return {};
    }
    open_.pop_back();
  }
  return of_code(Circuit::code(formula));
}

Formula formula_of(Circuit& circuit, const Diagrams& diagrams, Function function) {
  if (!function.is_known()) return {};
  if (diagrams.is_satisfiable(function) == Answer::no) return circuit.constant(false);
  std::vector<Formula> made = {circuit.constant(false), circuit.constant(true)};
  for (const Diagrams::Part& part : diagrams.parts(function)) {
    made.push_back(circuit.choice(circuit.variable(part.variable), made[part.high], made[part.low]));
  }
  return made.back();
}

}  // namespace espalier::logic

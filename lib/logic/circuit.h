// Boolean functions of numbered variables as circuits of and-gates with inverters: cheap to build and never larger than
// what they are built from, however many values the variables have. What they mean is asked of Questions or a Solver.
// Independent of dialects.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "logic/diagrams.h"

namespace espalier::logic {

// A handle of a function: cheap to copy, valid only for the Circuit that made it. Equal handles are equal functions;
// equal functions may have several.
class Formula {
 public:
  Formula() = default;  // unknown
  bool is_known() const { return index_ != kUnknown; }
  bool operator==(const Formula&) const = default;

 private:
  friend class Circuit;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  explicit Formula(std::uint32_t index) : index_(index) {}
  std::uint32_t index_ = kUnknown;  // twice the number of its gate; one more: inverted
};

// All formulas that are used together. They live as long as this. What would need more gates than the budget is
// unknown, and so is each operation on something unknown.
class Circuit {
 public:
  explicit Circuit(std::size_t budget);

  Formula constant(bool value) const { return Formula(value ? 1 : 0); }
  Formula variable(std::uint32_t number);
  Formula negation(Formula formula) const;
  Formula conjunction(Formula left, Formula right);
  Formula disjunction(Formula left, Formula right);
  Formula exclusive(Formula left, Formula right);
  Formula equivalence(Formula left, Formula right);
  Formula implication(Formula left, Formula right);
  // `then` where `condition` is true, else `otherwise`.
  Formula choice(Formula condition, Formula then, Formula otherwise);
  // True if all of these have their values.
  Formula all_of(std::span<const Literal> literals);
  // [k]: at least k of these are true, for each k up to `most`.
  std::vector<Formula> at_least(std::span<const Formula> formulas, std::size_t most);

  // Is it built as a constant? One that is not may still never change.
  bool is_constant(Formula formula, bool value) const { return formula == constant(value); }
  // What must all be true for it to be, each as small as its gates show it.
  std::vector<Formula> conjuncts(Formula formula) const;
  // The variables that it is built from, in order.
  std::vector<std::uint32_t> support(Formula formula) const;

  // ---- What formulas are made of, for those who read them
  using Gate = std::uint32_t;  // operands come before the gates that use them; gate 0 is false
  struct Inputs {
    std::uint32_t left, right;  // codes of formulas; of a variable: its number, and kVariable
  };
  static constexpr std::uint32_t kVariable = UINT32_MAX;
  std::size_t size() const { return gates_.size(); }
  const Inputs& inputs(Gate gate) const { return gates_[gate]; }
  bool is_variable(Gate gate) const { return gates_[gate].right == kVariable; }
  const std::vector<Gate>& variables() const { return variables_; }  // their gates, as they were made
  static std::uint32_t code(Formula formula) { return formula.index_; }
  static Formula formula(std::uint32_t code) { return Formula(code); }
  static Gate gate_of(Formula formula) { return formula.index_ >> 1; }
  static bool is_inverted(Formula formula) { return (formula.index_ & 1) != 0; }

 private:
  std::uint32_t gate(std::uint32_t left, std::uint32_t right);

  std::size_t budget_;
  std::vector<Inputs> gates_;
  std::vector<Gate> variables_;
  std::vector<std::uint32_t> gate_of_variable_;  // by number
  std::vector<std::uint32_t> table_;             // gates by hash of their inputs: open addressing, at most half full
};

// What formulas are for given values of the variables, by number; those without one are false.
class Valuation {
 public:
  Valuation(const Circuit& circuit, std::vector<bool> values) : circuit_(circuit), values_(std::move(values)) {}
  Answer of(Formula formula);  // unknown if the formula is

 private:
  const Circuit& circuit_;
  std::vector<bool> values_;
  std::vector<unsigned char> of_gates_;  // as far as they were asked for
};

// Formulas of one circuit as formulas of another, with something in place of each variable.
class Copy {
 public:
  // `values`: of each variable by number, in the circuit that is copied to; unknown: the variable of that number.
  Copy(const Circuit& from, Circuit& to, std::vector<Formula> values)
      : from_(from), to_(to), values_(std::move(values)) {}
  Formula of(Formula formula);

 private:
  const Circuit& from_;
  Circuit& to_;
  std::vector<Formula> values_;
  std::vector<Formula> copies_;  // of gates
};

// Formulas as functions of diagrams with the same variables; too large ones are unknown.
class Drawing {
 public:
  Drawing(const Circuit& from, Diagrams& to) : from_(from), to_(to) {}
  Function of(Formula formula);

 private:
  const Circuit& from_;
  Diagrams& to_;
  std::vector<Function> drawn_;  // of gates
  std::vector<Circuit::Gate> open_;
};

// A function of diagrams as a formula of the same variables.
Formula formula_of(Circuit& circuit, const Diagrams& diagrams, Function function);

}  // namespace espalier::logic

// A selection tree as functions of its agent's state: where an evaluation comes to, what it selects, and what signals,
// writes and ticks make of the state. The rules are those of lib/runtime/select/walk.cpp.
//
// A state is: the value of each variable; the stored state of each machine; whether the next tick evaluates the tree
// (a variable has changed, or nothing was selected); and of the leaf selected last what is asked for, at least which
// machines it lies below, which is all that an evaluation reads of it. Every combination of values of the state
// variables stands for a state, so no questions have to be limited to those that mean something.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "lint/condition_functions.h"
#include "lint/places.h"
#include "logic/moves.h"

namespace espalier::lint {

// Numbers of state variables, which are even (logic/moves.h).
class StateNumbers {
 public:
  logic::Variable take();
  std::vector<logic::Variable> take(std::size_t count);

 private:
  logic::Variable next_ = 0;
};

// What a state tells of the leaf selected last.
enum class KeptLeaf : std::uint8_t {
  machines,  // the machines it lies below: enough to evaluate
  leaf,      // which leaf it is, or none
};

// The state variables of a tree. Give both parts numbers in the order wanted: those of `own` first is good. Trees that
// share variables may have the same number in `variables`.
struct SelectNumbers {
  std::vector<logic::Variable> own;        // SelectModel::own_count() many
  std::vector<logic::Variable> variables;  // one for each variable of the tree
};

// The variables of a tree in the order of their first use, which is a good one for circuit; unused ones are last.
std::vector<std::uint32_t> variables_in_order(const ir::Tree& tree);
// Numbers for one tree, taken in a good order.
SelectNumbers number_states(const ir::Tree& tree, KeptLeaf kept, StateNumbers& numbers);

struct SelectMachine {
  PlaceIndex place = 0;
  std::vector<logic::Variable> code;     // its stored state in binary, lowest bit first: see SelectModel::stored()
  std::vector<logic::Formula> ends;      // for each state: an evaluation that comes to the machine ends in it
  std::vector<logic::Formula> reads;     // for each state: such an evaluation reads its transitions
  logic::Formula is_active = {};         // the leaf selected last lies below it
  std::vector<logic::Formula> on_cycle;  // for each state: its transitions, followed one by one, lead back to it
};

class SelectModel {
 public:
  // All must outlive the model. Formulas that are too large for the budget of the circuit are unknown.
  SelectModel(const ir::Tree& tree, logic::Circuit& circuit, SelectNumbers numbers, KeptLeaf kept);
  static std::size_t own_count(const ir::Tree& tree, KeptLeaf kept);

  const ir::Tree& tree;
  logic::Circuit& circuit;
  const Places places;  // the nodes, states of machines included, in file order
  const SelectNumbers numbers;

  // ---- One evaluation. It happens in a tick if needs_evaluation() -------------------------------
  // The states from which an evaluation comes to the place and reads its condition; for the place of a State: ends in
  // it.
  logic::Formula evaluated(PlaceIndex place);
  // The same, and the condition holds: for a leaf, the states from which it is selected.
  logic::Formula taken(PlaceIndex place);
  // If an evaluation enters the place, does it select a leaf there?
  logic::Formula selects(PlaceIndex place) const { return selects_[place]; }
  // Does an evaluation that comes to the place select nothing there? So it goes on to the next sibling.
  logic::Formula passes(PlaceIndex place) const { return passes_[place]; }
  // The condition of the place; true if it has none.
  logic::Formula condition(PlaceIndex place) const { return conditions_[place]; }
  logic::Formula condition_function(ir::ConditionIndex index) const { return condition_functions_[index]; }
  // The edges between a machine's states: [s][t], the first transition of s whose condition holds leads to t.
  std::vector<std::vector<logic::Formula>> edges_of(PlaceIndex machine) const;
  // The leaf that an evaluation in this state selects; none: no leaf. `state`: the values of the state variables.
  std::optional<PlaceIndex> selected_in(const std::vector<bool>& state) const;
  const std::vector<SelectMachine>& machines() const { return machines_; }
  const SelectMachine& machine(PlaceIndex place) const;

  // ---- States -----------------------------------------------------------------------------------
  const std::vector<logic::Formula>& variables() const { return values_; }  // of the tree
  logic::Formula stored(const SelectMachine& machine, std::uint32_t state) const;
  logic::Formula needs_evaluation() const;
  logic::Variable pending() const { return pending_; }  // the state variable that says so
  // With KeptLeaf::leaf: was it selected last? kNoPlace: no leaf.
  logic::Formula is_current(PlaceIndex leaf) const;
  // The leaves in file order.
  const std::vector<PlaceIndex>& leaves() const { return leaves_; }

  // ---- Steps ------------------------------------------------------------------------------------
  // Sets the values with which an agent starts.
  void set_start(std::vector<bool>& start) const;
  logic::Move signal(std::uint32_t signal) const;  // of the tree
  // A write that changes the variable's value.
  logic::Move change(std::uint32_t variable) const;
  // A write of this value, which the variable may have already.
  logic::Move write(std::uint32_t variable, bool value) const;
  logic::Move tick();

 private:
  void build_conditions();
  void build_machine(PlaceIndex place, std::vector<logic::Variable> code);
  void build_selects();
  void build_evaluated();
  logic::Formula coded(const std::vector<logic::Variable>& code, std::uint32_t count, std::uint32_t value) const;
  logic::Formula class_bit_after(std::size_t bit) const;

  logic::Variable pending_ = 0;
  std::vector<logic::Formula> values_;
  std::vector<logic::Formula> condition_functions_;  // of Tree::conditions; those of signals' values are unknown
  std::vector<logic::Formula> conditions_;           // of each place
  std::vector<logic::Formula> selects_;
  std::vector<logic::Formula> passes_;
  std::vector<logic::Formula> evaluated_;  // empty: not asked for yet
  std::vector<SelectMachine> machines_;
  std::vector<PlaceIndex> leaves_;
  // Of the leaf selected last the state keeps its class: class 0 is no leaf, or a leaf of which nothing matters.
  std::vector<std::uint32_t> classes_;  // of each place; 0 for all but leaves
  std::uint32_t class_count_ = 1;
  std::vector<logic::Variable> class_code_;
};

}  // namespace espalier::lint

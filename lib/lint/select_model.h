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
#include "logic/reachability.h"

namespace espalier::lint {

// Numbers of state variables, which are even (logic/reachability.h).
class StateNumbers {
 public:
  logic::Variable take();
  std::vector<logic::Variable> take(std::size_t count);

 private:
  std::uint32_t next_ = 0;
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

// The variables of a tree in the order of their first use, which is a good one for diagrams; unused ones are last.
std::vector<std::uint32_t> variables_in_order(const ir::Tree& tree);
// Numbers for one tree, taken in a good order.
SelectNumbers number_states(const ir::Tree& tree, KeptLeaf kept, StateNumbers& numbers);

struct SelectMachine {
  PlaceIndex place = 0;
  std::vector<logic::Variable> code;      // its stored state in binary, lowest bit first: see SelectModel::stored()
  std::vector<logic::Function> ends;      // for each state: an evaluation that comes to the machine ends in it
  std::vector<logic::Function> reads;     // for each state: such an evaluation reads its transitions
  logic::Function is_active = {};         // the leaf selected last lies below it
  std::vector<logic::Function> on_cycle;  // for each state: its transitions, followed one by one, lead back to it
};

class SelectModel {
 public:
  // All must outlive the model. Functions that are too large for the budget of the diagrams are unknown.
  SelectModel(const ir::Tree& tree, logic::Diagrams& diagrams, SelectNumbers numbers, KeptLeaf kept);
  static std::size_t own_count(const ir::Tree& tree, KeptLeaf kept);

  const ir::Tree& tree;
  logic::Diagrams& diagrams;
  const std::vector<Place> places;  // the nodes, states of machines included, in file order
  const SelectNumbers numbers;

  // ---- One evaluation. It happens in a tick if needs_evaluation() -------------------------------
  // The states from which an evaluation comes to the place and reads its condition; for the place of a State: ends in
  // it.
  logic::Function evaluated(PlaceIndex place);
  // The same, and the condition holds: for a leaf, the states from which it is selected.
  logic::Function taken(PlaceIndex place);
  // If an evaluation enters the place, does it select a leaf there?
  logic::Function selects(PlaceIndex place) const { return selects_[place]; }
  // Does an evaluation that comes to the place select nothing there? So it goes on to the next sibling.
  logic::Function passes(PlaceIndex place) const { return passes_[place]; }
  // The condition of the place; true if it has none.
  logic::Function condition(PlaceIndex place) const { return conditions_[place]; }
  logic::Function condition_function(ir::ConditionIndex index) const { return condition_functions_[index]; }
  // evaluated() in parts, which must all be true: each is far smaller than their conjunction.
  std::vector<logic::Function> parts_of_evaluated(PlaceIndex place) const;
  // The edges between a machine's states: [s][t], the first transition of s whose condition holds leads to t.
  std::vector<std::vector<logic::Function>> edges_of(PlaceIndex machine) const;
  // The leaf that an evaluation in this state selects; none: no leaf. `state`: the values of the state variables.
  std::optional<PlaceIndex> selected_in(const std::vector<bool>& state) const;
  const std::vector<SelectMachine>& machines() const { return machines_; }
  const SelectMachine& machine(PlaceIndex place) const;

  // ---- States -----------------------------------------------------------------------------------
  const std::vector<logic::Function>& variables() const { return values_; }  // of the tree
  logic::Function stored(const SelectMachine& machine, std::uint32_t state) const;
  logic::Function needs_evaluation() const;
  // With KeptLeaf::leaf: was it selected last? kNoPlace: no leaf.
  logic::Function is_current(PlaceIndex leaf) const;
  // The leaves in file order.
  const std::vector<PlaceIndex>& leaves() const { return leaves_; }

  // ---- Steps ------------------------------------------------------------------------------------
  // Sets the values with which an agent starts.
  void set_start(std::vector<bool>& start) const;
  logic::Step signal(std::uint32_t signal) const;  // of the tree
  // A write that changes the variable's value.
  logic::Step change(std::uint32_t variable) const;
  // A write of this value, which the variable may have already.
  logic::Step write(std::uint32_t variable, bool value) const;
  logic::Step tick();

 private:
  void build_conditions();
  void build_machine(PlaceIndex place, std::vector<logic::Variable> code);
  void build_selects();
  void build_evaluated();
  logic::Function coded(const std::vector<logic::Variable>& code, std::uint32_t count, std::uint32_t value) const;
  logic::Function class_bit_after(std::size_t bit) const;

  logic::Variable pending_ = 0;
  std::vector<logic::Function> values_;
  std::vector<logic::Function> condition_functions_;  // of Tree::conditions; those of signals' values are unknown
  std::vector<logic::Function> conditions_;           // of each place
  std::vector<logic::Function> selects_;
  std::vector<logic::Function> passes_;
  std::vector<logic::Function> evaluated_;  // empty: not asked for yet
  std::vector<SelectMachine> machines_;
  std::vector<PlaceIndex> leaves_;
  // Of the leaf selected last the state keeps its class: class 0 is no leaf, or a leaf of which nothing matters.
  std::vector<std::uint32_t> classes_;  // of each place; 0 for all but leaves
  std::uint32_t class_count_ = 1;
  std::vector<logic::Variable> class_code_;
};

}  // namespace espalier::lint

// A selection tree as functions. See model.h.
#include "lint/select/model.h"

#include <algorithm>
#include <utility>

#include "lint/select/machine.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::lint {
namespace {

using logic::Circuit;
using logic::Formula;
using logic::Variable;

constexpr std::uint32_t kNoMachine = 0xFFFFFFFF;

std::size_t bits_for(std::size_t count) {
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < count) ++bits;
  return bits;
}

// The classes of leaves: of each place, 0 for all but leaves. Two leaves have one class if they lie below the same
// machines, or if each leaf has its own.
std::vector<std::uint32_t> classes_of(const Places& places, KeptLeaf kept, std::uint32_t& class_count) {
  std::vector<std::uint32_t> innermost(places.size(), kNoMachine);  // the machine around each place
  std::vector<std::uint32_t> class_of_machine(places.size(), 0);
  std::vector<std::uint32_t> classes(places.size(), 0);
  class_count = 1;
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    if (places[i].parent != kNoPlace) {
      const PlaceIndex parent = places[i].parent;
      innermost[i] = places[parent].node->opcode == opcode::select_machine ? parent : innermost[parent];
    }
    if (places[i].node->opcode != opcode::select_leaf) continue;
    if (kept == KeptLeaf::leaf) {
      classes[i] = class_count++;
    } else if (innermost[i] != kNoMachine) {
      std::uint32_t& of_machine = class_of_machine[innermost[i]];
      if (of_machine == 0) of_machine = class_count++;
      classes[i] = of_machine;
    }
  }
  return classes;
}

}  // namespace

// ---- Numbers ------------------------------------------------------------------------------------

Variable StateNumbers::take() {
  const Variable number = next_;
  next_ += 2;
  return number;
}

std::vector<Variable> StateNumbers::take(std::size_t count) {
  std::vector<Variable> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(take());
  return result;
}

std::vector<std::uint32_t> variables_in_order(const ir::Tree& tree) {
  std::vector<std::uint32_t> result;
  std::vector<bool> is_known(tree.variables.size());
  const auto add = [&](ir::ConditionIndex condition) {
    add_variables_in_order(&tree.conditions[condition], is_known, result);
  };
  for (const Place& place : Places(tree.root())) {
    if (const auto condition = condition_of(*place.node)) add(*condition);
    const auto* transitions = place.node->as_if<ir::Transitions>();
    if (transitions == nullptr) continue;
    for (const ir::Transition& transition : transitions->transitions) add(transition.condition);
  }
  for (const ir::Signal& signal : tree.signals) {
    for (const ir::Assignment& assignment : signal.assignments) add(assignment.condition);
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    if (!is_known[i]) result.push_back(i);
  }
  return result;
}

SelectNumbers number_states(const ir::Tree& tree, KeptLeaf kept, StateNumbers& numbers) {
  SelectNumbers result;
  result.own = numbers.take(SelectModel::own_count(tree, kept));
  result.variables.resize(tree.variables.size());
  for (const std::uint32_t variable : variables_in_order(tree)) result.variables[variable] = numbers.take();
  return result;
}

std::size_t SelectModel::own_count(const ir::Tree& tree, KeptLeaf kept) {
  const Places places(tree.root());
  std::uint32_t class_count = 0;
  classes_of(places, kept, class_count);
  std::size_t result = 1 + bits_for(class_count);
  for (const Place& place : places) {
    if (place.node->opcode == opcode::select_machine) result += bits_for(place.children.size());
  }
  return result;
}

// ---- Building -----------------------------------------------------------------------------------

SelectModel::SelectModel(const ir::Tree& selecting, Circuit& all_gates, SelectNumbers all_numbers, KeptLeaf kept)
    : tree(selecting), circuit(all_gates), places(selecting.root()), numbers(std::move(all_numbers)) {
  for (const Variable variable : numbers.variables) values_.push_back(circuit.variable(variable));
  classes_ = classes_of(places, kept, class_count_);
  auto own = numbers.own.begin();
  const auto take_code = [&](std::size_t count) {
    const auto begin = own;
    own += static_cast<std::ptrdiff_t>(bits_for(count));
    return std::vector<Variable>(begin, own);
  };
  pending_ = *own++;
  class_code_ = take_code(class_count_);
  build_conditions();
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    if (places[i].node->opcode == opcode::select_leaf) leaves_.push_back(i);
    if (places[i].node->opcode == opcode::select_machine) build_machine(i, take_code(places[i].children.size()));
  }
  build_selects();
}

// Copies of shared blocks have the same conditions, which are made once.
void SelectModel::build_conditions() {
  std::vector<std::optional<Formula>> made(tree.conditions.size());
  condition_functions_.resize(tree.conditions.size());
  const auto make = [&](ir::ConditionIndex index) {
    if (!made[index]) made[index] = function_of(&tree.conditions[index], values_, circuit);
    condition_functions_[index] = *made[index];
    return *made[index];
  };
  for (const Place& place : places) {
    const auto condition = condition_of(*place.node);
    conditions_.push_back(condition ? make(*condition) : circuit.constant(true));
    const auto* transitions = place.node->as_if<ir::Transitions>();
    if (transitions == nullptr) continue;
    for (const ir::Transition& transition : transitions->transitions) make(transition.condition);
  }
}

std::vector<Formulas> SelectModel::edges_of(PlaceIndex machine) const {
  const std::span<const PlaceIndex> states = places[machine].children;
  std::vector<Formulas> edges(states.size(), Formulas(states.size(), circuit.constant(false)));
  for (std::size_t from = 0; from < states.size(); ++from) {
    Formula is_left = circuit.constant(true);  // for the transitions that come next
    for (const ir::Transition& transition : places[states[from]].node->as<ir::Transitions>().transitions) {
      const Formula holds = condition_functions_[transition.condition];
      Formula& edge = edges[from][transition.target];
      edge = circuit.disjunction(edge, circuit.conjunction(is_left, holds));
      is_left = circuit.conjunction(is_left, circuit.negation(holds));
    }
  }
  return edges;
}

void SelectModel::build_machine(PlaceIndex place, std::vector<Variable> code) {
  SelectMachine machine;
  machine.place = place;
  machine.code = std::move(code);
  Formula is_active = circuit.constant(false);
  std::vector<bool> is_counted(class_count_);
  for (PlaceIndex i = place; i < places[place].end; ++i) {
    if (classes_[i] == 0 || is_counted[classes_[i]]) continue;
    is_counted[classes_[i]] = true;
    is_active = circuit.disjunction(is_active, coded(class_code_, class_count_, classes_[i]));
  }
  const auto count = static_cast<std::uint32_t>(places[place].children.size());
  Formulas stored;
  for (std::uint32_t state = 0; state < count; ++state) stored.push_back(coded(machine.code, count, state));
  const MachineFlow flow(circuit, edges_of(place));
  machine.is_active = is_active;
  machine.ends = flow.ends(is_active, stored);
  machine.reads = flow.reads(is_active, stored);
  for (std::uint32_t state = 0; state < count; ++state) machine.on_cycle.push_back(flow.is_on_cycle(state));
  machines_.push_back(std::move(machine));
}

void SelectModel::build_selects() {
  selects_.resize(places.size());
  passes_.resize(places.size());
  for (std::size_t i = places.size(); i-- > 0;) {
    const Place& place = places[i];
    Formula& selects = selects_[i];
    if (place.node->opcode == opcode::select_machine) {
      // An evaluation ends in exactly one state: if each of them selects, so does the machine.
      Formula selects_none = circuit.constant(false);
      const SelectMachine& machine = this->machine(static_cast<PlaceIndex>(i));
      for (std::size_t child = place.children.size(); child-- > 0;) {
        const Formula passes = circuit.negation(selects_[place.children[child]]);
        selects_none = circuit.disjunction(circuit.conjunction(machine.ends[child], passes), selects_none);
      }
      selects = circuit.negation(selects_none);
    } else {
      selects = circuit.constant(place.node->opcode == opcode::select_leaf);
      for (std::size_t child = place.children.size(); child-- > 0;) {
        const PlaceIndex at = place.children[child];
        selects = circuit.disjunction(circuit.conjunction(conditions_[at], selects_[at]), selects);
      }
    }
    passes_[i] = circuit.negation(circuit.conjunction(conditions_[i], selects));
  }
}

// ---- One evaluation -----------------------------------------------------------------------------

void SelectModel::build_evaluated() {
  evaluated_.assign(places.size(), circuit.constant(true));
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    const SelectMachine* machine = place.node->opcode == opcode::select_machine ? &this->machine(i) : nullptr;
    Formula left = circuit.conjunction(evaluated_[i], conditions_[i]);
    for (std::size_t child = 0; child < place.children.size(); ++child) {
      const PlaceIndex at = place.children[child];
      evaluated_[at] = machine != nullptr ? circuit.conjunction(left, machine->ends[child]) : left;
      if (machine != nullptr || child + 1 == place.children.size()) continue;
      left = circuit.conjunction(left, passes_[at]);
    }
  }
}

Formula SelectModel::evaluated(PlaceIndex place) {
  if (evaluated_.empty()) build_evaluated();
  return evaluated_[place];
}

Formula SelectModel::taken(PlaceIndex place) { return circuit.conjunction(evaluated(place), conditions_[place]); }

std::optional<PlaceIndex> SelectModel::selected_in(const std::vector<bool>& state) const {
  logic::Valuation values(circuit, state);
  const auto is = [&](Formula formula) { return values.of(formula) == logic::Answer::yes; };
  PlaceIndex at = 0;
  while (places[at].node->opcode != opcode::select_leaf) {
    const SelectMachine* inside = places[at].node->opcode == opcode::select_machine ? &machine(at) : nullptr;
    const std::span<const PlaceIndex> children = places[at].children;
    const auto next = std::find_if(children.begin(), children.end(), [&](PlaceIndex child) {
      const bool enters = inside != nullptr ? is(inside->ends[places[child].number]) : is(conditions_[child]);
      return enters && is(selects_[child]);
    });
    if (next == children.end()) return std::nullopt;
    at = *next;
  }
  return at;
}

const SelectMachine& SelectModel::machine(PlaceIndex place) const {
  return *std::lower_bound(machines_.begin(), machines_.end(), place,
                           [](const SelectMachine& before, PlaceIndex at) { return before.place < at; });
}

// ---- States -------------------------------------------------------------------------------------

// The last value stands for all codes from its own on.
Formula SelectModel::coded(const std::vector<Variable>& code, std::uint32_t count, std::uint32_t value) const {
  const auto exactly = [&](std::uint32_t number) {
    std::vector<logic::Literal> literals;
    for (std::size_t bit = 0; bit < code.size(); ++bit) literals.push_back({code[bit], (number >> bit & 1) != 0});
    return circuit.all_of(literals);
  };
  Formula result = exactly(value);
  if (value + 1 < count) return result;
  for (std::uint32_t other = count; other < (std::uint32_t{1} << code.size()); ++other) {
    result = circuit.disjunction(result, exactly(other));
  }
  return result;
}

Formula SelectModel::stored(const SelectMachine& machine, std::uint32_t state) const {
  return coded(machine.code, static_cast<std::uint32_t>(places[machine.place].children.size()), state);
}

Formula SelectModel::needs_evaluation() const { return circuit.variable(pending_); }

Formula SelectModel::is_current(PlaceIndex leaf) const {
  return coded(class_code_, class_count_, leaf == kNoPlace ? 0 : classes_[leaf]);
}

// ---- Steps --------------------------------------------------------------------------------------

void SelectModel::set_start(std::vector<bool>& start) const {
  const auto set = [&](Variable variable, bool value) {
    if (start.size() <= variable) start.resize(variable + std::size_t{1});
    start[variable] = value;
  };
  for (const Variable variable : numbers.own) set(variable, variable == pending_);
  for (std::size_t i = 0; i < numbers.variables.size(); ++i) set(numbers.variables[i], tree.variables[i].initial);
}

// A change counts even if a later assignment takes it back.
logic::Move SelectModel::signal(std::uint32_t signal) const {
  Formulas values = values_;
  Formula is_pending = needs_evaluation();
  std::vector<std::uint32_t> set;
  for (const ir::Assignment& assignment : tree.signals[signal].assignments) {
    const Formula value = function_of(&tree.conditions[assignment.condition], values, circuit);
    Formula& old = values[assignment.variable];
    is_pending = circuit.disjunction(is_pending, circuit.exclusive(old, value));
    set.push_back(assignment.variable);
    old = value;
  }
  logic::Move step = {{pending_, is_pending}};
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  for (const std::uint32_t variable : set) step.push_back({numbers.variables[variable], values[variable]});
  return step;
}

logic::Move SelectModel::change(std::uint32_t variable) const {
  return {{numbers.variables[variable], circuit.negation(values_[variable])}, {pending_, circuit.constant(true)}};
}

logic::Move SelectModel::write(std::uint32_t variable, bool value) const {
  const Formula constant = circuit.constant(value);
  const Formula changes = circuit.exclusive(values_[variable], constant);
  return {{numbers.variables[variable], constant}, {pending_, circuit.disjunction(needs_evaluation(), changes)}};
}

// Whether the class of the leaf that an evaluation selects has this bit; no leaf has class 0. Found from the last
// sibling to the first: each decides if it selects, and else leaves it to the next.
Formula SelectModel::class_bit_after(std::size_t bit) const {
  Formulas has_bit(places.size());
  for (std::size_t i = places.size(); i-- > 0;) {
    const Place& place = places[i];
    has_bit[i] = circuit.constant((classes_[i] >> bit & 1) != 0);
    const SelectMachine* machine =
        place.node->opcode == opcode::select_machine ? &this->machine(static_cast<PlaceIndex>(i)) : nullptr;
    for (std::size_t child = place.children.size(); child-- > 0;) {
      const PlaceIndex at = place.children[child];
      const Formula selects =
          machine != nullptr ? machine->ends[child] : circuit.conjunction(conditions_[at], selects_[at]);
      has_bit[i] = circuit.choice(selects, has_bit[at], has_bit[i]);
    }
  }
  return has_bit.front();
}

logic::Move SelectModel::tick() {
  const Formula evaluates = needs_evaluation();
  logic::Move step = {{pending_, circuit.conjunction(evaluates, circuit.negation(selects_.front()))}};
  const auto set_bit = [&](Variable bit, Formula when, Formula value) {
    step.push_back({bit, circuit.choice(circuit.conjunction(evaluates, when), value, circuit.variable(bit))});
  };
  for (std::size_t bit = 0; bit < class_code_.size(); ++bit) {
    set_bit(class_code_[bit], circuit.constant(true), class_bit_after(bit));
  }
  for (const SelectMachine& machine : machines_) {
    for (std::size_t bit = 0; bit < machine.code.size(); ++bit) {
      Formula has_bit = circuit.constant(false);
      for (std::size_t state = 0; state < machine.ends.size(); ++state) {
        if ((state >> bit & 1) != 0) has_bit = circuit.disjunction(has_bit, machine.ends[state]);
      }
      set_bit(machine.code[bit], taken(machine.place), has_bit);
    }
  }
  return step;
}

}  // namespace espalier::lint

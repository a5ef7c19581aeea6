// A selection tree as functions. See select_model.h.
#include "lint/select_model.h"

#include <algorithm>
#include <utility>

#include "lint/select_machine.h"

namespace espalier::lint {
namespace {

using logic::Diagrams;
using logic::Function;
using logic::Variable;

constexpr std::uint32_t kNoMachine = 0xFFFFFFFF;

std::size_t bits_for(std::size_t count) {
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < count) ++bits;
  return bits;
}

// The classes of leaves: of each place, 0 for all but leaves. Two leaves have one class if they lie below the same
// machines, or if each leaf has its own.
std::vector<std::uint32_t> classes_of(const std::vector<Place>& places, KeptLeaf kept, std::uint32_t& class_count) {
  std::vector<std::uint32_t> innermost(places.size(), kNoMachine);  // the machine around each place
  std::vector<std::uint32_t> class_of_machine(places.size(), 0);
  std::vector<std::uint32_t> classes(places.size(), 0);
  class_count = 1;
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    if (places[i].parent != kNoPlace) {
      const PlaceIndex parent = places[i].parent;
      innermost[i] = places[parent].node->opcode == Opcode::select_machine ? parent : innermost[parent];
    }
    if (places[i].node->opcode != Opcode::select_leaf) continue;
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
  const std::uint32_t number = next_;
  if (next_ < logic::kMaxVariables) next_ += 2;
  return static_cast<Variable>(number);
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
  for (const Place& place : lay_out(tree.root)) {
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
  const std::vector<Place> places = lay_out(tree.root);
  std::uint32_t class_count = 0;
  classes_of(places, kept, class_count);
  std::size_t result = 1 + bits_for(class_count);
  for (const Place& place : places) {
    if (place.node->opcode == Opcode::select_machine) result += bits_for(place.children.size());
  }
  return result;
}

// ---- Building -----------------------------------------------------------------------------------

SelectModel::SelectModel(const ir::Tree& selecting, Diagrams& all_diagrams, SelectNumbers all_numbers, KeptLeaf kept)
    : tree(selecting), diagrams(all_diagrams), places(lay_out(selecting.root)), numbers(std::move(all_numbers)) {
  for (const Variable variable : numbers.variables) values_.push_back(diagrams.variable(variable));
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
    if (places[i].node->opcode == Opcode::select_leaf) leaves_.push_back(i);
    if (places[i].node->opcode == Opcode::select_machine) build_machine(i, take_code(places[i].children.size()));
  }
  build_selects();
}

// Copies of shared blocks have the same conditions, which are made once.
void SelectModel::build_conditions() {
  std::vector<std::optional<Function>> made(tree.conditions.size());
  condition_functions_.resize(tree.conditions.size());
  const auto make = [&](ir::ConditionIndex index) {
    if (!made[index]) made[index] = function_of(&tree.conditions[index], values_, diagrams);
    condition_functions_[index] = *made[index];
    return *made[index];
  };
  for (const Place& place : places) {
    const auto condition = condition_of(*place.node);
    conditions_.push_back(condition ? make(*condition) : diagrams.constant(true));
    const auto* transitions = place.node->as_if<ir::Transitions>();
    if (transitions == nullptr) continue;
    for (const ir::Transition& transition : transitions->transitions) make(transition.condition);
  }
}

std::vector<Functions> SelectModel::edges_of(PlaceIndex machine) const {
  const std::vector<PlaceIndex>& states = places[machine].children;
  std::vector<Functions> edges(states.size(), Functions(states.size(), diagrams.constant(false)));
  for (std::size_t from = 0; from < states.size(); ++from) {
    Function is_left = diagrams.constant(true);  // for the transitions that come next
    for (const ir::Transition& transition : places[states[from]].node->as<ir::Transitions>().transitions) {
      const Function holds = condition_functions_[transition.condition];
      Function& edge = edges[from][transition.target];
      edge = diagrams.disjunction(edge, diagrams.conjunction(is_left, holds));
      is_left = diagrams.conjunction(is_left, diagrams.negation(holds));
    }
  }
  return edges;
}

void SelectModel::build_machine(PlaceIndex place, std::vector<Variable> code) {
  SelectMachine machine;
  machine.place = place;
  machine.code = std::move(code);
  Function is_active = diagrams.constant(false);
  std::vector<bool> is_counted(class_count_);
  for (PlaceIndex i = place; i < places[place].end; ++i) {
    if (classes_[i] == 0 || is_counted[classes_[i]]) continue;
    is_counted[classes_[i]] = true;
    is_active = diagrams.disjunction(is_active, coded(class_code_, class_count_, classes_[i]));
  }
  const auto count = static_cast<std::uint32_t>(places[place].children.size());
  Functions stored;
  for (std::uint32_t state = 0; state < count; ++state) stored.push_back(coded(machine.code, count, state));
  const MachineFlow flow(diagrams, edges_of(place));
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
    Function& selects = selects_[i];
    selects = diagrams.constant(place.node->opcode == Opcode::select_leaf);
    const SelectMachine* machine =
        place.node->opcode == Opcode::select_machine ? &this->machine(static_cast<PlaceIndex>(i)) : nullptr;
    for (std::size_t child = place.children.size(); child-- > 0;) {
      const PlaceIndex at = place.children[child];
      const Function enters = machine != nullptr ? machine->ends[child] : conditions_[at];
      selects = diagrams.disjunction(diagrams.conjunction(enters, selects_[at]), selects);
    }
    passes_[i] = diagrams.negation(diagrams.conjunction(conditions_[i], selects));
  }
}

// ---- One evaluation -----------------------------------------------------------------------------

void SelectModel::build_evaluated() {
  evaluated_.assign(places.size(), diagrams.constant(true));
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    const SelectMachine* machine = place.node->opcode == Opcode::select_machine ? &this->machine(i) : nullptr;
    Function left = diagrams.conjunction(evaluated_[i], conditions_[i]);
    for (std::size_t child = 0; child < place.children.size(); ++child) {
      const PlaceIndex at = place.children[child];
      evaluated_[at] = machine != nullptr ? diagrams.conjunction(left, machine->ends[child]) : left;
      if (machine != nullptr || child + 1 == place.children.size()) continue;
      left = diagrams.conjunction(left, passes_[at]);
    }
  }
}

Function SelectModel::evaluated(PlaceIndex place) {
  if (evaluated_.empty()) build_evaluated();
  return evaluated_[place];
}

Function SelectModel::taken(PlaceIndex place) { return diagrams.conjunction(evaluated(place), conditions_[place]); }

Functions SelectModel::parts_of_evaluated(PlaceIndex place) const {
  Functions parts;
  for (PlaceIndex at = place; places[at].parent != kNoPlace; at = places[at].parent) {
    const PlaceIndex parent = places[at].parent;
    parts.push_back(conditions_[parent]);
    if (places[parent].node->opcode == Opcode::select_machine) {
      parts.push_back(machine(parent).ends[places[at].number]);
      continue;
    }
    for (const PlaceIndex sibling : places[parent].children) {
      if (sibling == at) break;
      parts.push_back(passes_[sibling]);
    }
  }
  return parts;
}

std::optional<PlaceIndex> SelectModel::selected_in(const std::vector<bool>& state) const {
  const auto is = [&](Function function) { return diagrams.value(function, state) == logic::Answer::yes; };
  PlaceIndex at = 0;
  while (places[at].node->opcode != Opcode::select_leaf) {
    const SelectMachine* inside = places[at].node->opcode == Opcode::select_machine ? &machine(at) : nullptr;
    const std::vector<PlaceIndex>& children = places[at].children;
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
Function SelectModel::coded(const std::vector<Variable>& code, std::uint32_t count, std::uint32_t value) const {
  const auto exactly = [&](std::uint32_t number) {
    std::vector<logic::Literal> literals;
    for (std::size_t bit = 0; bit < code.size(); ++bit) literals.push_back({code[bit], (number >> bit & 1) != 0});
    return diagrams.all_of(literals);
  };
  Function result = exactly(value);
  if (value + 1 < count) return result;
  for (std::uint32_t other = count; other < (std::uint32_t{1} << code.size()); ++other) {
    result = diagrams.disjunction(result, exactly(other));
  }
  return result;
}

Function SelectModel::stored(const SelectMachine& machine, std::uint32_t state) const {
  return coded(machine.code, static_cast<std::uint32_t>(places[machine.place].children.size()), state);
}

Function SelectModel::needs_evaluation() const { return diagrams.variable(pending_); }

Function SelectModel::is_current(PlaceIndex leaf) const {
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
logic::Step SelectModel::signal(std::uint32_t signal) const {
  Functions values = values_;
  Function is_pending = needs_evaluation();
  std::vector<std::uint32_t> set;
  for (const ir::Assignment& assignment : tree.signals[signal].assignments) {
    const Function value = function_of(&tree.conditions[assignment.condition], values, diagrams);
    Function& old = values[assignment.variable];
    is_pending = diagrams.disjunction(is_pending, diagrams.exclusive(old, value));
    set.push_back(assignment.variable);
    old = value;
  }
  logic::Step step = {{pending_, is_pending}};
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  for (const std::uint32_t variable : set) step.push_back({numbers.variables[variable], values[variable]});
  return step;
}

logic::Step SelectModel::change(std::uint32_t variable) const {
  return {{numbers.variables[variable], diagrams.negation(values_[variable])}, {pending_, diagrams.constant(true)}};
}

logic::Step SelectModel::write(std::uint32_t variable, bool value) const {
  const Function constant = diagrams.constant(value);
  const Function changes = diagrams.exclusive(values_[variable], constant);
  return {{numbers.variables[variable], constant}, {pending_, diagrams.disjunction(needs_evaluation(), changes)}};
}

// Whether the class of the leaf that an evaluation selects has this bit; no leaf has class 0. Found from the last
// sibling to the first: each decides if it selects, and else leaves it to the next.
Function SelectModel::class_bit_after(std::size_t bit) const {
  Functions has_bit(places.size());
  for (std::size_t i = places.size(); i-- > 0;) {
    const Place& place = places[i];
    has_bit[i] = diagrams.constant((classes_[i] >> bit & 1) != 0);
    const SelectMachine* machine =
        place.node->opcode == Opcode::select_machine ? &this->machine(static_cast<PlaceIndex>(i)) : nullptr;
    for (std::size_t child = place.children.size(); child-- > 0;) {
      const PlaceIndex at = place.children[child];
      const Function selects =
          machine != nullptr ? machine->ends[child] : diagrams.conjunction(conditions_[at], selects_[at]);
      has_bit[i] = diagrams.choice(selects, has_bit[at], has_bit[i]);
    }
  }
  return has_bit.front();
}

logic::Step SelectModel::tick() {
  const Function evaluates = needs_evaluation();
  logic::Step step = {{pending_, diagrams.conjunction(evaluates, diagrams.negation(selects_.front()))}};
  const auto set_bit = [&](Variable bit, Function when, Function value) {
    step.push_back({bit, diagrams.choice(diagrams.conjunction(evaluates, when), value, diagrams.variable(bit))});
  };
  for (std::size_t bit = 0; bit < class_code_.size(); ++bit) {
    set_bit(class_code_[bit], diagrams.constant(true), class_bit_after(bit));
  }
  for (const SelectMachine& machine : machines_) {
    for (std::size_t bit = 0; bit < machine.code.size(); ++bit) {
      Function has_bit = diagrams.constant(false);
      for (std::size_t state = 0; state < machine.ends.size(); ++state) {
        if ((state >> bit & 1) != 0) has_bit = diagrams.disjunction(has_bit, machine.ends[state]);
      }
      set_bit(machine.code[bit], taken(machine.place), has_bit);
    }
  }
  return step;
}

}  // namespace espalier::lint

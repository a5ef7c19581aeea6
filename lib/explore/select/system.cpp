// State variables, steps and shortest traces. See system.h.
#include "explore/select/system.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "explore/select/lift.h"
#include "explore/tracker.h"
#include "lint/condition_functions.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::explore {
namespace {

using logic::Formula;
using Formulas = std::vector<Formula>;

constexpr std::uint64_t kStepsOfState = 16;          // a state of the budget allows so many steps of diagrams
constexpr std::uint64_t kStepsOfMillisecond = 2000;  // about as many as are made
constexpr std::size_t kMostGates = 3'000'000;
constexpr std::size_t kMostSteps = 2'000'000;     // of diagrams; what takes more is asked of a solver
constexpr int kConflicts = 20'000;                // of a solver, for one question
constexpr double kMaxCount = 9007199254740992.0;  // 2^53

std::uint32_t id_in(const Side& side, std::uint32_t variable) { return side.variables[variable]; }

constexpr Step kTickStep{.kind = StepKind::tick, .agent = kAllAgents, .time_us = 100'000};  // as in a search

// ---- Which variables have the same value in both versions ---------------------------------------

class Sharing {
 public:
  Sharing(const World& world, const std::vector<ir::Tree>& trees) : world_(world), trees_(trees) {
    const Side& before = world.sides().front();
    const Side& after = world.sides().back();
    for (std::uint32_t i = 0; i < world.variables().size(); ++i) {
      const bool is_in_both = id_in(before, i) != kNoValue && id_in(after, i) != kNoValue;
      is_shared.push_back(is_in_both && trees.front().variables[id_in(before, i)].initial ==
                                            trees.back().variables[id_in(after, i)].initial);
    }
    // What a signal makes of one variable may depend on others that differ.
    while (!is_stable()) {
    }
  }

  std::vector<bool> is_shared;  // by number in the world

 private:
  static constexpr std::size_t kBudget = 1'000'000;

  bool is_stable() {
    logic::Circuit circuit(kBudget);
    logic::Questions questions(circuit, kConflicts);
    bool is_stable = true;
    for (std::uint32_t signal = 0; signal < world_.signals().size(); ++signal) {
      const Formulas before = values_after(0, signal, circuit);
      const Formulas after = values_after(world_.sides().size() - 1, signal, circuit);
      for (std::size_t i = 0; i < is_shared.size(); ++i) {
        if (!is_shared[i] || questions.is_equal(before[i], after[i]) == logic::Answer::yes) continue;
        is_shared[i] = false;
        is_stable = false;
      }
    }
    return is_stable;
  }

  Formulas values_after(std::size_t side, std::uint32_t signal, logic::Circuit& circuit) const {
    const Side& in = world_.sides()[side];
    const ir::Tree& tree = trees_[side];
    Formulas values(tree.variables.size());
    for (std::uint32_t i = 0; i < is_shared.size(); ++i) {
      const std::size_t number = std::size_t{2} * i + (is_shared[i] ? 0 : side);
      if (id_in(in, i) != kNoValue) values[id_in(in, i)] = circuit.variable(static_cast<logic::Variable>(number));
    }
    if (in.signals[signal] != kNoValue) {
      for (const ir::Assignment& assignment : tree.signals[in.signals[signal]].assignments) {
        values[assignment.variable] = lint::function_of(&tree.conditions[assignment.condition], values, circuit);
      }
    }
    Formulas result(is_shared.size());
    for (std::uint32_t i = 0; i < is_shared.size(); ++i) {
      if (id_in(in, i) != kNoValue) result[i] = values[id_in(in, i)];
    }
    return result;
  }

  const World& world_;
  const std::vector<ir::Tree>& trees_;
};

// ---- Leaves that are shown without an evaluation ------------------------------------------------

// For each place: the leaf selected last, after which nothing has changed, lies below it, with no machine between. The
// values of the variables are still those for which it was selected, so it is the first one to which conditions lead
// in the stored state of the innermost machine around it.
Formulas kept_places(lint::SelectModel& model) {
  logic::Circuit& circuit = model.circuit;
  const lint::Places& places = model.places;
  Formulas selects(places.size(), circuit.constant(false));
  for (std::size_t i = places.size(); i-- > 0;) {
    if (places[i].node->opcode == opcode::select_machine) continue;
    if (places[i].node->opcode == opcode::select_leaf) selects[i] = circuit.constant(true);
    for (const lint::PlaceIndex child : places[i].children) {
      const Formula enters = circuit.conjunction(model.condition(child), selects[child]);
      selects[i] = circuit.disjunction(selects[i], enters);
    }
  }
  // The innermost machine around the leaf is this one; kNoPlace: there is none.
  const auto is_innermost = [&](lint::PlaceIndex machine) {
    Formula result = circuit.constant(true);
    for (const lint::SelectMachine& other : model.machines()) {
      const bool is_inside = machine == lint::kNoPlace || (other.place > machine && other.place < places[machine].end);
      if (other.place == machine) result = circuit.conjunction(result, other.is_active);
      if (is_inside) result = circuit.conjunction(result, circuit.negation(other.is_active));
    }
    return result;
  };
  Formulas kept(places.size(), circuit.constant(false));
  kept.front() = is_innermost(lint::kNoPlace);
  for (lint::PlaceIndex i = 0; i < places.size(); ++i) {
    const std::span<const lint::PlaceIndex> children = places[i].children;
    if (places[i].node->opcode == opcode::select_machine) {
      const Formula here = is_innermost(i);
      for (std::uint32_t state = 0; state < children.size(); ++state) {
        kept[children[state]] = circuit.conjunction(here, model.stored(model.machine(i), state));
      }
      continue;
    }
    Formula left = kept[i];
    for (const lint::PlaceIndex child : children) {
      if (places[child].node->opcode == opcode::select_machine) continue;
      const Formula enters = circuit.conjunction(model.condition(child), selects[child]);
      kept[child] = circuit.conjunction(left, enters);
      left = circuit.conjunction(left, circuit.negation(enters));
    }
  }
  return kept;
}

}  // namespace

std::size_t steps_in(const Budget& budget) {
  std::uint64_t steps = budget.states * kStepsOfState;
  if (budget.milliseconds != 0) steps = std::min(steps, budget.milliseconds * kStepsOfMillisecond);
  return static_cast<std::size_t>(steps);
}

// ---- Building -----------------------------------------------------------------------------------

SelectingSystem::SelectingSystem(const World& world, const Options& options, const Asked& asked)
    : world_(world),
      options_(options),
      asked_(asked),
      circuit_(std::min(kMostGates, steps_in(options.budget))),
      questions_(circuit_, kConflicts) {
  for (const Side& side : world.sides()) trees_.push_back(lifted(side.tree));
  number_variables();
  shown_.resize(models_.size());
  add_steps();
}

void SelectingSystem::number_variables() {
  const std::vector<bool> is_shared = Sharing(world_, trees_).is_shared;
  const std::size_t side_count = trees_.size();
  std::vector<lint::SelectNumbers> numbers(side_count);
  for (std::size_t side = 0; side < side_count; ++side) {
    numbers[side].own = free_.take(lint::SelectModel::own_count(trees_[side], lint::KeptLeaf::machines));
    numbers[side].variables.resize(trees_[side].variables.size());
  }
  numbers_.assign(side_count, std::vector<std::optional<logic::Variable>>(world_.variables().size()));
  for (std::size_t side = 0; side < side_count; ++side) {
    const std::vector<std::uint32_t>& ids = world_.sides()[side].variables;
    for (const std::uint32_t id : lint::variables_in_order(trees_[side])) {
      const auto variable = static_cast<std::uint32_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
      for (std::size_t other = 0; other < side_count; ++other) {
        const std::uint32_t own = world_.sides()[other].variables[variable];
        if (own == kNoValue || numbers_[other][variable]) continue;
        const bool is_numbered = other > 0 && is_shared[variable];
        numbers_[other][variable] = is_numbered ? *numbers_[0][variable] : free_.take();
        numbers[other].variables[own] = *numbers_[other][variable];
      }
    }
  }
  for (std::size_t side = 0; side < side_count; ++side) {
    models_.push_back(std::make_unique<lint::SelectModel>(trees_[side], circuit_, std::move(numbers[side]),
                                                          lint::KeptLeaf::machines));
    models_.back()->set_start(moves_.start);
  }
  if (side_count == 1) moves_.pending = models_.front()->pending();
}

bool SelectingSystem::has_machines() const {
  return std::any_of(models_.begin(), models_.end(), [](const auto& model) { return !model->machines().empty(); });
}

void SelectingSystem::add_step(const Step& step, const std::vector<logic::Move>& of_sides) {
  logic::Move updates;
  for (const logic::Move& side : of_sides) {
    for (const logic::Change& update : side) {
      const auto is_same = [&](const logic::Change& other) { return other.variable == update.variable; };
      if (std::none_of(updates.begin(), updates.end(), is_same)) updates.push_back(update);
    }
  }
  steps_.push_back(step);
  moves_.steps.push_back(std::move(updates));
}

// Two versions may have different values of it.
bool SelectingSystem::is_flipped(std::uint32_t variable) const {
  const std::optional<logic::Variable>& before = numbers_.front()[variable];
  const std::optional<logic::Variable>& after = numbers_.back()[variable];
  return asked_.split != variable && (!before || !after || before == after);
}

// A write that changes nothing is no step of a shortest trace, so one step for each variable changes its value, unless
// it has different values in two versions.
void SelectingSystem::add_steps() {
  const auto of_sides = [&](const auto& updates_of) {
    std::vector<logic::Move> result;
    for (std::size_t side = 0; side < models_.size(); ++side) result.push_back(updates_of(side));
    return result;
  };
  for (const Step& step : world_.steps()) {
    if (step.kind == StepKind::signal) {
      add_step(step, of_sides([&](std::size_t side) {
                 const std::uint32_t own = world_.sides()[side].signals[step.id];
                 return own == kNoValue ? logic::Move{} : models_[side]->signal(own);
               }));
    } else if (step.kind == StepKind::set) {
      if (is_flipped(step.id) && step.value == 0) continue;
      add_step(step, of_sides([&](std::size_t side) {
                 const std::uint32_t own = world_.sides()[side].variables[step.id];
                 return own == kNoValue       ? logic::Move{}
                        : is_flipped(step.id) ? models_[side]->change(own)
                                              : models_[side]->write(own, step.value != 0);
               }));
    } else if (step.kind == StepKind::nothing) {
      add_step(step, of_sides([](std::size_t) { return logic::Move{}; }));
    }
  }
  // Without machines a tick changes nothing that the next one shows.
  if (!has_machines() && !asked_.has_ticks) return;
  moves_.tick = steps_.size();
  add_step(kTickStep, of_sides([&](std::size_t side) { return models_[side]->tick(); }));
}

// ---- What ticks show ----------------------------------------------------------------------------

const Formulas& SelectingSystem::shown_leaves(std::size_t side) {
  Formulas& shown = shown_[side];
  if (!shown.empty()) return shown;
  lint::SelectModel& model = *models_[side];
  // Without machines each evaluation for the same values selects the same.
  const Formulas kept = model.machines().empty() ? Formulas{} : kept_places(model);
  for (const lint::PlaceIndex leaf : model.leaves()) {
    const Formula taken = model.taken(leaf);
    shown.push_back(kept.empty() ? taken : circuit_.choice(model.needs_evaluation(), taken, kept[leaf]));
  }
  return shown;
}

Formula SelectingSystem::shows_nothing(std::size_t side) {
  lint::SelectModel& model = *models_[side];
  const Formula nothing = circuit_.negation(model.selects(0));
  // Without a change since the last update, that one selected a leaf.
  return model.machines().empty() ? nothing : circuit_.conjunction(model.needs_evaluation(), nothing);
}

std::optional<std::uint32_t> SelectingSystem::shown_leaf(std::size_t side, const std::vector<bool>& state) {
  const Formulas& shown = shown_leaves(side);
  logic::Valuation values(circuit_, state);
  const auto is_shown = [&](Formula leaf) { return values.of(leaf) == logic::Answer::yes; };
  const auto found = std::find_if(shown.begin(), shown.end(), is_shown);
  if (found == shown.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - shown.begin());
}

std::optional<SourcePlace> SelectingSystem::shown_place(std::size_t side, const std::vector<bool>& state) {
  std::optional<std::uint32_t> left = shown_leaf(side, state);
  if (!left) return std::nullopt;
  for (const Item& item : track_selecting(world_.sides()[side].tree).items) {
    if (item.kind == ItemKind::leaf && (*left)-- == 0) return item.place;
  }
  return std::nullopt;
}

// ---- What is asked for --------------------------------------------------------------------------

logic::Variable SelectingSystem::add_variable() {
  const logic::Variable variable = free_.take();
  if (moves_.start.size() <= variable) moves_.start.resize(variable + std::size_t{1});
  return variable;
}

void SelectingSystem::add_update(std::size_t step, logic::Variable variable, Formula value) {
  moves_.steps[step].push_back({variable, value});
}

void SelectingSystem::end_at_ticks(Formula states) {
  if (steps_.empty() || steps_.back().kind != StepKind::tick) return;
  const logic::Variable has_ended = add_variable();
  add_update(steps_.size() - 1, has_ended, states);
  moves_.within = circuit_.negation(circuit_.variable(has_ended));
}

// ---- Reachability -------------------------------------------------------------------------------

logic::Ways& SelectingSystem::ways() {
  if (ways_) return *ways_;
  logic::Ways::Effort effort;
  effort.steps = steps_in(options_.budget);
  if (options_.method == Method::diagrams) effort.by = logic::WaysBy::diagrams;
  if (options_.method == Method::solver) effort.by = logic::WaysBy::solver;
  if (options_.method == Method::by_size) effort.steps = std::min(effort.steps, kMostSteps);
  const Budget& budget = options_.budget;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(budget.milliseconds);
  effort.is_over = [&budget, end] {
    return budget.is_interrupted() || (budget.milliseconds != 0 && std::chrono::steady_clock::now() > end);
  };
  ways_ = std::make_unique<logic::Ways>(circuit_, questions_, moves_, std::move(effort));
  return *ways_;
}

Trace SelectingSystem::trace_of(const logic::Way& way) const {
  Trace trace;
  trace.tree = tree_name(world_.sides().back().tree);
  for (std::size_t i = 0; i < way.steps.size(); ++i) {
    Step step = steps_[way.steps[i]];
    if (step.kind == StepKind::set && is_flipped(step.id)) {
      const std::optional<logic::Variable>& before = numbers_.front()[step.id];
      step.value = way.states[i][before ? *before : *numbers_.back()[step.id]] ? 0 : 1;
    }
    trace.steps.push_back(world_.text(step));
  }
  trace.steps.push_back(world_.text(kTickStep));
  return trace;
}

SelectingSystem::Found SelectingSystem::trace_to_tick(Formula states) {
  logic::Way way = ways().way_to(states);
  if (way.answer != logic::Answer::yes) return {way.answer};
  return {logic::Answer::yes, trace_of(way), std::move(way.states.back())};
}

std::uint64_t SelectingSystem::state_count() {
  const std::optional<double> share = ways().fraction();
  if (!share) return 0;
  const auto bits = static_cast<int>((moves_.start.size() + 1) / 2);
  return static_cast<std::uint64_t>(std::min(kMaxCount, std::ldexp(*share, bits)));
}

}  // namespace espalier::explore

// State variables, steps and shortest traces. See selecting_system.h.
#include "explore/selecting_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "explore/selecting_lift.h"
#include "explore/tracker.h"
#include "lint/condition_functions.h"
#include "logic/diagrams.h"

namespace espalier::explore {
namespace {

using logic::Function;
using Functions = std::vector<Function>;

constexpr std::uint64_t kStepsOfState = 16;          // a state of the budget allows so many steps of diagrams
constexpr std::uint64_t kStepsOfMillisecond = 2000;  // about as many as are made
constexpr double kMaxCount = 9007199254740992.0;     // 2^53

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
    logic::Diagrams diagrams(kBudget);
    bool is_stable = true;
    for (std::uint32_t signal = 0; signal < world_.signals().size(); ++signal) {
      const Functions before = values_after(0, signal, diagrams);
      const Functions after = values_after(world_.sides().size() - 1, signal, diagrams);
      for (std::size_t i = 0; i < is_shared.size(); ++i) {
        if (!is_shared[i] || diagrams.is_equal(before[i], after[i]) == logic::Answer::yes) continue;
        is_shared[i] = false;
        is_stable = false;
      }
    }
    return is_stable;
  }

  Functions values_after(std::size_t side, std::uint32_t signal, logic::Diagrams& diagrams) const {
    const Side& in = world_.sides()[side];
    const ir::Tree& tree = trees_[side];
    Functions values(tree.variables.size());
    for (std::uint32_t i = 0; i < is_shared.size(); ++i) {
      const std::size_t number = 2 * i + (is_shared[i] ? 0 : side);
      if (id_in(in, i) != kNoValue) values[id_in(in, i)] = diagrams.variable(static_cast<logic::Variable>(number));
    }
    if (in.signals[signal] != kNoValue) {
      for (const ir::Assignment& assignment : tree.signals[in.signals[signal]].assignments) {
        values[assignment.variable] = lint::function_of(&tree.conditions[assignment.condition], values, diagrams);
      }
    }
    Functions result(is_shared.size());
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
Functions kept_places(lint::SelectModel& model) {
  logic::Diagrams& diagrams = model.diagrams;
  const std::vector<lint::Place>& places = model.places;
  Functions selects(places.size(), diagrams.constant(false));
  for (std::size_t i = places.size(); i-- > 0;) {
    if (places[i].node->opcode == Opcode::select_machine) continue;
    if (places[i].node->opcode == Opcode::select_leaf) selects[i] = diagrams.constant(true);
    for (const lint::PlaceIndex child : places[i].children) {
      const Function enters = diagrams.conjunction(model.condition(child), selects[child]);
      selects[i] = diagrams.disjunction(selects[i], enters);
    }
  }
  // The innermost machine around the leaf is this one; kNoPlace: there is none.
  const auto is_innermost = [&](lint::PlaceIndex machine) {
    Function result = diagrams.constant(true);
    for (const lint::SelectMachine& other : model.machines()) {
      const bool is_inside = machine == lint::kNoPlace || (other.place > machine && other.place < places[machine].end);
      if (other.place == machine) result = diagrams.conjunction(result, other.is_active);
      if (is_inside) result = diagrams.conjunction(result, diagrams.negation(other.is_active));
    }
    return result;
  };
  Functions kept(places.size(), diagrams.constant(false));
  kept.front() = is_innermost(lint::kNoPlace);
  for (lint::PlaceIndex i = 0; i < places.size(); ++i) {
    const std::vector<lint::PlaceIndex>& children = places[i].children;
    if (places[i].node->opcode == Opcode::select_machine) {
      const Function here = is_innermost(i);
      for (std::uint32_t state = 0; state < children.size(); ++state) {
        kept[children[state]] = diagrams.conjunction(here, model.stored(model.machine(i), state));
      }
      continue;
    }
    Function left = kept[i];
    for (const lint::PlaceIndex child : children) {
      if (places[child].node->opcode == Opcode::select_machine) continue;
      const Function enters = diagrams.conjunction(model.condition(child), selects[child]);
      kept[child] = diagrams.conjunction(left, enters);
      left = diagrams.conjunction(left, diagrams.negation(enters));
    }
  }
  return kept;
}

}  // namespace

std::size_t diagram_steps(const Budget& budget) {
  std::uint64_t steps = budget.states * kStepsOfState;
  if (budget.milliseconds != 0) steps = std::min(steps, budget.milliseconds * kStepsOfMillisecond);
  return static_cast<std::size_t>(steps);
}

// ---- Building -----------------------------------------------------------------------------------

SelectingSystem::SelectingSystem(const World& world, const Budget& budget, const Asked& asked)
    : world_(world), asked_(asked), diagrams_(diagram_steps(budget)) {
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
    models_.push_back(std::make_unique<lint::SelectModel>(trees_[side], diagrams_, std::move(numbers[side]),
                                                          lint::KeptLeaf::machines));
    models_.back()->set_start(system_.start);
  }
}

bool SelectingSystem::has_machines() const {
  return std::any_of(models_.begin(), models_.end(), [](const auto& model) { return !model->machines().empty(); });
}

void SelectingSystem::add_step(const Step& step, const std::vector<logic::Step>& of_sides) {
  logic::Step updates;
  for (const logic::Step& side : of_sides) {
    for (const logic::Update& update : side) {
      const auto is_same = [&](const logic::Update& other) { return other.variable == update.variable; };
      if (std::none_of(updates.begin(), updates.end(), is_same)) updates.push_back(update);
    }
  }
  steps_.push_back(step);
  system_.steps.push_back(std::move(updates));
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
    std::vector<logic::Step> result;
    for (std::size_t side = 0; side < models_.size(); ++side) result.push_back(updates_of(side));
    return result;
  };
  for (const Step& step : world_.steps()) {
    if (step.kind == StepKind::signal) {
      add_step(step, of_sides([&](std::size_t side) {
                 const std::uint32_t own = world_.sides()[side].signals[step.id];
                 return own == kNoValue ? logic::Step{} : models_[side]->signal(own);
               }));
    } else if (step.kind == StepKind::set) {
      if (is_flipped(step.id) && step.value == 0) continue;
      add_step(step, of_sides([&](std::size_t side) {
                 const std::uint32_t own = world_.sides()[side].variables[step.id];
                 return own == kNoValue       ? logic::Step{}
                        : is_flipped(step.id) ? models_[side]->change(own)
                                              : models_[side]->write(own, step.value != 0);
               }));
    }
  }
  // Without machines a tick changes nothing that the next one shows.
  if (has_machines() || asked_.has_ticks)
    add_step(kTickStep, of_sides([&](std::size_t side) { return models_[side]->tick(); }));
}

// ---- What ticks show ----------------------------------------------------------------------------

const Functions& SelectingSystem::shown_leaves(std::size_t side) {
  Functions& shown = shown_[side];
  if (!shown.empty()) return shown;
  lint::SelectModel& model = *models_[side];
  // Without machines each evaluation for the same values selects the same.
  const Functions kept = model.machines().empty() ? Functions{} : kept_places(model);
  for (const lint::PlaceIndex leaf : model.leaves()) {
    const Function taken = model.taken(leaf);
    shown.push_back(kept.empty() ? taken : diagrams_.choice(model.needs_evaluation(), taken, kept[leaf]));
  }
  return shown;
}

Function SelectingSystem::shows_nothing(std::size_t side) {
  lint::SelectModel& model = *models_[side];
  const Function nothing = diagrams_.negation(model.selects(0));
  // Without a change since the last update, that one selected a leaf.
  return model.machines().empty() ? nothing : diagrams_.conjunction(model.needs_evaluation(), nothing);
}

std::optional<std::uint32_t> SelectingSystem::shown_leaf(std::size_t side, const std::vector<bool>& state) {
  const Functions& shown = shown_leaves(side);
  const auto is_shown = [&](Function leaf) { return diagrams_.value(leaf, state) == logic::Answer::yes; };
  const auto found = std::find_if(shown.begin(), shown.end(), is_shown);
  if (found == shown.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - shown.begin());
}

std::optional<Place> SelectingSystem::shown_place(std::size_t side, const std::vector<bool>& state) {
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
  if (system_.start.size() <= variable) system_.start.resize(variable + std::size_t{1});
  return variable;
}

void SelectingSystem::add_update(std::size_t step, logic::Variable variable, Function value) {
  system_.steps[step].push_back({variable, value});
}

void SelectingSystem::end_at_ticks(Function states) {
  if (steps_.empty() || steps_.back().kind != StepKind::tick) return;
  const logic::Variable has_ended = add_variable();
  add_update(steps_.size() - 1, has_ended, states);
  system_.within = diagrams_.negation(diagrams_.variable(has_ended));
}

// ---- Reachability -------------------------------------------------------------------------------

logic::Reachability& SelectingSystem::reachability() {
  if (!reachability_) reachability_ = std::make_unique<logic::Reachability>(diagrams_, system_);
  return *reachability_;
}

Function SelectingSystem::reachable() { return reachability().all(); }

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

SelectingSystem::Found SelectingSystem::trace_to_tick(Function states) {
  logic::Way way = reachability().way_to(states);
  if (way.answer != logic::Answer::yes) return {way.answer};
  return {logic::Answer::yes, trace_of(way), std::move(way.states.back())};
}

std::uint64_t SelectingSystem::state_count() {
  const std::optional<double> share = diagrams_.fraction(reachable());
  if (!share) return 0;
  const auto bits = static_cast<int>((system_.start.size() + 1) / 2);
  return static_cast<std::uint64_t>(std::min(kMaxCount, std::ldexp(*share, bits)));
}

}  // namespace espalier::explore

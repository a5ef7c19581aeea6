// Differences between two versions of a tree that selects. See selecting.h.
#include <algorithm>
#include <utility>

#include "explore/select/conditions.h"
#include "explore/select/selecting.h"
#include "explore/select/shown.h"

namespace espalier::explore {

// ---- What is shown ------------------------------------------------------------------------------

ShownBehaviors::ShownBehaviors(SelectingSystem& system, const World& world) : circuit_(system.circuit()) {
  for (std::size_t side = 0; side < system.side_count(); ++side) {
    const Tree& tree = world.sides()[side].tree;
    std::map<ShownName, logic::Formula>& shown = sides_.emplace_back();
    shown[std::nullopt] = system.shows_nothing(side);
    const std::vector<logic::Formula>& leaves = system.shown_leaves(side);
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const std::string name(behavior_name(*tree.asset, leaf_behavior(tree, leaf)));
      const auto [known, is_new] = shown.try_emplace(name, leaves[leaf]);
      if (!is_new) known->second = circuit_.disjunction(known->second, leaves[leaf]);
    }
  }
}

logic::Formula ShownBehaviors::shows(std::size_t side, const ShownName& name) const {
  const auto found = sides_[side].find(name);
  return found == sides_[side].end() ? circuit_.constant(false) : found->second;
}

ShownName ShownBehaviors::shown(std::size_t side, const std::vector<bool>& state) const {
  logic::Valuation values(circuit_, state);
  for (const auto& [name, formula] : sides_[side]) {
    if (values.of(formula) == logic::Answer::yes) return name;
  }
  return std::nullopt;
}

logic::Formula ShownBehaviors::is_same() const {
  logic::Formula result = circuit_.constant(false);
  for (const auto& [name, function] : sides_.front()) {
    result = circuit_.disjunction(result, circuit_.conjunction(function, shows(1, name)));
  }
  return result;
}

namespace {

// ---- Conditions ---------------------------------------------------------------------------------

// The conditions of pairs of behaviours, of versions without machines: what they show depends only on the variables.
class PairConditions {
 public:
  static constexpr std::size_t kMostSteps = 4'000'000;  // of diagrams

  PairConditions(const World& world, const Options& options)
      : system_(world, options, {}),
        shown_(system_, world),
        diagrams_(options.method == Method::diagrams ? steps_in(options.budget)
                                                     : std::min(kMostSteps, steps_in(options.budget))),
        drawing_(system_.circuit(), diagrams_),
        is_possible_(!system_.has_machines()) {
    if (!is_possible_) return;
    reachable_ = drawing_.of(system_.reachable().is_exact ? system_.reachable().states : logic::Formula());
    // A variable that both have, with different values, is called by the name of the new version, or else of the old
    // one.
    for (const std::size_t preferred : {1u, 0u}) {
      Naming& naming = namings_.emplace_back();
      for (std::uint32_t i = 0; i < world.variables().size(); ++i) {
        const auto preferred_number = system_.number(preferred, i);
        const auto other_number = system_.number(1 - preferred, i);
        const std::size_t named = preferred_number ? preferred : 1 - preferred;
        const std::uint32_t own = world.sides()[named].variables[i];
        naming.variables.push_back(
            {*system_.number(named, i), std::string(variable_name(world.sides()[named].tree, own))});
        if (preferred_number && other_number && preferred_number != other_number)
          naming.hidden.push_back(*other_number);
      }
      std::sort(naming.variables.begin(), naming.variables.end(),
                [](const NamedVariable& a, const NamedVariable& b) { return a.number < b.number; });
      for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<logic::Variable>& own = system_.model(side).numbers.own;
        naming.hidden.insert(naming.hidden.end(), own.begin(), own.end());
      }
    }
  }

  std::string of(const ShownName& before, const ShownName& after) {
    if (!is_possible_) return {};
    const logic::Formula shown = system_.circuit().conjunction(shown_.shows(0, before), shown_.shows(1, after));
    const logic::Function pair = drawing_.of(shown);
    const logic::Function inside = diagrams_.conjunction(reachable_, pair);
    const logic::Function outside = diagrams_.conjunction(reachable_, diagrams_.negation(pair));
    for (const Naming& naming : namings_) {
      std::string text = condition_between(diagrams_, diagrams_.exists(inside, naming.hidden),
                                           diagrams_.exists(outside, naming.hidden), naming.variables);
      if (!text.empty()) return text;
    }
    return {};
  }

 private:
  struct Naming {
    std::vector<NamedVariable> variables;
    std::vector<logic::Variable> hidden;  // state variables that have no name
  };

  SelectingSystem system_;
  ShownBehaviors shown_;
  logic::Diagrams diagrams_;
  logic::Drawing drawing_;
  logic::Function reachable_;
  bool is_possible_;
  std::vector<Naming> namings_;
};

// ---- Differences --------------------------------------------------------------------------------

class Comparison {
 public:
  Comparison(const World& world, const Options& options) : system_(world, options, {}), shown_(system_, world) {}

  SelectingDiff find() {
    SelectingDiff result;
    logic::Circuit& circuit = system_.circuit();
    logic::Formula left = circuit.negation(shown_.is_same());
    system_.end_at_ticks(left);
    for (;;) {
      const SelectingSystem::Found found = system_.trace_to_tick(left);
      result.is_complete = found.answer == logic::Answer::no;
      if (found.answer != logic::Answer::yes) break;
      result.differences.push_back(difference(found));
      const Difference& difference = result.differences.back();
      const logic::Formula pair =
          circuit.conjunction(shown_.shows(0, difference.before), shown_.shows(1, difference.after));
      left = circuit.conjunction(left, circuit.negation(pair));
    }
    result.state_count = system_.state_count();
    return result;
  }

 private:
  Difference difference(const SelectingSystem::Found& found) {
    Difference difference;
    difference.before = shown_.shown(0, found.state);
    difference.after = shown_.shown(1, found.state);
    difference.trace = found.trace;
    difference.is_place_of_old = !difference.after;
    difference.place = system_.shown_place(difference.after ? 1 : 0, found.state).value_or(SourcePlace());
    return difference;
  }

  SelectingSystem system_;
  ShownBehaviors shown_;
};

}  // namespace

void find_conditions(const World& world, const Options& options, std::vector<Difference>& differences) {
  if (differences.empty()) return;
  PairConditions conditions(world, options);
  for (Difference& difference : differences) difference.when = conditions.of(difference.before, difference.after);
}

SelectingDiff diff_selecting(const World& world, const Options& options) { return Comparison(world, options).find(); }

}  // namespace espalier::explore

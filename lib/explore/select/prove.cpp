// Properties of a tree that selects. See selecting.h.
#include <algorithm>

#include "explore/select/selecting.h"
#include "explore/select/system.h"
#include "explore/shown.h"

namespace espalier::explore {
namespace {

using logic::Formula;
using Formulas = std::vector<Formula>;

// What a tick shows, as functions of the state before it.
struct ShownByTick {
  Formulas leaves;  // is the current one
  Formula nothing;  // is selected
};

// An expectation as a function of the state before the tick that shows it.
class ExpectationFunctions {
 public:
  ExpectationFunctions(SelectingSystem& system, const Tree& tree, const ShownByTick& shown)
      : system_(system), circuit_(system.circuit()), tree_(tree), shown_(shown) {}

  Formula of(const replay::Check& check) {
    const Formula plain = check.is_object ? of_all(check.parts) : of_value(check);
    return check.is_negated ? circuit_.negation(plain) : plain;
  }

 private:
  Formula of_all(const std::vector<replay::Check>& checks) {
    Formula result = circuit_.constant(true);
    for (const replay::Check& check : checks) result = circuit_.conjunction(result, of(check));
    return result;
  }

  // One of these, which are numbers of leaves, of their behaviours, or of neither of them.
  template <typename IdOfLeaf>
  Formula of_leaves(const std::vector<std::uint32_t>& ids, std::uint32_t none, const IdOfLeaf& id_of) {
    const auto is_asked = [&](std::uint32_t id) { return std::binary_search(ids.begin(), ids.end(), id); };
    Formula result = is_asked(none) ? shown_.nothing : circuit_.constant(false);
    for (std::uint32_t leaf = 0; leaf < shown_.leaves.size(); ++leaf) {
      if (is_asked(id_of(leaf))) result = circuit_.disjunction(result, shown_.leaves[leaf]);
    }
    return result;
  }

  Formula of_value(const replay::Check& check) {
    const std::string_view key = replay::name_of_key(check);
    if (key == "behavior") {
      return of_leaves(check.ids, kNoBehavior, [&](std::uint32_t leaf) { return leaf_behavior(tree_, leaf); });
    }
    if (key == "leaf") return of_leaves(check.ids, kNoLeaf, [](std::uint32_t leaf) { return leaf; });
    if (key == "status") {
      if (check.is_null) return circuit_.constant(false);
      const auto status = static_cast<Result>(check.ids.front());
      if (status == Result::failure) return shown_.nothing;
      return status == Result::running ? circuit_.negation(shown_.nothing) : circuit_.constant(false);
    }
    if (key != "variables") return {};
    const Formula value = system_.model(0).variables()[check.id];
    return check.number != 0 ? value : circuit_.negation(value);
  }

  SelectingSystem& system_;
  logic::Circuit& circuit_;
  const Tree& tree_;
  const ShownByTick& shown_;
};

// Counts the updates that are left for the oldest step that is not answered yet. Later ones are answered with it.
class Countdown {
 public:
  Countdown(SelectingSystem& system, std::uint32_t within) : system_(system), within_(within) {
    while ((within >> bits_.size()) != 0) bits_.push_back(system.add_variable());
  }

  Formula is(std::uint32_t count) {
    std::vector<logic::Literal> literals;
    for (std::size_t i = 0; i < bits_.size(); ++i) literals.push_back({bits_[i], (count >> i & 1) != 0});
    return system_.circuit().all_of(literals);
  }

  // `holds`: what is expected is shown by a tick in this state.
  void add_updates(const SelectingClaim& claim, Formula holds) {
    logic::Circuit& circuit = system_.circuit();
    for (std::size_t step = 0; step < system_.steps().size(); ++step) {
      const bool is_tick = system_.steps()[step].kind == StepKind::tick;
      const bool begins = claim.is_trigger(system_.steps()[step]);
      if (!is_tick && !begins) continue;
      Formula is_idle = is(0);
      if (is_tick) is_idle = circuit.disjunction(is_idle, circuit.disjunction(holds, is(1)));
      Formula lower = circuit.constant(true);  // all lower bits are clear: the bit changes when one is taken away
      for (std::size_t i = 0; i < bits_.size(); ++i) {
        const Formula bit = circuit.variable(bits_[i]);
        const Formula kept = is_tick ? circuit.exclusive(bit, lower) : bit;
        const bool begun = begins && (within_ >> i & 1) != 0;
        system_.add_update(step, bits_[i], circuit.choice(is_idle, circuit.constant(begun), kept));
        lower = circuit.conjunction(lower, circuit.negation(bit));
      }
    }
  }

 private:
  SelectingSystem& system_;
  std::uint32_t within_;
  std::vector<logic::Variable> bits_;  // the lowest first
};

// The variable whose writes are such steps.
std::optional<std::uint32_t> written_by_triggers(const World& world, const SelectingClaim& claim) {
  for (const Step& step : world.steps()) {
    if (claim.kind == PropertyKind::expect && step.kind == StepKind::set && claim.is_trigger(step)) return step.id;
  }
  return std::nullopt;
}

// Before a tick that shows what is looked for.
Formula looked_for(SelectingSystem& system, const Tree& tree, const SelectingClaim& claim) {
  logic::Circuit& circuit = system.circuit();
  if (claim.kind == PropertyKind::expect) {
    const ShownByTick shown{system.shown_leaves(0), system.shows_nothing(0)};
    const Formula holds = ExpectationFunctions(system, tree, shown).of(claim.expectation.check());
    Countdown countdown(system, claim.within);
    countdown.add_updates(claim, holds);
    return circuit.conjunction(countdown.is(1), circuit.negation(holds));
  }
  // A tick that evaluates nothing shows what an earlier one has shown.
  lint::SelectModel& model = system.model(0);
  ShownByTick shown{{}, circuit.negation(model.selects(0))};
  for (const lint::PlaceIndex leaf : model.leaves()) shown.leaves.push_back(model.taken(leaf));
  const Formula holds = ExpectationFunctions(system, tree, shown).of(claim.expectation.check());
  const Formula asked = claim.kind == PropertyKind::always ? circuit.negation(holds) : holds;
  return circuit.conjunction(model.needs_evaluation(), asked);
}

}  // namespace

SelectingProof prove_selecting(const World& world, const SelectingClaim& claim, const Options& options) {
  const bool is_after = claim.kind == PropertyKind::expect;
  SelectingSystem system(world, options, {written_by_triggers(world, claim), is_after});
  const SelectingSystem::Found found = system.trace_to_tick(looked_for(system, world.sides().front().tree, claim));
  SelectingProof proof;
  if (found.answer == logic::Answer::yes) {
    proof.trace = found.trace;
    proof.place = system.shown_place(0, found.state).value_or(SourcePlace());
    if (const auto leaf = system.shown_leaf(0, found.state)) {
      proof.reason = reason_of_leaf(world.sides().front().tree, *leaf);
    }
  }
  if (found.answer != logic::Answer::unknown) {
    const bool is_good = claim.kind == PropertyKind::reachable;
    proof.result = (found.answer == logic::Answer::yes) == is_good ? Truth::holds : Truth::fails;
  }
  proof.state_count = system.state_count();
  return proof;
}

}  // namespace espalier::explore

// Properties of a tree that selects. See selecting.h.
#include <algorithm>

#include "explore/selecting.h"
#include "explore/selecting_system.h"
#include "explore/shown.h"

namespace espalier::explore {
namespace {

using logic::Function;
using Functions = std::vector<Function>;

// What a tick shows, as functions of the state before it.
struct ShownByTick {
  Functions leaves;  // is the current one
  Function nothing;  // is selected
};

// An expectation as a function of the state before the tick that shows it.
class ExpectationFunctions {
 public:
  ExpectationFunctions(SelectingSystem& system, const Tree& tree, const ShownByTick& shown)
      : system_(system), diagrams_(system.diagrams()), tree_(tree), shown_(shown) {}

  Function of(const replay::Check& check) {
    const Function plain = check.is_object ? of_all(check.parts) : of_value(check);
    return check.is_negated ? diagrams_.negation(plain) : plain;
  }

 private:
  Function of_all(const std::vector<replay::Check>& checks) {
    Function result = diagrams_.constant(true);
    for (const replay::Check& check : checks) result = diagrams_.conjunction(result, of(check));
    return result;
  }

  // One of these, which are numbers of leaves, of their behaviours, or of neither of them.
  template <typename IdOfLeaf>
  Function of_leaves(const std::vector<std::uint32_t>& ids, std::uint32_t none, const IdOfLeaf& id_of) {
    const auto is_asked = [&](std::uint32_t id) { return std::binary_search(ids.begin(), ids.end(), id); };
    Function result = is_asked(none) ? shown_.nothing : diagrams_.constant(false);
    for (std::uint32_t leaf = 0; leaf < shown_.leaves.size(); ++leaf) {
      if (is_asked(id_of(leaf))) result = diagrams_.disjunction(result, shown_.leaves[leaf]);
    }
    return result;
  }

  Function of_value(const replay::Check& check) {
    const std::string_view key = replay::name_of_key(check);
    if (key == "behavior") {
      return of_leaves(check.ids, kNoBehavior, [&](std::uint32_t leaf) { return leaf_behavior(tree_, leaf); });
    }
    if (key == "leaf") return of_leaves(check.ids, kNoLeaf, [](std::uint32_t leaf) { return leaf; });
    if (key == "status") {
      if (check.is_null) return diagrams_.constant(false);
      const auto status = static_cast<Result>(check.ids.front());
      if (status == Result::failure) return shown_.nothing;
      return status == Result::running ? diagrams_.negation(shown_.nothing) : diagrams_.constant(false);
    }
    if (key != "variables") return {};
    const Function value = system_.model(0).variables()[check.id];
    return check.number != 0 ? value : diagrams_.negation(value);
  }

  SelectingSystem& system_;
  logic::Diagrams& diagrams_;
  const Tree& tree_;
  const ShownByTick& shown_;
};

// Counts the updates that are left for the oldest step that is not answered yet. Later ones are answered with it.
class Countdown {
 public:
  Countdown(SelectingSystem& system, std::uint32_t within) : system_(system), within_(within) {
    while ((within >> bits_.size()) != 0) bits_.push_back(system.add_variable());
  }

  Function is(std::uint32_t count) {
    std::vector<logic::Literal> literals;
    for (std::size_t i = 0; i < bits_.size(); ++i) literals.push_back({bits_[i], (count >> i & 1) != 0});
    return system_.diagrams().all_of(literals);
  }

  // `holds`: what is expected is shown by a tick in this state.
  void add_updates(const SelectingClaim& claim, Function holds) {
    logic::Diagrams& diagrams = system_.diagrams();
    for (std::size_t step = 0; step < system_.steps().size(); ++step) {
      const bool is_tick = system_.steps()[step].kind == StepKind::tick;
      const bool begins = claim.is_trigger(system_.steps()[step]);
      if (!is_tick && !begins) continue;
      Function is_idle = is(0);
      if (is_tick) is_idle = diagrams.disjunction(is_idle, diagrams.disjunction(holds, is(1)));
      Function lower = diagrams.constant(true);  // all lower bits are clear: the bit changes when one is taken away
      for (std::size_t i = 0; i < bits_.size(); ++i) {
        const Function bit = diagrams.variable(bits_[i]);
        const Function kept = is_tick ? diagrams.exclusive(bit, lower) : bit;
        const bool begun = begins && (within_ >> i & 1) != 0;
        system_.add_update(step, bits_[i], diagrams.choice(is_idle, diagrams.constant(begun), kept));
        lower = diagrams.conjunction(lower, diagrams.negation(bit));
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
    if (claim.kind == PropertyKind::after && step.kind == StepKind::set && claim.is_trigger(step)) return step.id;
  }
  return std::nullopt;
}

// Before a tick that shows what is looked for.
Function looked_for(SelectingSystem& system, const Tree& tree, const SelectingClaim& claim) {
  logic::Diagrams& diagrams = system.diagrams();
  if (claim.kind == PropertyKind::after) {
    const ShownByTick shown{system.shown_leaves(0), system.shows_nothing(0)};
    const Function holds = ExpectationFunctions(system, tree, shown).of(claim.expectation.check());
    Countdown countdown(system, claim.within);
    countdown.add_updates(claim, holds);
    return diagrams.conjunction(countdown.is(1), diagrams.negation(holds));
  }
  // A tick that evaluates nothing shows what an earlier one has shown.
  lint::SelectModel& model = system.model(0);
  ShownByTick shown{{}, diagrams.negation(model.selects(0))};
  for (const lint::PlaceIndex leaf : model.leaves()) shown.leaves.push_back(model.taken(leaf));
  const Function holds = ExpectationFunctions(system, tree, shown).of(claim.expectation.check());
  const Function asked = claim.kind == PropertyKind::always ? diagrams.negation(holds) : holds;
  return diagrams.conjunction(model.needs_evaluation(), asked);
}

}  // namespace

SelectingProof prove_selecting(const World& world, const SelectingClaim& claim, const Budget& budget) {
  const bool is_after = claim.kind == PropertyKind::after;
  SelectingSystem system(world, budget, {written_by_triggers(world, claim), is_after});
  const SelectingSystem::Found found = system.trace_to_tick(looked_for(system, world.sides().front().tree, claim));
  SelectingProof proof;
  if (found.answer == logic::Answer::yes) {
    proof.trace = found.trace;
    proof.place = system.shown_place(0, found.state).value_or(Place());
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

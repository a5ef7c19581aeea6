// Selection trees as functions, and reachability, against agents that are explored one state at a time: random small
// trees, every state of each.
#include "lint/select/model.h"

#include <cmath>

#include "lint/select/reach.h"
#include "lint_select_model.h"
#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace lint_select_functions {

using namespace espalier;
using lint::KeptLeaf;
using lint::PlaceIndex;
using lint::SelectModel;
using lint::TraceStep;
using logic::Answer;
using logic::Circuit;
using test::Evaluation;
using test::SelectAgent;
using test::SelectExplorer;

namespace {

constexpr std::size_t kPlenty = 5'000'000;
constexpr test::TreeShape kSmall = {12, 4, 4, 3, 2, 15};

// A tree whose states can be listed.
ir::Tree small_tree(std::uint64_t seed) {
  for (test::Random random{seed};;) {
    const ir::Tree tree = test::random_tree(random, kSmall, "Tree");
    const SelectExplorer explorer(tree);
    if (state_count(explorer, tree) <= 3000) return tree;
  }
}

struct Subject {
  const ir::Tree& tree;
  SelectExplorer explorer;
  Circuit circuit;
  logic::Questions questions;
  lint::StateNumbers numbers;
  SelectModel model;
  std::map<const ir::Node*, PlaceIndex> place_of;

  Subject(const ir::Tree& selecting, KeptLeaf kept)
      : tree(selecting),
        explorer(tree),
        circuit(kPlenty),
        questions(circuit, 10'000),
        model(tree, circuit, lint::number_states(tree, kept, numbers), kept) {
    for (PlaceIndex i = 0; i < model.places.size(); ++i) place_of[model.places[i].node] = i;
  }

  // The values of the state variables for an agent: found by asking the model what each state means.
  std::vector<bool> values(const SelectAgent& agent) {
    logic::Formula all = circuit.constant(true);
    const auto add = [&](logic::Formula formula, bool value) {
      all = circuit.conjunction(all, value ? formula : circuit.negation(formula));
    };
    for (std::size_t i = 0; i < agent.variables.size(); ++i) add(model.variables()[i], agent.variables[i]);
    add(model.needs_evaluation(), agent.is_pending);
    for (const lint::SelectMachine& machine : model.machines()) {
      const ir::Node* node = model.places[machine.place].node;
      add(model.stored(machine, agent.stored.at(node)), true);
      bool is_below = false;
      for (PlaceIndex i = machine.place; i < model.places[machine.place].end; ++i) {
        is_below = is_below || model.places[i].node == agent.leaf;
      }
      add(machine.is_active, is_below);
    }
    const logic::Satisfied found = questions.satisfy({&all, 1});
    REQUIRE(found.answer == Answer::yes);
    std::vector<bool> result(logic::kMaxVariables);
    for (const logic::Literal& literal : found.witness) result[literal.variable] = literal.value;
    return result;
  }

  bool is(logic::Formula formula, const std::vector<bool>& values) {
    REQUIRE(formula.is_known());
    return logic::Valuation(circuit, values).of(formula) == Answer::yes;
  }

  // Do these values stand for the agent?
  bool stands_for(const std::vector<bool>& values, const SelectAgent& agent, KeptLeaf kept) {
    bool is_same = is(model.needs_evaluation(), values) == agent.is_pending;
    for (std::size_t i = 0; i < agent.variables.size(); ++i) {
      is_same = is_same && is(model.variables()[i], values) == agent.variables[i];
    }
    for (const lint::SelectMachine& machine : model.machines()) {
      is_same = is_same && is(model.stored(machine, agent.stored.at(model.places[machine.place].node)), values);
      bool is_below = false;
      for (PlaceIndex i = machine.place; i < model.places[machine.place].end; ++i) {
        is_below = is_below || model.places[i].node == agent.leaf;
      }
      is_same = is_same && is(machine.is_active, values) == is_below;
    }
    if (kept == KeptLeaf::leaf) {
      is_same =
          is_same && is(model.is_current(agent.leaf == nullptr ? lint::kNoPlace : place_of.at(agent.leaf)), values);
    }
    return is_same;
  }
};

std::vector<bool> after(Subject& subject, const std::vector<bool>& values, const logic::Move& step) {
  std::vector<bool> result = values;
  for (const logic::Change& update : step) result[update.variable] = subject.is(update.value, values);
  return result;
}

void check_evaluation(Subject& subject, const SelectAgent& agent, const std::vector<bool>& values) {
  SelectAgent evaluated = agent;
  const Evaluation seen = subject.explorer.evaluate(evaluated);
  SelectModel& model = subject.model;
  for (PlaceIndex i = 0; i < model.places.size(); ++i) {
    const ir::Node* node = model.places[i].node;
    const PlaceIndex parent = model.places[i].parent;
    bool is_evaluated = true;
    if (parent != lint::kNoPlace) {
      const ir::Node* around = model.places[parent].node;
      if (around->opcode == opcode::select_machine) {
        const auto end = seen.ends.find(around);
        is_evaluated = end != seen.ends.end() && &around->children()[end->second] == node;
      } else if (around->opcode == opcode::select_state) {
        const ir::Node* machine = model.places[model.places[parent].parent].node;
        const auto end = seen.ends.find(machine);
        is_evaluated = end != seen.ends.end() && &machine->children()[end->second] == around;
      } else {
        is_evaluated = seen.conditions.count(node) != 0;
      }
    }
    REQUIRE(subject.is(model.evaluated(i), values) == is_evaluated);
    if (node->opcode == opcode::select_leaf) REQUIRE(subject.is(model.taken(i), values) == (seen.selected == node));
    if (node->opcode != opcode::select_machine || seen.ends.count(node) == 0) continue;
    const lint::SelectMachine& machine = model.machine(i);
    for (std::size_t state = 0; state < node->children().size(); ++state) {
      REQUIRE(subject.is(machine.ends[state], values) == (seen.ends.at(node) == state));
      const bool has_transitions = !node->children()[state].as<ir::Transitions>().transitions.empty();
      const bool reads = seen.transitions.count({&node->children()[state], 0}) != 0;
      if (has_transitions) REQUIRE(subject.is(machine.reads[state], values) == reads);
    }
  }
  REQUIRE(subject.is(model.selects(0), values) == (seen.selected != nullptr));
}

}  // namespace

TEST_CASE("every state of small trees is evaluated, and changed by steps, as the rules say") {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const ir::Tree tree = small_tree(seed);
    const KeptLeaf kept = seed % 2 == 0 ? KeptLeaf::machines : KeptLeaf::leaf;
    Subject subject(tree, kept);
    const logic::Move tick = subject.model.tick();
    std::vector<logic::Move> signals;
    for (std::uint32_t i = 0; i < tree.signals.size(); ++i) signals.push_back(subject.model.signal(i));
    subject.explorer.for_each_state([&](const SelectAgent& listed) {
      for (const bool is_pending : {false, true}) {
        SelectAgent agent = listed;
        agent.is_pending = is_pending;
        std::vector<bool> values = subject.values(agent);
        if (kept == KeptLeaf::leaf) {  // it may stand for another leaf of the same machines
          for (PlaceIndex leaf : subject.model.leaves()) {
            if (subject.is(subject.model.is_current(leaf), values)) agent.leaf = subject.model.places[leaf].node;
          }
          if (subject.is(subject.model.is_current(lint::kNoPlace), values)) agent.leaf = nullptr;
        }
        REQUIRE(subject.stands_for(values, agent, kept));
        if (is_pending) check_evaluation(subject, agent, values);
        SelectAgent ticked = agent;
        subject.explorer.tick(ticked);
        REQUIRE(subject.stands_for(after(subject, values, tick), ticked, kept));
        for (std::uint32_t i = 0; i < signals.size(); ++i) {
          SelectAgent signaled = agent;
          subject.explorer.signal(signaled, i);
          REQUIRE(subject.stands_for(after(subject, values, signals[i]), signaled, kept));
        }
        SelectAgent written = agent;
        subject.explorer.set(written, 0, !agent.variables[0]);
        REQUIRE(subject.stands_for(after(subject, values, subject.model.change(0)), written, kept));
        written = agent;
        subject.explorer.set(written, 0, true);
        REQUIRE(subject.stands_for(after(subject, values, subject.model.write(0, true)), written, kept));
        ++checked;
      }
    });
  }
  CHECK(checked > 5'000);
}

TEST_CASE("reachable states and the lengths of shortest traces are those found one state at a time") {
  const logic::WaysBy by = GENERATE(logic::WaysBy::diagrams, logic::WaysBy::solver);
  std::size_t reached_count = 0;
  std::size_t undecided = 0;
  std::size_t longest = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const ir::Tree tree = small_tree(seed * 7);
    const KeptLeaf kept = seed % 2 == 0 ? KeptLeaf::machines : KeptLeaf::leaf;
    Subject subject(tree, kept);
    lint::Facts facts;
    std::vector<bool> is_writable(tree.variables.size(), true);
    for (std::size_t i = 0; i < tree.variables.size(); ++i) {
      is_writable[i] = (seed >> i & 1) == 0;
      if (!is_writable[i])
        facts.signal_only.push_back(i % 2 == 0 ? tree.variables[i].name : "tree/" + tree.variables[i].name);
    }
    lint::SelectReach reach(subject.model, subject.questions, facts, by);
    const auto lengths = subject.explorer.reachable(is_writable);
    std::map<const ir::Node*, std::size_t> shortest;  // to the tick that selects the leaf; null: nothing
    for (const auto& [agent, length] : lengths) {
      if (agent.is_pending) {
        SelectAgent evaluated = agent;
        const ir::Node* selected = subject.explorer.evaluate(evaluated).selected;
        const auto known = shortest.emplace(selected, length + 1).first;
        known->second = std::min(known->second, length + 1);
      }
    }
    for (const PlaceIndex leaf : subject.model.leaves()) {
      const ir::Node* node = subject.model.places[leaf].node;
      const lint::Trace trace = reach.trace_to_tick(subject.model.taken(leaf));
      if (trace.answer == Answer::unknown && by == logic::WaysBy::solver) {
        ++undecided;
        continue;
      }
      REQUIRE(trace.answer == (shortest.count(node) != 0 ? Answer::yes : Answer::no));
      if (trace.answer == Answer::no) continue;
      REQUIRE(trace.steps.size() == shortest.at(node));
      ++reached_count;
      longest = std::max(longest, trace.steps.size());
      SelectAgent agent = subject.explorer.start();
      for (const TraceStep& step : trace.steps) {
        if (step.kind == TraceStep::Kind::signal) subject.explorer.signal(agent, step.index);
        if (step.kind == TraceStep::Kind::write) {
          REQUIRE(is_writable[step.index]);
          subject.explorer.set(agent, step.index, step.value);
        }
        if (step.kind == TraceStep::Kind::tick) subject.explorer.tick(agent);
      }
      REQUIRE(agent.leaf == node);
      REQUIRE(subject.stands_for(trace.state, agent, kept));
    }
    const logic::Ways::States& states = reach.reachable();
    for (const PlaceIndex leaf : subject.model.leaves()) {
      const bool is_reached = shortest.count(subject.model.places[leaf].node) != 0;
      const auto is_in = [&](logic::Formula all) {
        const logic::Formula asked[] = {all, subject.model.needs_evaluation(), subject.model.taken(leaf)};
        return subject.questions.can_be(asked);
      };
      if (is_reached || states.is_exact) REQUIRE(is_in(states.states) == (is_reached ? Answer::yes : Answer::no));
      if (states.some.is_known() && is_in(states.some) == Answer::yes) REQUIRE(is_reached);
    }
    // Else several agents are one state; and a solver tells what is reachable, but not all that is.
    if (kept != KeptLeaf::leaf || by == logic::WaysBy::solver) continue;
    const auto share = reach.share();
    const auto bits = static_cast<int>(subject.model.numbers.own.size() + tree.variables.size());
    REQUIRE(share.value() * std::ldexp(1.0, bits) == static_cast<double>(lengths.size()));
  }
  CHECK(reached_count > 200);
  CHECK(longest >= 4);
  CHECK(undecided <= 2);
}

}  // namespace lint_select_functions

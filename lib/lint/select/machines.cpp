// State machines of selection trees: states that no evaluation ends in, transitions that never or always hold where
// they are read, and transitions that lead round in a loop. See analysis.h.
#include <algorithm>

#include "lint/select/analysis.h"

#include "rules/selection.h"

namespace espalier::lint {

using logic::Answer;
using logic::Formula;

namespace {

const std::vector<ir::Transition>& transitions_of(const SelectAnalysis& analysis, PlaceIndex state) {
  return analysis.node(state).as<ir::Transitions>().transitions;
}

// Where an evaluation comes to the machine.
std::vector<Reason> reasons_of_machine(SelectAnalysis& analysis, PlaceIndex machine) {
  std::vector<Reason> reasons = analysis.reasons_above(machine);
  if (const ir::Condition* condition = condition_of(analysis.tree, analysis.node(machine))) {
    reasons.push_back({analysis.model.condition(machine), Reason::Says::must_be_true, condition->span});
  }
  return reasons;
}

// ---- Transitions --------------------------------------------------------------------------------

void look_at_transitions(SelectAnalysis& analysis, const SelectMachine& machine, PlaceIndex state) {
  const std::vector<ir::Transition>& transitions = transitions_of(analysis, state);
  const Formula reads = machine.reads[analysis.model.places[state].number];
  Given given{analysis.circuit.conjunction(analysis.model.condition(machine.place), reads)};
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    const Formula holds = analysis.model.condition_function(transitions[i].condition);
    given.reasons = [&] {
      std::vector<Reason> reasons = {{analysis.model.condition(machine.place)}, {reads}};
      for (std::size_t before = 0; before < i; ++before) {
        const ir::ConditionIndex condition = transitions[before].condition;
        reasons.push_back({analysis.circuit.negation(analysis.model.condition_function(condition)),
                           Reason::Says::is_followed_first, analysis.tree.conditions[condition].span});
      }
      return reasons;
    };
    if (analysis.can_be(rules::SEL_condition_always_false, machine.place, {given.all}) == Answer::yes) {
      look_at_condition(analysis, machine.place, given, transitions[i].condition, [&]() -> ConditionWords {
        const PlaceIndex target = analysis.model.places[machine.place].children[transitions[i].target];
        return {"the condition of the transition from " + quote(analysis.node(state).name) + " to " +
                    quote(analysis.node(target).name),
                "correct the condition, or remove the transition"};
      });
    }
    given.all = analysis.circuit.conjunction(given.all, analysis.circuit.negation(holds));
  }
}

// ---- Loops --------------------------------------------------------------------------------------

// The states of a shortest cycle through `state` that transitions follow for the same values of the variables; empty if
// there is none, or it cannot be decided. Breadth first over ways that are possible.
struct Cycle {
  std::vector<std::size_t> states;
  Formula holds;
};

Cycle shortest_cycle(SelectAnalysis& analysis, const std::vector<std::vector<Formula>>& edges, Formula evaluated,
                     std::size_t state) {
  // For some values the transitions lead back to the state; for one example of them the way is unique.
  std::vector<Formula> at(edges.size(), analysis.circuit.constant(false));
  at[state] = evaluated;
  for (std::size_t length = 1; length <= edges.size(); ++length) {
    std::vector<Formula> next(edges.size(), analysis.circuit.constant(false));
    for (std::size_t from = 0; from < edges.size(); ++from) {
      if (analysis.questions.is_satisfiable(at[from]) != Answer::yes) continue;
      for (std::size_t to = 0; to < edges.size(); ++to) {
        const Formula goes = analysis.circuit.conjunction(at[from], edges[from][to]);
        next[to] = analysis.circuit.disjunction(next[to], goes);
      }
    }
    at.swap(next);
    const logic::Satisfied example = analysis.questions.satisfy({&at[state], 1});
    if (example.answer != Answer::yes) continue;
    std::vector<bool> state_of_example;
    for (const logic::Literal& literal : example.witness) {
      state_of_example.resize(std::max<std::size_t>(state_of_example.size(), literal.variable + std::size_t{1}));
      state_of_example[literal.variable] = literal.value;
    }
    logic::Valuation values(analysis.circuit, std::move(state_of_example));
    Cycle cycle{{state}, evaluated};
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t from = cycle.states.back();
      std::size_t to = 0;
      while (values.of(edges[from][to]) != Answer::yes) ++to;
      cycle.holds = analysis.circuit.conjunction(cycle.holds, edges[from][to]);
      cycle.states.push_back(to);
    }
    return cycle;
  }
  return {};
}

// The transition that an evaluation follows from one state to another in some of these states.
const ir::Transition& followed(SelectAnalysis& analysis, PlaceIndex state, std::size_t target, Formula states) {
  const std::vector<ir::Transition>& transitions = transitions_of(analysis, state);
  const ir::Transition* result = nullptr;
  for (const ir::Transition& transition : transitions) {
    const Formula holds = analysis.model.condition_function(transition.condition);
    const Formula follows = analysis.circuit.conjunction(states, holds);
    if (transition.target == target && analysis.questions.is_satisfiable(follows) == Answer::yes) return transition;
    if (transition.target == target && result == nullptr) result = &transition;
    states = analysis.circuit.conjunction(states, analysis.circuit.negation(holds));
  }
  return *result;  // the edge exists
}

void report_loop(SelectAnalysis& analysis, const SelectMachine& machine, const Cycle& cycle) {
  const std::span<const PlaceIndex> states = analysis.model.places[machine.place].children;
  std::string way;
  for (const std::size_t state : cycle.states) {
    way += (way.empty() ? "" : " -> ") + analysis.node(states[state]).name;
  }
  Finding* finding = nullptr;
  for (std::size_t i = 0; i + 1 < cycle.states.size(); ++i) {
    const ir::Transition& transition = followed(analysis, states[cycle.states[i]], cycle.states[i + 1], cycle.holds);
    if (finding == nullptr) {
      const bool stays = cycle.states.size() == 2;
      finding = &analysis.findings.add(
          rules::SEL_transition_loop, transition.span,
          stays ? "a transition of " + analysis.name(machine.place) + " leads back to its own state " +
                      quote(analysis.node(states[cycle.states[0]]).name)
                : "transitions of " + analysis.name(machine.place) + " hold in a cycle: " + way,
          stays ? "remove it: the machine stays in a state that no transition leaves"
                : "make one of their conditions exclude another: the machine stops at the first state that it meets "
                  "again");
    } else {
      finding->related.push_back({transition.span, "then this transition"});
    }
  }
  if (!analysis.has_witnesses()) return;
  // In an evaluation that reads the transitions of one of the states.
  Formula reads = analysis.circuit.constant(false);
  for (const std::size_t state : cycle.states) reads = analysis.circuit.disjunction(reads, machine.reads[state]);
  const Formula shown = analysis.circuit.conjunction(cycle.holds, reads);
  const Trace trace = analysis.reach().trace_to_tick(shown);
  if (trace.answer == Answer::yes) {
    finding->witness = witness_of(analysis, trace, "the transitions form a cycle: " + way);
  }
}

// One cycle for each state that is on one, unless a reported cycle has the state already.
void look_at_loops(SelectAnalysis& analysis, const SelectMachine& machine) {
  const Formula evaluated = analysis.model.taken(machine.place);
  const std::size_t count = machine.on_cycle.size();
  std::vector<bool> is_reported(count);
  std::vector<std::vector<Formula>> edges;
  for (std::size_t state = 0; state < count; ++state) {
    const Formula loops = analysis.circuit.conjunction(evaluated, machine.on_cycle[state]);
    const Answer answer = analysis.questions.is_satisfiable(loops);
    if (answer == Answer::unknown) analysis.leave_undecided(rules::SEL_transition_loop);
    if (answer != Answer::yes || is_reported[state]) continue;
    if (edges.empty()) edges = analysis.model.edges_of(machine.place);
    const Cycle cycle = shortest_cycle(analysis, edges, evaluated, state);
    if (cycle.states.empty()) {
      analysis.leave_undecided(rules::SEL_transition_loop);
      continue;
    }
    for (const std::size_t other : cycle.states) is_reported[other] = true;
    report_loop(analysis, machine, cycle);
  }
}

}  // namespace

// ---- States -------------------------------------------------------------------------------------

// Usually one of its transitions always holds; else it is left in all cases for several reasons.
void report_state_unreachable(SelectAnalysis& analysis, PlaceIndex state) {
  if (!analysis.has_words()) {
    analysis.findings.add(rules::SEL_state_unreachable, analysis.node(state).span, {});
    return;
  }
  const PlaceIndex machine = analysis.model.places[state].parent;
  std::vector<Reason> reasons = reasons_of_machine(analysis, machine);
  std::vector<Reason> leaving;
  for (const ir::Transition& transition : transitions_of(analysis, state)) {
    const Formula holds = analysis.model.condition_function(transition.condition);
    leaving.push_back({analysis.circuit.negation(holds), Reason::Says::leaves, transition.span});
  }
  reasons.insert(reasons.end(), leaving.begin(), leaving.end());
  const std::vector<Reason> enough = analysis.enough(reasons);
  Finding& finding = analysis.findings.add(
      rules::SEL_state_unreachable, analysis.node(state).span,
      "no evaluation ends in the state " + analysis.name(state) + (enough.empty() ? "" : ": it is always left again"));
  explain(analysis, finding, enough.empty() ? leaving : enough);
}

// ---- Conditions ---------------------------------------------------------------------------------

bool look_at_condition(SelectAnalysis& analysis, PlaceIndex place, const Given& given, ir::ConditionIndex index,
                       const std::function<ConditionWords()>& words) {
  const ir::Condition& condition = analysis.tree.conditions[index];
  const Formula holds = analysis.model.condition_function(index);
  const Formula fails = analysis.circuit.negation(holds);
  const auto reasons_for = [&](Formula impossible) {
    std::vector<Reason> reasons = analysis.reasons_above(place);
    if (given.reasons) {
      const std::vector<Reason> more = given.reasons();
      reasons.insert(reasons.end(), more.begin(), more.end());
    }
    reasons.push_back({impossible});
    return analysis.enough(reasons);
  };
  const auto can_be = [&](Rule rule, Formula value) { return analysis.can_be(rule, place, {value, given.all}); };
  const auto claim = [&](Rule rule, const char* always, const char* always_here, Formula impossible,
                         const std::string& hint) {
    const bool is_so_everywhere = analysis.questions.is_satisfiable(impossible) == Answer::no;
    Finding* const finding = analysis.claim(rule, condition.span, true);
    if (finding == nullptr) return;
    ConditionWords own = words();
    finding->message = own.name + (is_so_everywhere ? always : always_here);
    finding->hint = hint.empty() ? std::move(own.hint) : hint;
    if (analysis.has_words()) explain(analysis, *finding, reasons_for(impossible));
  };
  const Answer can_hold = can_be(rules::SEL_condition_always_false, holds);
  if (can_hold == Answer::unknown) return false;
  if (can_hold == Answer::no) {
    claim(rules::SEL_condition_always_false, " is never true", " is always false where it is read", holds, {});
    analysis.refute(rules::SEL_condition_always_true, condition.span);
    return true;
  }
  analysis.refute(rules::SEL_condition_always_false, condition.span);
  if (is_literal_true(condition) || !analysis.has_words()) return false;  // the rest is a note
  const Answer can_fail = can_be(rules::SEL_condition_always_true, fails);
  if (can_fail == Answer::yes) analysis.refute(rules::SEL_condition_always_true, condition.span);
  if (can_fail == Answer::no) {
    claim(rules::SEL_condition_always_true, " is always true", " is always true where it is read", fails,
          "remove it, or correct it");
  }
  return false;
}

void analyse_select_machines(SelectAnalysis& analysis) {
  for (const SelectMachine& machine : analysis.model.machines()) {
    if (analysis.is_closed[machine.place]) continue;
    for (const PlaceIndex state : analysis.model.places[machine.place].children) {
      look_at_transitions(analysis, machine, state);
    }
    look_at_loops(analysis, machine);
  }
}

}  // namespace espalier::lint

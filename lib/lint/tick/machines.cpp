// State machines: states, transitions, and the nodes that trigger them. See analysis.h.
#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "lint/tick/analysis.h"

#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

using Transitions = std::vector<ir::EventTransition>;

const Transitions& transitions(const TickAnalysis& analysis, PlaceIndex state) {
  return analysis.node(state).as<ir::EventTransitions>().transitions;
}

const ir::EventTransition* find_transition(const TickAnalysis& analysis, PlaceIndex state, std::uint32_t signal) {
  for (const ir::EventTransition& transition : transitions(analysis, state)) {
    if (transition.signal == signal) return &transition;
  }
  return nullptr;
}

std::string state_name(const TickAnalysis& analysis, PlaceIndex state) { return quote(analysis.node(state).label); }

constexpr std::size_t kMaxShownStates = 8;

// By state: the others with a transition to it.
std::vector<std::vector<std::size_t>> states_that_lead_to(const ir::Node& machine) {
  std::vector<std::vector<std::size_t>> sources(machine.children().size());
  std::size_t number = 0;
  for (const ir::Node& state : machine.children()) {
    for (const ir::EventTransition& transition : state.as<ir::EventTransitions>().transitions) {
      if (transition.target != number) sources[transition.target].push_back(number);
    }
    ++number;
  }
  return sources;
}

// Other states from which a path leads to this one. As the machine starts in none of them, they are all that keeps it
// from being reached.
std::set<std::size_t> states_before(const std::vector<std::vector<std::size_t>>& sources, std::size_t state) {
  std::set<std::size_t> states;
  std::vector<std::size_t> open = {state};
  for (std::size_t next = 0; next < open.size(); ++next) {
    for (const std::size_t source : sources[open[next]]) {
      if (source == state || states.size() == kMaxShownStates || !states.insert(source).second) continue;
      open.push_back(source);
    }
  }
  return states;
}

void find_unreachable_states(TickAnalysis& analysis) {
  analysis.each(opcode::tick_machine, [&](PlaceIndex machine) {
    const std::span<const PlaceIndex> states = analysis.outline.places[machine].children;
    const std::vector<bool> reached = reached_states(analysis.node(machine), 0, Counted::written);
    if (std::find(reached.begin(), reached.end(), false) == reached.end()) return;
    const std::vector<std::vector<std::size_t>> sources = states_that_lead_to(analysis.node(machine));
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (reached[i]) continue;
      Finding& finding =
          analysis.report(rules::MBT_state_unreachable, states[i],
                          "no path of transitions leads to the state " + state_name(analysis, states[i]));
      finding.related.push_back({analysis.span(states[0]), "the machine starts in " + state_name(analysis, states[0])});
      for (const std::size_t before : states_before(sources, i)) {
        finding.related.push_back({analysis.span(states[before]), "a path leads here from " +
                                                                      state_name(analysis, states[before]) +
                                                                      ", but none leads there from the first state"});
      }
    }
  });
}

void find_shadowed_transitions(TickAnalysis& analysis) {
  analysis.each(opcode::tick_state, [&](PlaceIndex state) {
    for (const ir::EventTransition& transition : transitions(analysis, state)) {
      const ir::EventTransition* first = find_transition(analysis, state, transition.signal);
      if (first == &transition) continue;
      analysis.findings
          .add(rules::MBT_transition_shadowed, transition.span,
               "this transition is never taken: an earlier transition of the state " + state_name(analysis, state) +
                   " has the event " + quote(analysis.event(transition.signal)))
          .related.push_back({first->span, "this one is taken"});
    }
  });
}

// Follows the success of a node that has sent an event upwards through the same update: a machine that ends in it
// drops the transition that the event has triggered.
void find_lost_transition(TickAnalysis& analysis, PlaceIndex send) {
  const std::uint32_t signal = analysis.signal(send);
  Results now = kSucceeds;
  for (PlaceIndex place = send; now != 0 && analysis.outline.places[place].parent != kNoPlace;
       place = analysis.outline.places[place].parent) {
    if (analysis.outline.opcode(place) == opcode::tick_state) {
      if (const ir::EventTransition* transition = find_transition(analysis, place, signal)) {
        const PlaceIndex machine = analysis.outline.places[place].parent;
        Finding& finding =
            analysis.report(rules::MBT_transition_lost, send,
                            "the transition on " + quote(analysis.event(signal)) + " is lost when the " +
                                analysis.name(machine) + " ends in the update that sends the event",
                            "use 'SendTransitionEvent', which runs until the machine has changed its state");
        finding.related.push_back({transition->span, "the transition"});
        finding.claim =
            analysis.claim("the event is sent, and " + analysis.name(machine) + " ends",
                           {{Happens::succeeds, analysis.span(send)}, {Happens::ends, analysis.span(machine)}});
        return;
      }
    }
    unsigned next = 0;
    for (const Result result : {Result::failure, Result::success}) {
      if ((now & bit(result)) != 0) next |= analysis.outline.after(place, result, Hosts::run);
    }
    now = static_cast<Results>(next & ~kRuns);
  }
}

// Does `place` receive the event while `send` runs? It does if it waits for it, or is a state with a transition on it,
// in another branch of a common parallel.
bool hears_beside(const TickAnalysis& analysis, PlaceIndex place, PlaceIndex send, std::uint32_t signal) {
  const Opcode opcode = analysis.outline.opcode(place);
  const bool waits = opcode == opcode::tick_wait_event && analysis.signal(place) == signal;
  const bool moves = opcode == opcode::tick_state && find_transition(analysis, place, signal) != nullptr;
  return (waits || moves) && analysis.outline.opcode(analysis.outline.common(place, send)) == opcode::tick_parallel;
}

// Can the event interrupt the node that sends it? It may change a variable that an enclosing priority reads, or be
// received in another branch of an enclosing parallel.
bool can_be_interrupted(const TickAnalysis& analysis, PlaceIndex send, std::uint32_t signal) {
  const bool sets_variables = !analysis.tree().signals[signal].assignments.empty();
  if (sets_variables && analysis.outline.above(send, opcode::tick_priority) != kNoPlace) return true;
  for (PlaceIndex place = 0; place < analysis.outline.places.size(); ++place) {
    if (hears_beside(analysis, place, send, signal)) return true;
  }
  return false;
}

void find_misplaced(TickAnalysis& analysis, PlaceIndex send) {
  const std::uint32_t signal = analysis.signal(send);
  std::vector<std::string_view> events;
  PlaceIndex nearest = kNoPlace;
  for (PlaceIndex state = analysis.outline.above(send, opcode::tick_state); state != kNoPlace;
       state = analysis.outline.above(state, opcode::tick_state)) {
    if (find_transition(analysis, state, signal) != nullptr) return;
    if (nearest == kNoPlace) nearest = state;
    for (const ir::EventTransition& other : transitions(analysis, state))
      events.push_back(analysis.event(other.signal));
  }
  if (can_be_interrupted(analysis, send, signal)) return;
  const text::Claim claim =
      analysis.claim(analysis.name(send) + " runs, and nothing ends it", {{Happens::runs, analysis.span(send)}});
  if (nearest == kNoPlace) {
    const bool is_send = analysis.outline.opcode(send) == opcode::tick_send;
    analysis
        .report_fault(rules::MBT_transition_node_misplaced, send,
                      analysis.name(send) + " runs forever: there is no state machine around it",
                      is_send ? "use 'SendEvent', which sends the event and continues"
                              : "use 'Signal', which sends the event and continues")
        .claim = claim;
    return;
  }
  Finding& finding = analysis.report_fault(
      rules::MBT_transition_node_misplaced, send,
      analysis.name(send) + " runs forever: no state around it has a transition on " + quote(analysis.event(signal)),
      text::did_you_mean(analysis.event(signal), events));
  finding.related.push_back({analysis.span(nearest), "the state " + state_name(analysis, nearest)});
  finding.claim = claim;
}

void find_in_nodes(TickAnalysis& analysis, Opcode opcode) {
  analysis.each(opcode, [&](PlaceIndex place) {
    const bool runs = static_cast<Result>(analysis.node(place).flags & kResultMask) == Result::running;
    if (runs) {
      find_misplaced(analysis, place);
    } else if (opcode == opcode::tick_send) {
      find_lost_transition(analysis, place);
    }
  });
}

}  // namespace

void analyse_machines(TickAnalysis& analysis) {
  find_unreachable_states(analysis);
  find_shadowed_transitions(analysis);
  find_in_nodes(analysis, opcode::tick_send);
  find_in_nodes(analysis, opcode::tick_queue);
}

}  // namespace espalier::lint

// The possible results of updates of a node. See outcomes.h.
#include "lint/tick/outcomes.h"

#include "lint/flow.h"
#include "lint/tick/parallel.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_guard

// The results of beginning child `number`, in the same update; the next child begins when one gives `goes_on`.
Results begin_at(std::span<const Outcome> children, std::size_t number, Results goes_on) {
  if (number == children.size()) return goes_on;
  RowFlow row(goes_on);
  for (; number < children.size(); ++number) row.add(children[number].first);
  return row.results();
}

Results declared_results(const ir::Node& node, const Facts& facts) {
  return facts.hosts_give_any ? ir::kAnyResult : node.as<ir::Behavior>().results;
}

}  // namespace

Results results_of_host(const ir::Node& action, const Facts& facts, Hosts hosts) {
  const Results declared = declared_results(action, facts);
  if (hosts == Hosts::choose) return declared;
  if ((declared & kRuns) != 0) return kRuns;
  const bool is_one = (declared & (declared - 1)) == 0;
  return is_one ? declared : Results{0};
}

Opening opening_of(const ir::Node& node, const Facts& facts, Hosts hosts) {
  switch (node.opcode) {
    case opcode::tick_chance_guard: {
      const std::uint64_t number = node.as<ir::Chance>().number;
      return {number > 0, number < kAlwaysOpen};
    }
    case opcode::tick_limit: {
      const std::uint32_t maximum = node.as<ir::Limit>().maximum;
      return {maximum > 0, !facts.agent_count || maximum < *facts.agent_count};
    }
    case opcode::tick_scope:
      return {node.as<ir::Limit>().maximum > 0, true};
    case opcode::tick_script_guard:
      return {true, true};
    case opcode::tick_wrapper: {
      const Results results = declared_results(node, facts);
      const bool can_open = (results & (kRuns | kSucceeds)) != 0;
      const bool can_close = (results & kFails) != 0;
      return {can_open, can_close && (hosts == Hosts::choose || !can_open)};
    }
    default:
      return {true, false};
  }
}

Results results_after(const ir::Node& parent, std::span<const Outcome> children, std::size_t number, Result result) {
  const Results now = bit(result);
  if (result == Result::running) return kRuns;
  const Flow& flow = flow_of(parent.opcode, parent.flags);
  const Results counted = goes_on_after(flow);
  switch (flow.shape) {
    case FlowShape::row:
      return now == counted ? begin_at(children, number + 1, counted) : now;
    case FlowShape::parallel:
      return parallel_after(parent.flags, children, number, result);
    case FlowShape::loop: {
      if (now != counted) return now;
      const std::uint32_t count = parent.as<ir::Limit>().maximum;
      unsigned results = count == 0 ? 0u : counted;
      if (count != 1) results |= kRuns | (children[0].can(kRuns) ? children[0].first & ~counted : 0u);
      return static_cast<Results>(results);
    }
    default:
      return result_after(flow, result);
  }
}

bool is_shadowed(const ir::EventTransitions& state, const ir::EventTransition& transition) {
  for (const ir::EventTransition& earlier : state.transitions) {
    if (&earlier == &transition) return false;
    if (earlier.signal == transition.signal) return true;
  }
  return false;
}

std::vector<bool> reached_states(const ir::Node& machine, std::uint32_t from, Counted counted) {
  std::vector<const ir::EventTransitions*> states;
  for (const ir::Node& state : machine.children()) states.push_back(&state.as<ir::EventTransitions>());
  std::vector<bool> reached(states.size());
  std::vector<std::uint32_t> open = {from};
  reached[from] = true;
  while (!open.empty()) {
    const ir::EventTransitions& state = *states[open.back()];
    open.pop_back();
    for (const ir::EventTransition& transition : state.transitions) {
      if (counted == Counted::taken && is_shadowed(state, transition)) continue;
      if (!reached[transition.target]) open.push_back(transition.target);
      reached[transition.target] = true;
    }
  }
  return reached;
}

}  // namespace espalier::lint

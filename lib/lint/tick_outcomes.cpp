// The possible results of updates of a node. See tick_outcomes.h.
#include "lint/tick_outcomes.h"

#include "lint/tick_parallel.h"

namespace espalier::lint {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_guard

// The results of beginning child `number`, in the same update; the next child begins when one gives `goes_on`.
Results begin_at(std::span<const Outcome> children, std::size_t number, Results goes_on) {
  unsigned results = 0;
  for (; number < children.size(); ++number) {
    results |= children[number].first & ~goes_on;
    if ((children[number].first & goes_on) == 0) return static_cast<Results>(results);
  }
  return static_cast<Results>(results | goes_on);
}

}  // namespace

Results results_of_host(Results declared, Hosts hosts) {
  if (hosts == Hosts::choose) return declared;
  if ((declared & kRuns) != 0) return kRuns;
  const bool is_one = (declared & (declared - 1)) == 0;
  return is_one ? declared : Results{0};
}

Opening opening_of(const ir::Node& node, const Facts& facts, Hosts hosts) {
  switch (node.opcode) {
    case Opcode::tick_chance_guard: {
      const std::uint64_t number = node.as<ir::Chance>().number;
      return {number > 0, number < kAlwaysOpen};
    }
    case Opcode::tick_limit: {
      const std::uint32_t maximum = node.as<ir::Limit>().maximum;
      return {maximum > 0, !facts.agent_count || maximum < *facts.agent_count};
    }
    case Opcode::tick_scope:
      return {node.as<ir::Limit>().maximum > 0, true};
    case Opcode::tick_script_guard:
      return {true, true};
    case Opcode::tick_wrapper: {
      const Results results = node.as<ir::Behavior>().results;
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
  const std::uint32_t flags = parent.flags;
  if (result == Result::running) return kRuns;
  switch (parent.opcode) {
    case Opcode::tick_sequence:
      return result == Result::success ? begin_at(children, number + 1, kSucceeds) : now;
    case Opcode::tick_selector:
      return result == Result::failure ? begin_at(children, number + 1, kFails) : now;
    case Opcode::tick_parallel:
      return parallel_after(flags, children, number, result);
    case Opcode::tick_loop: {
      const Results counted = (flags & kLoopsUntilSuccess) != 0 ? kFails : kSucceeds;
      if (now != counted) return now;
      const std::uint32_t count = parent.as<ir::Limit>().maximum;
      unsigned results = count == 0 ? 0u : counted;
      if (count != 1) results |= kRuns | (children[0].can(kRuns) ? children[0].first & ~counted : 0u);
      return static_cast<Results>(results);
    }
    case Opcode::tick_suppress:
      return kSucceeds;
    case Opcode::tick_wrapper:
      return (flags & kWrapperKeeps) != 0 && result == Result::success ? kRuns : now;
    default:
      return now;
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
  std::vector<bool> reached(machine.children.size());
  std::vector<std::uint32_t> open = {from};
  reached[from] = true;
  while (!open.empty()) {
    const ir::EventTransitions& state = machine.children[open.back()].as<ir::EventTransitions>();
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

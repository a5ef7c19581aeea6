// The possible results of updates of a node, and what follows from one of them for its parent.
#pragma once
#include <span>
#include <vector>

#include "lint/lint.h"
#include "lint/places.h"

namespace espalier::lint {

struct Outcome {
  Results first = 0;  // in the update that begins the node
  Results later = 0;  // in later updates; none if it cannot run
  Results all() const { return static_cast<Results>(first | later); }
  bool can(Results some) const { return (all() & some) != 0; }
};

// `choose`: a host's behaviour gives any of its declared results. `run`: it keeps running whenever it can; a result
// that is still possible does not depend on the host's answer.
enum class Hosts : std::uint8_t { choose, run };

// What the host's declared results leave of an action's.
Results results_of_host(const ir::Node& action, const Facts& facts, Hosts hosts);

// Can a gate be open (hold) and closed (fail)?
struct Opening {
  bool can_hold = true;
  bool can_fail = false;
};
// Of a gate that chance, other agents, a script or the host decide; other nodes are open.
Opening opening_of(const ir::Node& node, const Facts& facts, Hosts hosts);

// The possible results of `parent` in the update in which its child `number` gives `result`. A child that is running
// ends nothing; other branches of a parallel that end in the same update are not considered.
Results results_after(const ir::Node& parent, std::span<const Outcome> children, std::size_t number, Result result);

// Is it never taken, since an earlier one of the same state has the same event?
bool is_shadowed(const ir::EventTransitions& state, const ir::EventTransition& transition);

// The states of a tick_machine that transitions can reach from `from`, including `from`; those that are shadowed count
// as well if they are `written`.
enum class Counted : std::uint8_t { taken, written };
std::vector<bool> reached_states(const ir::Node& machine, std::uint32_t from = 0, Counted counted = Counted::taken);

}  // namespace espalier::lint

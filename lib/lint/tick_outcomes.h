// The possible results of updates of a node, computed from its children: one function, by opcode.
#pragma once
#include <span>
#include <vector>

#include "lint/lint.h"
#include "lint/places.h"
#include "lint/truth.h"

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

struct ResultRules {
  const ir::Tree& tree;
  const Facts& facts;
  Hosts hosts = Hosts::choose;

  Outcome outcome(const ir::Node& node, std::span<const Outcome> children) const;
  // The possible results of `parent` in the update in which its child `number` gives `result`. A child that is running
  // ends nothing; other branches of a parallel that end in the same update are not considered.
  Results after(const ir::Node& parent, std::span<const Outcome> children, std::size_t number, Result result) const;
  // Can a gate be open (hold) and closed (fail)? Other nodes are open.
  Truth opening(const ir::Node& node) const;

 private:
  Truth comparison(const ir::Node& node) const;
  Outcome leaf(const ir::Node& node) const;
  Outcome row(std::span<const Outcome> children, Result goes_on) const;
  Outcome priority(const ir::Node& node, std::span<const Outcome> children) const;
  Outcome machine(const ir::Node& node, std::span<const Outcome> children) const;
};

// Which cases of a tick_priority can be the first that holds, and whether none can hold.
struct Choice {
  std::vector<bool> can_be_first;
  bool none_can_hold = true;
};
Choice choice_of(const ir::Tree& tree, const ir::Node& priority);

// The states of a tick_machine that transitions can reach from `from`, including `from`.
std::vector<bool> reached_states(const ir::Node& machine, std::uint32_t from = 0);

}  // namespace espalier::lint

// What updates of a node can give, worked out from the nodes below it: one function, by opcode.
#pragma once
#include <span>
#include <vector>

#include "lint/lint.h"
#include "lint/places.h"
#include "lint/truth.h"

namespace espalier::lint {

struct Outcome {
  Results first = 0;  // in the update that begins the node
  Results later = 0;  // in those after it; none where it cannot run
  Results all() const { return static_cast<Results>(first | later); }
  bool can(Results some) const { return (all() & some) != 0; }
};

// Whether a host's behaviour gives whatever it is declared to give, or runs on whenever it can: what is possible all
// the same does not depend on its answer.
enum class Hosts : std::uint8_t { choose, run };

struct ResultRules {
  const ir::Tree& tree;
  const Facts& facts;
  Hosts hosts = Hosts::choose;

  Outcome outcome(const ir::Node& node, std::span<const Outcome> children) const;
  // What `parent` can give in the update in which its child `number` gives `result`. A running child alone does not end
  // anything: that another branch of a parallel ends in the same update is left out.
  Results after(const ir::Node& parent, std::span<const Outcome> children, std::size_t number, Result result) const;
  // Whether a gate can be open (hold) and closed (fail). Other nodes are open.
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

// Which states of a tick_machine a path of transitions leads to, from its first one or from `from`, that one too.
std::vector<bool> reached_states(const ir::Node& machine, std::uint32_t from = 0);

}  // namespace espalier::lint

// Exploration of trees that select as functions of their states, for those with too many variables to list them: the
// same answers as those of a search.
#pragma once
#include <espalier/espalier.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "explore/predicate.h"
#include "explore/properties.h"
#include "explore/results.h"
#include "explore/world.h"

namespace espalier::explore {

// Are its states functions, rather than listed?
bool uses_formulas(const Tree& tree, Method method);

// What is found of the items of a tree, which are those of its tracker, in their order.
struct SelectingCover {
  std::vector<Reached> reached;
  std::vector<std::optional<Trace>> traces;  // the shortest one to each item that is reached
  std::uint64_t state_count = 0;
  bool is_complete = false;
};
SelectingCover cover_selecting(const World& world, const Options& options);

// Where two versions first differ, without conditions; the world has two sides.
struct SelectingDiff {
  std::vector<Difference> differences;
  std::uint64_t state_count = 0;
  bool is_complete = false;
};
SelectingDiff diff_selecting(const World& world, const Options& options);

// Finds the conditions of differences: over the variables of both versions, true in exactly
// the reachable states in which these two behaviours are shown. Those that are not found within the budget, or that no
// condition can tell since a variable has two values, stay empty; so do those of versions with machines.
void find_conditions(const World& world, const Options& options, std::vector<Difference>& differences);

// What is asked of all runs of one tree.
struct SelectingClaim {
  PropertyKind kind = PropertyKind::always;
  const Predicate& expectation;
  // Of `expect`: the steps after which it must hold at one of the next `within` updates. An update that is such a step
  // counts for what came before it.
  std::function<bool(const Step& step)> is_trigger = {};
  std::uint32_t within = 1;
};
struct SelectingProof {
  Truth result = Truth::undecided;
  std::optional<Trace> trace;  // the shortest one that refutes the claim; of `reachable`: that shows it
  SourcePlace place;           // of the leaf that is selected then
  std::string reason;          // why it is, in words
  std::uint64_t state_count = 0;
};
SelectingProof prove_selecting(const World& world, const SelectingClaim& claim, const Options& options);

}  // namespace espalier::explore

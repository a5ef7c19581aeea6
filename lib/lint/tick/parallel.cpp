// Parallels. See parallel.h.
//
// The combined state of the branches is a mix: the set of results (running, failure, success) that at least one branch
// has. A branch that has ended keeps its result, so an update is described by the mixes before and after it.
#include "lint/tick/parallel.h"

#include <bitset>

#include "lint/flow.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

constexpr unsigned kMixCount = 8;
using Mixes = std::bitset<kMixCount>;
using Steps = std::bitset<std::size_t{kMixCount} * kMixCount>;  // before * kMixCount + after

constexpr Results kAll[] = {kRuns, kFails, kSucceeds};

// Is the previous update the first one, or a later one?
enum class Before : std::uint8_t { first, later };

// Adds a branch to the possible steps of the branches before it.
Steps add_branch(const Steps& steps, const Outcome& branch, Before before) {
  const unsigned known = before == Before::first ? branch.first : branch.all();
  const bool can_run = (branch.first & kRuns) != 0 && (before == Before::first || (branch.later & kRuns) != 0);
  Steps result;
  auto add = [&](Results was, Results is) {
    for (unsigned step = 0; step < steps.size(); ++step) {
      if (steps[step]) result.set((step / kMixCount | was) * kMixCount + (step % kMixCount | is));
    }
  };
  for (const Results ended : {kFails, kSucceeds}) {
    if ((known & ended) != 0) add(ended, ended);
  }
  for (const Results is : kAll) {
    if (can_run && (branch.later & is) != 0) add(kRuns, is);
  }
  return result;
}

Steps all_steps(std::span<const Outcome> branches, Before before) {
  Steps steps;
  steps.set(0);
  for (const Outcome& branch : branches) steps = add_branch(steps, branch, before);
  return steps;
}

// The mixes after the first update.
Mixes first_mixes(std::span<const Outcome> branches) {
  Mixes mixes(1);
  for (const Outcome& branch : branches) {
    Mixes next;
    for (unsigned mix = 0; mix < kMixCount; ++mix) {
      for (const Results is : kAll) {
        if (mixes[mix] && (branch.first & is) != 0) next.set(mix | is);
      }
    }
    mixes = next;
  }
  return mixes;
}

// The mixes after a later update, of a parallel that was running before it. If its mix leaves it running, it was
// running in all earlier updates.
Mixes later_mixes(std::uint32_t flags, std::span<const Outcome> branches) {
  const Steps steps = all_steps(branches, Before::first) | all_steps(branches, Before::later);
  Mixes mixes;
  for (unsigned step = 0; step < steps.size(); ++step) {
    if (steps[step] && parallel_result(flags, step / kMixCount) == kRuns) mixes.set(step % kMixCount);
  }
  return mixes;
}

Results results_of(std::uint32_t flags, const Mixes& mixes) {
  Results results = 0;
  for (unsigned mix = 0; mix < kMixCount; ++mix) {
    if (mixes[mix]) results |= parallel_result(flags, mix);
  }
  return results;
}

}  // namespace

Results parallel_result(std::uint32_t flags, unsigned mix) {
  return result_of_mix(flow_of(opcode::tick_parallel), flags, static_cast<Results>(mix));
}

Outcome parallel_outcome(std::uint32_t flags, std::span<const Outcome> branches) {
  return {results_of(flags, first_mixes(branches)), results_of(flags, later_mixes(flags, branches))};
}

Results parallel_after(std::uint32_t flags, std::span<const Outcome> branches, std::size_t number, Result result) {
  std::vector<Outcome> conditions;
  for (const Outcome& branch : branches) conditions.push_back({branch.all(), 0});
  conditions[number].first = bit(result);
  return results_of(flags, first_mixes(conditions));
}

bool parallel_can_hang(std::uint32_t flags, std::span<const Outcome> branches) {
  constexpr unsigned kMixed = kFails | kSucceeds;
  const bool runs_on = parallel_result(flags, kMixed) == kRuns;
  return runs_on && (first_mixes(branches)[kMixed] || later_mixes(flags, branches)[kMixed]);
}

}  // namespace espalier::lint

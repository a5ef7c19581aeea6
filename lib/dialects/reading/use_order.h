// Things that use one another: shared deciders, files of rules. In which order they can be resolved, and the cycles
// that prevent it.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "text/finding.h"

namespace espalier::dialects {

// One thing uses another; both are numbers.
struct Use {
  std::size_t user;
  std::size_t used;
};

struct UseOrder {
  // All things, each after those that it uses, except where a cycle prevents that.
  std::vector<std::size_t> order;
  // Each cycle once, as indices of uses: the use by the lowest thing comes first, and the last one leads back to it.
  // Several uses of one thing by another count as one. A very long cycle has only its first uses.
  std::vector<std::vector<std::size_t>> cycles;
};

// Things are visited from 0 on, their uses in the given order. Linear; not recursive.
[[nodiscard]] UseOrder order_by_use(std::size_t count, std::span<const Use> uses);

// A thing in a cycle, and where it uses the next one.
struct CycleStep {
  std::string name;
  text::Span use;
};

// "a -> b -> a", shortened if it is very long.
[[nodiscard]] std::string describe_cycle(std::span<const CycleStep> steps);
// The places of all uses but the first, as related places of a finding at the first.
[[nodiscard]] std::vector<text::Related> places_of_cycle(std::span<const CycleStep> steps);

}  // namespace espalier::dialects

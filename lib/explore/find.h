// What can be reached in a world, each with its shortest trace: the searches that an answer takes.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "explore/search.h"

namespace espalier::explore {

struct Findings {
  struct Mark {
    std::uint32_t steps = 0;
    Trace trace;
    std::uint64_t order = 0;     // among marks of as many steps
    bool is_shortest = true;     // but for richer steps, see Choices
    std::function<void()> show;  // runs its last step again, with Run::is_telling()
  };
  std::map<std::uint64_t, Mark> marks;

  std::uint64_t state_count = 0;
  std::uint64_t paid_count = 0;  // what the budget has paid: states, and steps as states
  bool is_complete = false;      // what is not marked cannot be reached
};

// The marks of the observer that can be reached. With `wanted_marks` different marks found, nothing more is explored.
//
// First with free answers, which tells what can be reached at all; then with kept ones, only until each of these marks
// has its shortest trace. Marks that plain choices reach, as far as these are explored, have the shortest trace of
// those. `dives`: what lies deeper is looked for by random runs, too; its traces are not the shortest ones, and show
// nothing.
Findings find_all(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget,
                  bool dives = false);

}  // namespace espalier::explore

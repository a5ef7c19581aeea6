// What an agent may be like where a log begins, if that is not how its tree begins: in the middle of a run, or after
// runs that the log does not have. Of the nodes' statuses the log tells much: what each node becomes first, and at the
// end of the run all are idle. The rest follows from what kinds of nodes can be like, and what is left open is tried.
#pragma once
#include <cstdint>
#include <vector>

#include "live/formats/log.h"
#include "live/lockstep.h"
#include "live/logged_tree.h"

namespace espalier::live {

struct Beginning {
  std::vector<std::uint64_t> block = {};  // of the agent, at the time of the log's change
  std::vector<EntrySet> sets = {};        // what entries hold that is not known
  std::uint64_t clock_us = 0;             // of its last update, if it goes on from one
};

// As its tree begins.
[[nodiscard]] Beginning beginning_of(const LoggedTree& tree);

// All that the agent may be like between two updates, before a change of the log. `is_within_run`: the root runs.
// Empty: that is not known, or there are too many.
[[nodiscard]] std::vector<Beginning> beginnings(const LoggedTree& tree, const Log& log, std::uint32_t first_change,
                                                bool is_within_run);

}  // namespace espalier::live

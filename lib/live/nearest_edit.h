// Why a log does not fit its tree: the number in the tree, or the two numbers, that would let the log fit if they were
// others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "live/lockstep.h"

namespace espalier::live {

struct NumberEdit {
  std::uint32_t node = 0;     // its number
  std::string port = {};      // "num_attempts"
  std::string is = {};        // "2"
  std::string would_be = {};  // "3"
  bool is_of_log = false;     // it is so in the log's own tree
};

struct NearestEdits {
  std::vector<NumberEdit> edits = {};  // with all of them the log fits; two only if no one does
  std::size_t tried_count = 0;         // trees that were run on the log
  bool is_complete = true;             // false: there are more edits than are tried
};

// Of several, those that change the numbers least. `of_log`: the tree that the log has, with the same nodes; null: it
// has none, and numbers of the nodes around the misfit are tried. `run`: of the tree, with a misfit.
[[nodiscard]] NearestEdits nearest_edits(const LoggedTree& tree, const Log& log, const FittedRun& run,
                                         const LoggedTree* of_log);

}  // namespace espalier::live

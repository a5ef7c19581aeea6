// Why a log does not fit its tree: the one number in the tree that, were it another, would let the log fit.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "live/lockstep.h"

namespace espalier::live {

struct NumberEdit {
  std::uint32_t node = 0;     // its number
  std::string port = {};      // "num_attempts"
  std::string is = {};        // "2"
  std::string would_be = {};  // "3"
  bool is_of_log = false;     // it is so in the log's own tree
};

// Of several, the one that changes the number least. `of_log`: the tree that the log has, with the same nodes; null: it
// has none, and numbers of the nodes around the misfit are tried. None: no one number explains it, or the log is too
// long to try.
[[nodiscard]] std::optional<NumberEdit> nearest_edit(const LoggedTree& tree, const Log& log, const Misfit& misfit,
                                                     const LoggedTree* of_log);

}  // namespace espalier::live

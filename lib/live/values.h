// What a log tells of the values that nodes of the program wrote: those that were tried and fit, in words.
#pragma once
#include <string>

#include "live/lockstep.h"

namespace espalier::live {

// "at most 30", "above 30 and below 80", "30 or true"; empty: the log tells nothing. `output`: of those of the node, by
// number.
[[nodiscard]] std::string constraint_of(const LoggedNode& node, const LeafAnswer& answer, std::size_t output);
// Is the value known, and not only what it is compared with?
[[nodiscard]] bool is_known(const LoggedNode& node, const LeafAnswer& answer, std::size_t output);
// The entry that an output is connected with: "battery", "north/cost".
[[nodiscard]] std::string entry_of(const LoggedTree& tree, const LoggedNode& node, const std::string& port);

}  // namespace espalier::live

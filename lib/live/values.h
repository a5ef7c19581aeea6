// What a log tells of the values that nodes of the program wrote: those that were tried and fit, in words.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "live/lockstep.h"

namespace espalier::live {

// "at most 30", "above 30 and below 80", "30 or true"; empty: the log tells nothing. `output`: of those of the node, by
// number.
[[nodiscard]] std::string constraint_of(const LoggedNode& node, const LeafAnswer& answer, std::size_t output);
// Is a value inferred that the node with this word wrote then? `kNoNode`: one that an entry had to hold before an
// update.
using IsInferred = std::function<bool(std::uint64_t time_us, std::uint32_t word)>;
inline constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
// The tree and the run must outlive it.
[[nodiscard]] IsInferred inferred_values(const LoggedTree& tree, const FittedRun& run);
// The results of nodes of which it was sampled what they wrote: by the time of the update, and the node's number.
[[nodiscard]] std::set<std::pair<std::uint64_t, std::uint32_t>> sampled_outputs(const FittedRun& run);
// Is the value known, and not only what it is compared with?
[[nodiscard]] bool is_known(const LoggedNode& node, const LeafAnswer& answer, std::size_t output);
// The entry that an output is connected with: "battery", "north/cost".
[[nodiscard]] std::string entry_of(const LoggedTree& tree, const LoggedNode& node, const std::string& port);

}  // namespace espalier::live

// What another version of the tree does with the answers that a log has.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/lockstep.h"

namespace espalier::live {

struct OtherVersion {
  // Its updates at the times of the log's, as far as the log has the answers that it needs.
  FittedRun run = {};
  // The numbers of the updates in which it asks other nodes of the program, or returns another status.
  std::vector<std::uint32_t> others = {};
  // Before these: the number of the first update in which a node of the program reads something else, and what it reads
  // in the log's tree and in this version: "FollowPath speed 2.5".
  std::optional<std::uint32_t> first_other_input = {};
  std::string log_input = {};
  std::string other_input = {};
  // The number of the node that is asked in the last update, without an answer in the log: then it is taken to run, or
  // to fail if it cannot.
  std::optional<std::uint32_t> unknown = {};
  // In the last update one of both versions is done, and the other one runs on.
  bool ends_apart = false;
  // Inferred values that this version compares with other values than the log's tree does, in words: "'battery' is
  // taken to be 31: the log tells only that it was above 30, and this version compares it with other values".
  std::vector<std::string> taken = {};
};

// Nodes of the program are those of the log's tree at the same path from the root, or else with the same name if only
// one has it. `now` gets the values that were inferred among those that its nodes may write.
[[nodiscard]] OtherVersion run_other_version(const LoggedTree& tree, const FittedRun& run, LoggedTree& now);

}  // namespace espalier::live

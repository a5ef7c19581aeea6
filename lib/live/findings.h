// What is wrong with a log, or between a log and a tree; and how much of a log is explained.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/lockstep.h"
#include "live/nearest_edit.h"

namespace espalier::live {

// What has the tree that the given one is compared with.
enum class Origin : std::uint8_t { log, program };

// The first node in which two trees differ. Nothing: they have the same nodes.
[[nodiscard]] std::optional<LogFault> other_tree(const LoggedTree& of_origin, const LoggedTree& given, Origin origin);
// A change of a node that the tree does not have. Nothing: it has all.
[[nodiscard]] std::optional<LogFault> other_nodes(const LoggedTree& tree, const Log& log);
// The first change that no tree makes, up to one of the log: a status that the node has already, a condition that runs.
[[nodiscard]] std::optional<LogFault> impossible_change(const LoggedTree& tree, const Log& log, std::uint32_t last);
// What came of fitting. `nearest`: what would let the log fit. `reason`: why else it may not; empty: nothing is known.
[[nodiscard]] std::vector<LogFault> faults_of(const LoggedTree& tree, const Log& log, const FittedRun& run,
                                              const NearestEdits& nearest = {}, const std::string& reason = {});

// "'FollowPath' (node 8, line 12)"
[[nodiscard]] std::string words_of_node(const LoggedTree& tree, std::uint32_t number);
// "record 12, 0.586 s": a change of the log, with the time since its first one.
[[nodiscard]] std::string place_of(const Log& log, std::uint32_t change);

// As people see a fault: "run.btlog: record 12, 0.586 s: error: ... [does-not-fit LOG007]", and its hint.
[[nodiscard]] std::string fault_text(std::string_view path, const LogFault& fault);

struct Explained {
  std::uint32_t updates = 0;  // that changed something
  std::uint32_t certain = 0;
  std::uint32_t changes = 0;  // of the log
  std::uint32_t explained = 0;
  std::uint32_t values_inferred = 0;  // outputs and entries that only one value fits
  std::uint32_t values_unknown = 0;
  std::uint32_t values_sampled = 0;  // that were read beside the log, or in a recorder's
  bool is_recorded = false;          // by a recorder: nothing is inferred
  bool leaves_out_ways = false;      // see FittedRun
};
[[nodiscard]] Explained explained(const Log& log, const FittedRun& run);
// "51 updates, all certain; 451 of 451 changes explained; 3 values inferred, 2 unknown"
[[nodiscard]] std::string words_of(const Explained& explained);
// {"import": {...}}: the last line of a report for programs. `against`: what is said of another version, as JSON.
[[nodiscard]] std::string json_of(const LoggedTree& tree, const Log& log, const FittedRun& run,
                                  const NearestEdits& nearest = {}, const std::string& against = {});
// That of a log without changes.
[[nodiscard]] std::string json_of_nothing();

}  // namespace espalier::live

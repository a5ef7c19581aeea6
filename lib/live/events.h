// What a tree did in a run that fits a log, as events of a replay, and as JSON with what only the log knows of them.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "live/lockstep.h"
#include "replay/event.h"

namespace espalier::live {

// Calls visit(number of the update in the run, event) for each event in its order. `has_reads`: also for what nodes of
// the program read.
void each_event(const LoggedTree& tree, const FittedRun& run, bool has_reads,
                const std::function<void(std::uint32_t, const replay::Event&)>& visit);

// When the run begins, in us since 1970.
[[nodiscard]] std::int64_t first_us_of(const Log& log, const FittedRun& run);

class EventWriter {
 public:
  // `first_us`: when the run begins, in us since 1970. The tree and the run must outlive this.
  EventWriter(const LoggedTree& tree, const FittedRun& run, std::int64_t first_us)
      : EventWriter(tree, run, first_us, first_us, 0) {}
  // `zero_us`: from when on times are told; `agent`: whose events they are.
  EventWriter(const LoggedTree& tree, const FittedRun& run, std::int64_t first_us, std::int64_t zero_us,
              std::uint32_t agent);

  // Events as a replay writes them, with the "uid" of the node and "at", in us since 1970; answers with their "result",
  // inferred values with "inferred", and the results of updates that may have been otherwise with "certain": false.
  // Empty: logs do not have events of this kind. `update`: its number in the run.
  std::string json_of(std::uint32_t update, const replay::Event& event) const;

 private:
  const LoggedTree& tree_;
  const FittedRun& run_;
  const std::set<std::pair<std::uint64_t, std::uint32_t>> sampled_;
  const std::int64_t first_us_;
  const std::int64_t zero_us_;
  const std::uint32_t agent_;
};

}  // namespace espalier::live

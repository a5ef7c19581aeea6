// A run that fits a log, as a trace that `replay` runs: what the program answered before each update that changed
// something, and after those that are certain what must hold.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "live/lockstep.h"
#include "replay/replay.h"

namespace espalier::live {

class TraceWriter {
 public:
  // The tree must outlive this.
  explicit TraceWriter(const LoggedTree& tree);

  // `name`: for reports; empty: it has none.
  std::string first_line(const std::string& name) const;
  // The lines of the next update, without expectations. `run`: whose update it is.
  std::string lines_of(const FittedRun& run, const Update& update);

 private:
  std::string sets_of(const FittedRun& run, const Update& update) const;
  std::string answers_of(const FittedRun& run, const Update& update);
  std::string text_of(const LeafAnswer& answer) const;

  const LoggedTree& tree_;
  std::vector<std::string> names_;     // of leaves, by node
  std::vector<std::string> scripted_;  // the last answer, by node
  std::uint64_t clock_us_ = 0;
};

// `name`: for reports; empty: it has none. `has_expectations`: it says what must hold; without, it takes half the time.
[[nodiscard]] std::string trace_of(const LoggedTree& tree, const FittedRun& run, const std::string& name,
                                   bool has_expectations);

// The agent at the run's first update; none: as its tree begins. A trace alone cannot say it.
[[nodiscard]] std::optional<replay::Start> start_of(const FittedRun& run);

}  // namespace espalier::live

// A program that is watched, followed in lockstep with its tree: why it does what its changes show.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/log_tree.h"
#include "live/publisher/decisions.h"
#include "live/trace.h"
#include "replay/replay.h"
#include "report/decision_lines.h"

namespace espalier::cli {

// What is told, in its order.
struct FollowedEvents {
  std::function<void(const live::Change&)> change;
  std::function<void(std::int64_t at_us, const std::string& words)> reason;  // of the changes before it
  std::function<void(const std::string& json)> entry;                        // an event: an entry is written
  std::function<std::int64_t()> zero_us;                                     // from when on times are told
};

class Followed {
 public:
  // The tree must outlive this. `name_of`: a node, by its number.
  Followed(const CompiledTree& compiled, std::uint32_t agent, const std::function<std::string(std::uint32_t)>& name_of,
           FollowedEvents events);

  // See live::Decisions.
  void begin(const std::vector<live::NodeStatus>& statuses) { decisions_.begin(statuses); }
  void add(const std::vector<live::Change>& changes);
  // Tells what is complete; `now_us`: since 1970, by the program's clock.
  void tell(std::int64_t now_us);
  // Tells what is left, as nothing more comes.
  void end();

 private:
  void tell_rest();
  void tell(const live::Decided& decided);
  void run(const std::string& lines);

  const CompiledTree& compiled_;
  const std::uint32_t agent_;
  const FollowedEvents events_;
  live::Decisions decisions_;
  report::DecisionLines lines_;
  replay::Observer observer_;
  replay::ReplayOptions options_;
  text::Sources sources_;
  std::unique_ptr<live::TraceWriter> writer_;
  std::unique_ptr<replay::SteppedReplay> replay_;
  std::uint64_t line_number_ = 0;
  std::function<std::string(const replay::Event&)> json_of_;  // of the update that is replayed
  std::vector<std::string> entries_;
};

}  // namespace espalier::cli

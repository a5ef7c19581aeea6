// Makes a timeline of what happens in replays.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "replay/replay.h"
#include "replay/timeline.h"

namespace espalier::replay {

// For one trace. Assets must have names, and outlive it.
class TimelineRecorder {
 public:
  // `keeps_runs`: see Timeline.
  explicit TimelineRecorder(bool keeps_runs) {
    timeline_.keeps_runs = keeps_runs;
    timeline_.knows_updates = true;
  }
  // Of the replay. It refers to the recorder.
  Observer observer();
  // After the replay.
  Timeline take();

 private:
  using TreeKey = std::pair<const Asset*, std::uint32_t>;
  using NodeKey = std::pair<std::uint32_t, std::uint32_t>;  // agent and row

  void take_event(const Event& event);
  void begin(const NodeKey& node);
  void end(const NodeKey& node, Ending ending);
  void end_agent(std::uint32_t agent, Ending ending);
  void count_update(std::uint32_t agent);
  void note_ticked(const NodeKey& node);
  bool find_row(const Event& event, std::uint32_t* row);
  // The row with the name of the tree.
  std::uint32_t title_of(const Tree& tree);

  Timeline timeline_;
  std::map<TreeKey, std::uint32_t> titles_;
  std::map<const Asset*, std::map<std::uint32_t, std::uint32_t>> rows_;  // by word
  std::map<NodeKey, std::uint64_t> active_;                              // since when
  std::map<std::uint32_t, std::set<std::uint32_t>>
      ticked_;  // by agent: rows of its last update, beside the active ones
  std::uint64_t time_us_ = 0;
};

}  // namespace espalier::replay

// What a program that runs decides, found as in a log (lockstep.h): its changes are followed an update at a time, from
// where it is known what its agent is like: the beginning, or when its tree is idle.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "live/beginning.h"
#include "live/formats/log.h"
#include "live/lockstep.h"
#include "live/logged_tree.h"
#include "live/publisher/client.h"

namespace espalier::live {

// Updates that were followed, and their changes.
struct Decided {
  FittedRun run = {};
  std::vector<Change> changes = {};
  std::int64_t origin_us = 0;  // where the clock of the updates is 0, since 1970
  // The agent before them is another one than after those before: they were not followed, or were taken for others.
  bool is_apart = false;
};

class Decisions {
 public:
  // The tree must outlive this.
  explicit Decisions(const LoggedTree& tree) : tree_(tree) {}

  // Nothing is known of what came before. `statuses`: of all nodes, before the changes that come now.
  void begin(const std::vector<NodeStatus>& statuses);
  void add(const Change& change);
  // What is complete at this time, in us since 1970 by the program's clock. None: nothing, or it cannot be followed;
  // then take_rest() has the changes.
  std::optional<Decided> follow(std::int64_t now_us);
  // Changes that are not followed.
  std::vector<Change> take_rest();
  // Changes are missing: nothing is followed until the tree is idle again.
  void lose();

 private:
  enum class State : std::uint8_t {
    waits,   // until the tree is idle
    idle,    // it is idle, and begins with its next change
    follows  // all that its agent may be like is in ways_
  };
  std::size_t complete_count(std::int64_t now_us) const;

  const LoggedTree& tree_;
  State state_ = State::waits;
  bool is_fresh_ = false;  // it never ran
  bool is_apart_ = true;
  std::int64_t origin_us_ = 0;
  std::vector<Beginning> ways_;
  std::vector<std::uint64_t> told_;  // the block after what was followed last
  Log pending_;
  std::vector<Change> rest_;
};

}  // namespace espalier::live

// One of the next states of a state, at random. See run.h.
#include "explore/run.h"

namespace espalier::explore {

Edge Run::go_at_random(const unsigned char* state, const Step* step, const Below& below,
                       const std::function<void(const Next&)>& take) {
  from_ = state;
  begin_work();
  cost_ = 1;
  wanted_ = 0;
  edge_ = {};
  path_.clear();
  path_count_ = 0;
  below_ = &below;
  begin(state);
  Step taken{.kind = StepKind::tick, .agent = kAllAgents};
  const bool is_unfinished_before = takes_turns() && *world_.turn(state_) != 0;
  wait_ = 0;
  if (!is_unfinished_before) {
    find_waits(state_, waits_us_);
    wait_ = below(static_cast<std::uint32_t>(waits_us_.size()));
    taken.time_us = waits_us_[wait_];
    if (step != nullptr) taken = *step;
  }
  apply(taken);
  finish(taken, take);
  below_ = nullptr;
  wanted_.reset();
  work_ = work_so_far();
  return std::move(edge_);
}

}  // namespace espalier::explore

// Where a log can begin, and what it is fitted with. See lockstep.h.
#include "live/lockstep.h"

#include <algorithm>

#include "live/attempt.h"
#include "live/beginning.h"
#include "live/follow.h"
#include "live/ways.h"
#include "runtime/format/opcodes/poll.h"

namespace espalier::live {
namespace {

// Where the tree is idle again, for a log that begins in the middle of a run: behind its result.
std::uint32_t after_first_run(const LoggedTree& tree, const Log& log) {
  bool is_done = false;
  for (std::uint32_t i = 0; i < log.changes.size(); ++i) {
    if (!tree.is_of(log.changes[i], log, 0)) continue;
    const Status status = log.changes[i].status;
    if (is_done && status == Status::idle) return i + 1;
    is_done = status == Status::success || status == Status::failure;
  }
  return static_cast<std::uint32_t>(log.changes.size());
}

// Where a log goes on that begins in the middle of an update; 0: nowhere.
std::uint32_t second_update(const Log& log) {
  std::uint32_t next = 1;
  const auto is_apart = [&] {
    return log.changes[next].begins_message ||
           (!log.has_messages && log.changes[next].at_us - log.changes[next - 1].at_us >= kOtherUpdate_us);
  };
  while (next < log.changes.size() && !is_apart()) ++next;
  return next < log.changes.size() ? next : 0;
}

class Fit {
 public:
  Fit(const LoggedTree& tree, const Log& log, const SampledValues* samples, bool is_of_version_3 = false)
      : tree_(tree), log_(log), samples_(samples), is_of_version_3_(is_of_version_3), fresh_(beginning_of(tree)) {}

  FittedRun run(bool may_have_run) const {
    FittedRun run = from(0, {fresh_});
    if (!run.misfit) return run;
    const bool begins_within = run.updates.empty();
    if (may_have_run) {
      FittedRun other = from(0, beginnings(tree_, log_, 0, begins_within));
      const std::uint32_t second = begins_within && other.misfit ? second_update(log_) : 0;
      if (second != 0) other = from(second, beginnings(tree_, log_, second, true));
      if (!other.misfit) {
        other.begins_within_run = begins_within;
        // Its first changes may be the last ones of an update.
        const bool may_lack_begin = begins_within && !log_.has_messages;
        if (may_lack_begin && !other.updates.empty()) other.updates.front().is_certain = false;
        return other;
      }
    }
    if (!begins_within) return run;
    FittedRun rest = from_next_run(may_have_run);
    return rest.misfit && rest.updates.empty() && !rest.is_start_unknown ? run : rest;
  }

 private:
  FittedRun from(std::uint32_t first_change, const std::vector<Beginning>& all) const {
    if (all.empty()) return {.misfit = Misfit{}};  // nothing is known
    FittedRun run = ways_through(tree_, log_, {samples_, is_of_version_3_, {}}, first_change, all);
    if (run.start == fresh_.block) run.start.clear();
    return run;
  }

  FittedRun from_next_run(bool may_have_run) const {
    const std::uint32_t later = after_first_run(tree_, log_);
    const std::vector<Beginning> all = beginnings(tree_, log_, later, false);
    if (may_have_run && !all.empty()) {
      FittedRun run = from(later, all);
      if (!run.misfit) return run;
    }
    FittedRun run = from(later, {fresh_});
    run.is_start_unknown = later < log_.changes.size() && (all.size() != 1 || all.front().block != fresh_.block);
    if (run.is_start_unknown) {
      if (run.limit.empty()) run.limit = "the tree may remember something of the run before";
      for (Update& update : run.updates) update.is_certain = false;
    }
    return run;
  }

  const LoggedTree& tree_;
  const Log& log_;
  const SampledValues* const samples_;
  const bool is_of_version_3_;
  const Beginning fresh_;
};

}  // namespace

FittedRun fit(const LoggedTree& tree, const Log& log, bool may_have_run) {
  FittedRun run = Fit(tree, log, nullptr).run(may_have_run);
  const bool has_names_alone = log.has_messages && !log.changes.empty() && log.changes.front().uid == 0;
  const bool is_all = !run.misfit && run.first_change == 0 && !run.begins_within_run;
  if (!has_names_alone || is_all) return run;
  FittedRun other = Fit(tree, log, nullptr, true).run(false);
  const auto place_of = [&](const FittedRun& each) {
    return each.misfit ? each.misfit->change : static_cast<std::uint32_t>(log.changes.size()) - each.first_change;
  };
  const bool is_better = !other.updates.empty() && (place_of(other) > place_of(run) || (run.misfit && !other.misfit));
  if (is_better) run = std::move(other);
  const bool has_memory = std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const LoggedNode& node) {
    return opcode_of(tree.view().nodes + node.word) == opcode::poll_sequence_with_memory;
  });
  if (has_memory && run.limit.empty())
    run.limit = "a SequenceStar of BehaviorTree.CPP 3 starts again when it is halted";
  return run;
}

FittedRun go_on(const LoggedTree& tree, const Log& log, std::int64_t origin_us,
                const std::vector<Beginning>& beginnings, std::vector<Beginning>* ends) {
  return ways_through(tree, log, {.origin_us = origin_us}, 0, beginnings, ends);
}

FittedRun fit_with_samples(LoggedTree& tree, const Log& log, bool may_have_run) {
  if (!log.updates.empty()) return follow(tree, log);
  const SampledValues samples(tree, log);
  if (samples.is_empty()) return fit(tree, log, may_have_run);
  FittedRun run = Fit(tree, log, &samples).run(may_have_run);
  if (!run.misfit && run.first_change == 0) return run;
  FittedRun without = fit(tree, log, may_have_run);
  const bool is_better = run.misfit ? !without.misfit || without.misfit->change > run.misfit->change
                                    : !without.misfit && without.first_change < run.first_change;
  if (!is_better) return run;
  without.leaves_out_samples = true;
  return without;
}

}  // namespace espalier::live

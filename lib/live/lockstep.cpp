// Ways through a log. See lockstep.h.
#include "live/lockstep.h"

#include <espalier/polling.h>
#include <espalier/watching.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "live/attempt.h"
#include "live/beginning.h"
#include "live/follow.h"
#include "replay/strategy.h"

namespace espalier::live {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::size_t kMostWorlds = 128;           // ways that are followed side by side
constexpr std::size_t kMostReturns = 64;           // updates from which less likely ways can still be tried
constexpr std::size_t kMostAttempts = 20'000;      // of one update
constexpr std::size_t kMostAttemptsAChange = 200;  // of all updates

constexpr const char* kTooManyWays = "the log leaves more ways open than are tried";

// A step of a way: an update after another one.
struct Step {
  std::uint32_t parent = kNone;
  std::uint32_t beginning = 0;
  Update update = {};
};

// A way: the agent as it is after a step, and the log's next change.
struct World {
  std::vector<std::uint64_t> block;
  std::uint32_t beginning = 0;  // its number
  std::uint32_t step = kNone;
  std::uint32_t cursor = 0;
  std::uint64_t clock_us = 0;
  bool was_halted = false;     // by the last step, which took no change
  std::uint32_t left_out = 0;  // changes that are taken for those of another tree
};

class Lockstep {
 public:
  Lockstep(const LoggedTree& tree, const Log& log, const SampledValues* samples, bool is_of_version_3 = false)
      : tree_(tree), log_(log), is_of_version_3_(is_of_version_3), attempt_(tree, log, samples, is_of_version_3) {}

  void set_origin(std::int64_t origin_us) { origin_us_ = origin_us; }

  // What the agent may be like at the end; none: the log does not fit, or ends within an update.
  std::vector<Beginning> ends() const {
    std::vector<Beginning> ends;
    for (const World& world : done_) {
      const bool is_whole = world.step == kNone || !steps_[world.step].update.lacks_end;
      if (!is_whole || world.left_out != 0) return {};
      ends.push_back({world.block, {}, world.clock_us});
    }
    return ends;
  }

  // `beginnings`: what the agent may be like there.
  FittedRun run(std::uint32_t first_change, const std::vector<Beginning>& beginnings) {
    run_.first_change = first_change;
    run_.limit = tree_.limit();
    if (origin_us_ == kNoOrigin && first_change < log_.changes.size()) origin_us_ = log_.changes[first_change].at_us;
    beginnings_ = beginnings;
    for (std::uint32_t i = 0; i < beginnings.size(); ++i) {
      World world{
          .block = beginnings[i].block, .beginning = i, .cursor = first_change, .clock_us = beginnings[i].clock_us};
      for (const EntrySet& set : beginnings[i].sets) write(set, world);
      worlds_.push_back(std::move(world));
    }
    while (!worlds_.empty() || (done_.empty() && !returns_.empty())) {
      const bool is_return = worlds_.empty();
      World world = std::move(is_return ? returns_.back() : worlds_.front());
      is_return ? returns_.pop_back() : worlds_.pop_front();
      if (world.cursor == log_.changes.size()) {
        done_.push_back(std::move(world));
        continue;
      }
      if (is_halt_message(world.cursor)) {
        halt(world, end_of_message(world.cursor), true);
        continue;
      }
      const bool goes_on = try_update(world, is_return);
      if (is_return) continue;
      if (!goes_on) try_halt(world);
      if (log_.changes[world.cursor].may_be_other) leave_out_message(world);
      if (attempt_.has_less_likely()) remember(std::move(world));
    }
    return finish();
  }

 private:
  void remember(World world) {
    if (returns_.size() == kMostReturns) returns_.pop_front();
    returns_.push_back(std::move(world));
  }

  std::uint64_t time_of(std::uint32_t change) const {
    const std::int64_t since = log_.changes[change].at_us - origin_us_;
    return since < 0 ? 0 : static_cast<std::uint64_t>(since);
  }

  // The times that an update may have had, the likeliest first.
  std::vector<std::uint64_t> clocks_of(const World& world) const {
    std::vector<std::uint64_t> clocks = {std::max(world.clock_us, time_of(world.cursor))};
    if (!tree_.has_clock()) return clocks;
    std::uint32_t end = world.cursor;
    while (end + 1 < log_.changes.size() && log_.changes[end + 1].at_us - log_.changes[end].at_us < kSameUpdate_us)
      ++end;
    clocks.push_back(std::max(world.clock_us, time_of(end)));
    if (world.cursor > run_.first_change) clocks.push_back(std::max(world.clock_us, time_of(world.cursor - 1)));
    return clocks;
  }

  // Adds what may follow. False: nothing does.
  bool try_update(const World& world, bool is_less_likely) {
    std::vector<std::string> set_entries;
    bool is_found = false;
    const std::vector<std::uint64_t> clocks = clocks_of(world);
    for (std::size_t i = 0; i < clocks.size() && !is_found; ++i) {
      attempt_.begin(is_less_likely);
      std::size_t count = 0;
      bool has_new_entry = false;
      do {
        has_new_entry = false;
        if (++count > kMostAttempts ||
            ++attempt_count_ > kMostAttemptsAChange * (log_.changes.size() + kMostAttempts)) {
          run_.limit = kTooManyWays;
          break;
        }
        World next{.block = world.block,
                   .beginning = world.beginning,
                   .step = world.step,
                   .cursor = world.cursor,
                   .clock_us = clocks[i]};
        const std::vector<EntrySet> sets = set_values(set_entries, next);
        attempt_.run(next.block.data(), clocks[i], world.cursor);
        if (needs_value(set_entries)) {
          set_entries.push_back(attempt_.missing_entry());
          attempt_.begin(is_less_likely);
          has_new_entry = true;
          continue;
        }
        const bool changes_nothing = !attempt_.misfit() && attempt_.cursor() == world.cursor;
        note(changes_nothing ? Misfit{world.cursor, 0, {}, true} : attempt_.misfit());
        if (attempt_.misfit() || changes_nothing) continue;
        if (is_less_likely && !attempt_.is_less_likely()) continue;  // it was tried before
        is_found = true;
        add(world, std::move(next), sets);
      } while (has_new_entry || attempt_.next());
    }
    return is_found;
  }

  void write(const EntrySet& set, World& world) const {
    std::uint32_t id = 0;
    if (espalier_find_entry(tree_.tree(), "", set.entry.c_str(), &id) == ESPALIER_OK)
      static_cast<void>(replay::write_entry(tree_.tree(), world.block.data(), id, set.value));
  }

  // The first step of a way tells what the agent is taken to have been.
  Step step_after(const World& world) const {
    Step step{.parent = world.step, .beginning = world.beginning};
    if (world.step == kNone) step.update.sets = beginnings_[world.beginning].sets;
    return step;
  }

  std::vector<EntrySet> set_values(const std::vector<std::string>& entries, World& world) {
    std::vector<EntrySet> sets;
    for (const std::string& entry : entries) {
      const std::vector<explore::EntryValue> values = tree_.values_of(entry);
      sets.push_back({entry, values[attempt_.choose(values.size())]});
      write(sets.back(), world);
    }
    return sets;
  }

  // Did the update end because an entry of the tree's own blackboard has no value?
  bool needs_value(const std::vector<std::string>& set_entries) const {
    const std::string& entry = attempt_.missing_entry();
    std::uint32_t id = 0;
    return !entry.empty() && std::find(set_entries.begin(), set_entries.end(), entry) == set_entries.end() &&
           espalier_find_entry(tree_.tree(), "", entry.c_str(), &id) == ESPALIER_OK;
  }

  void add(const World& from, World next, const std::vector<EntrySet>& sets) {
    next.cursor = attempt_.cursor();
    next.left_out = from.left_out;
    Step step = step_after(from);
    step.update.first_change = from.cursor;
    step.update.change_count = next.cursor - from.cursor;
    step.update.clock_us = next.clock_us;
    step.update.sets.insert(step.update.sets.end(), sets.begin(), sets.end());
    step.update.first_answer = static_cast<std::uint32_t>(run_.answers.size());
    step.update.answer_count = static_cast<std::uint32_t>(attempt_.answers().size());
    step.update.status = attempt_.result();
    step.update.is_certain = !attempt_.is_doubtful();
    step.update.lacks_end = attempt_.is_beyond_end();
    run_.answers.insert(run_.answers.end(), attempt_.answers().begin(), attempt_.answers().end());
    next.step = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(std::move(step));
    insert(std::move(next));
  }

  // The next message is one of the other tree.
  void leave_out_message(const World& world) {
    World next = world;
    do {
      ++next.cursor;
      ++next.left_out;
    } while (next.cursor < log_.changes.size() && !log_.changes[next.cursor].begins_message);
    insert(std::move(next));
  }

  // In the order of the log. Of two ways to the same state one is followed.
  void insert(World world) {
    auto at = worlds_.end();
    while (at != worlds_.begin() && (at - 1)->cursor > world.cursor) --at;
    for (auto other = at; other != worlds_.begin() && (other - 1)->cursor == world.cursor;) {
      --other;
      if (other->clock_us != world.clock_us || other->block != world.block) continue;
      return merge(other->step, world.step);
    }
    if (worlds_.size() >= std::max(kMostWorlds, beginnings_.size())) {
      run_.limit = kTooManyWays;
      return;
    }
    worlds_.insert(at, std::move(world));
  }

  bool are_same(const Update& a, const Update& b) const {
    if (a.first_change != b.first_change || a.change_count != b.change_count || a.answer_count != b.answer_count)
      return false;
    for (std::uint32_t i = 0; i < a.answer_count; ++i) {
      const LeafAnswer& one = run_.answers[a.first_answer + i];
      const LeafAnswer& other = run_.answers[b.first_answer + i];
      if (one.node != other.node || one.result != other.result) return false;
    }
    return true;
  }

  static bool has_set(const Update& update, const EntrySet& wanted) {
    return std::any_of(update.sets.begin(), update.sets.end(), [&](const EntrySet& set) {
      return set.entry == wanted.entry && explore::text_of(set.value) == explore::text_of(wanted.value);
    });
  }

  // Marks what differs between a way that is kept and one that is not.
  void merge(std::uint32_t kept, std::uint32_t dropped) {
    while (kept != dropped && kept != kNone && dropped != kNone) {
      Update& update = steps_[kept].update;
      const Update& other = steps_[dropped].update;
      if (are_same(update, other)) {
        for (std::uint32_t i = 0; i < update.answer_count; ++i)
          run_.answers[update.first_answer + i].fitting |= run_.answers[other.first_answer + i].fitting;
        for (EntrySet& set : update.sets) set.is_open = set.is_open || !has_set(other, set);
        kept = steps_[kept].parent;
        dropped = steps_[dropped].parent;
      } else {
        update.is_certain = false;
        // The one that begins later in the log goes back.
        const bool goes_back = update.first_change >= other.first_change;
        if (update.first_change <= other.first_change) dropped = steps_[dropped].parent;
        if (goes_back) kept = steps_[kept].parent;
      }
    }
  }

  // ---- Halts

  std::uint32_t end_of_message(std::uint32_t cursor) const {
    do ++cursor;
    while (cursor < log_.changes.size() && !log_.changes[cursor].begins_message);
    return cursor;
  }

  // Version 3: what was halted after a goal is told by itself, or with the next goal.
  bool is_halt_message(std::uint32_t cursor) const {
    const auto begin = log_.changes.begin();
    return is_of_version_3_ && std::all_of(begin + cursor, begin + end_of_message(cursor),
                                           [](const Change& change) { return change.status == Status::idle; });
  }
  bool begins_goal(std::uint32_t cursor) const {
    const std::uint32_t end = is_of_version_3_ ? end_of_message(cursor) : cursor + 1;
    for (; cursor < end; ++cursor) {
      if (log_.changes[cursor].status == Status::running && tree_.is_of(log_.changes[cursor], log_, 0)) return true;
    }
    return false;
  }

  // `is_told`: up to this change the log says so.
  void halt(const World& world, std::uint32_t cursor, bool is_told) {
    World next = world;
    Host host;
    stop(tree_.tree(), next.block.data(), host);
    next.cursor = cursor;
    next.was_halted = !is_told;
    Step step = step_after(world);
    step.update.first_change = world.cursor;
    step.update.change_count = next.cursor - world.cursor;
    step.update.clock_us = std::max(world.clock_us, time_of(world.cursor));
    step.update.is_halt = true;
    step.update.lacks_end = !is_told;
    next.clock_us = step.update.clock_us;
    next.step = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(std::move(step));
    insert(std::move(next));
  }

  // The program halts the tree: what runs becomes idle.
  void try_halt(const World& world) {
    if (world.was_halted) return;
    const PollTreeView& view = tree_.view();
    const PollAgent before(view, const_cast<std::uint64_t*>(world.block.data()));
    std::vector<std::uint32_t> halted;
    for (std::uint32_t i = 0; i < view.unit.node_count; ++i) {
      if (before.status(view.node(i)) != PollStatus::idle) halted.push_back(i);
    }
    const bool is_told = log_.has_idle && is_next_halt(world.cursor, halted);
    const bool is_new_goal = !halted.empty() && halted.front() == 0 && begins_goal(world.cursor);
    if (is_told || is_new_goal)
      halt(world, world.cursor + (is_told ? static_cast<std::uint32_t>(halted.size()) : 0), is_told);
  }

  // Do the next changes say of each of these nodes, in any order, that it is idle?
  bool is_next_halt(std::uint32_t cursor, std::vector<std::uint32_t> nodes) const {
    if (nodes.empty() || log_.changes.size() - cursor < nodes.size()) return false;
    for (std::size_t count = nodes.size(); count > 0; --count, ++cursor) {
      const Change& change = log_.changes[cursor];
      if (change.status != Status::idle) return false;
      const auto found =
          std::find_if(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return tree_.is_of(change, log_, node); });
      if (found == nodes.end()) return false;
      nodes.erase(found);
    }
    return true;
  }

  // Keeps what went wrong at the last change that any way reaches.
  void note(const std::optional<Misfit>& misfit) {
    const bool is_later = misfit && (!run_.misfit || misfit->change > run_.misfit->change ||
                                     (misfit->change == run_.misfit->change && run_.misfit->changes_nothing));
    if (is_later) run_.misfit = misfit;
  }

  FittedRun finish() {
    std::uint32_t last = kNone;
    if (!done_.empty()) {
      run_.misfit.reset();
      // Ways on which the log does not end within an update come first.
      const auto is_whole = [&](const World& world) {
        return world.step == kNone || !steps_[world.step].update.lacks_end;
      };
      std::stable_sort(done_.begin(), done_.end(),
                       [](const World& a, const World& b) { return a.left_out < b.left_out; });
      const auto best = std::find_if(done_.begin(), done_.end(), is_whole);
      const World& world = best == done_.end() ? done_.front() : *best;
      last = world.step;
      for (const World& other : done_) {
        if (is_whole(other) == is_whole(world) && other.left_out == world.left_out) merge(last, other.step);
      }
    } else {
      for (std::uint32_t i = 0; i < steps_.size(); ++i) {
        if (last == kNone || end_of(i) > end_of(last)) last = i;
      }
    }
    if (last != kNone) run_.start = beginnings_[steps_[last].beginning].block;
    for (std::uint32_t step = last; step != kNone; step = steps_[step].parent)
      run_.updates.push_back(steps_[step].update);
    // Among what was not followed there may be other ways.
    if (run_.limit == kTooManyWays) {
      for (Update& update : run_.updates) update.is_certain = false;
    }
    std::reverse(run_.updates.begin(), run_.updates.end());
    return std::move(run_);
  }

  std::uint32_t end_of(std::uint32_t step) const {
    return steps_[step].update.first_change + steps_[step].update.change_count;
  }

  const LoggedTree& tree_;
  const Log& log_;
  const bool is_of_version_3_;
  Attempt attempt_;
  FittedRun run_;
  std::vector<Beginning> beginnings_;
  std::vector<Step> steps_;
  std::deque<World> worlds_;   // by their next change
  std::deque<World> returns_;  // where less likely ways are left, the last one first
  std::vector<World> done_;
  std::size_t attempt_count_ = 0;
  static constexpr std::int64_t kNoOrigin = INT64_MIN;
  std::int64_t origin_us_ = kNoOrigin;
};

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
    FittedRun run = Lockstep(tree_, log_, samples_, is_of_version_3_).run(first_change, all);
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
    return opcode_of(tree.view().nodes + node.word) == Opcode::poll_sequence_with_memory;
  });
  if (has_memory && run.limit.empty())
    run.limit = "a SequenceStar of BehaviorTree.CPP 3 starts again when it is halted";
  return run;
}

FittedRun go_on(const LoggedTree& tree, const Log& log, std::int64_t origin_us,
                const std::vector<Beginning>& beginnings, std::vector<Beginning>* ends) {
  Lockstep lockstep(tree, log, nullptr);
  lockstep.set_origin(origin_us);
  FittedRun run = lockstep.run(0, beginnings);
  *ends = lockstep.ends();
  return run;
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

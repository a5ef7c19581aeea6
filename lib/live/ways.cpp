// Ways through a log. See ways.h.
#include "live/ways.h"

#include <espalier/polling.h>
#include <espalier/watching.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <set>

#include "live/attempt.h"
#include "live/way_steps.h"
#include "replay/strategy.h"

namespace espalier::live {
namespace {

constexpr std::uint32_t kNone = WaySteps::kNone;
constexpr std::size_t kMostWorlds = 128;           // ways that are followed side by side
constexpr std::size_t kMostReturns = 64;           // updates from which less likely ways can still be tried
constexpr std::size_t kMostAttempts = 20'000;      // of one update
constexpr std::size_t kMostAttemptsAChange = 200;  // of all updates

constexpr const char* kTooManyWays = "the log leaves more ways open than are tried";

// A way: the agent as it is after a step, and the log's next change.
struct World {
  std::vector<std::uint64_t> block;
  std::uint32_t beginning = 0;  // its number
  std::uint32_t step = kNone;
  std::uint32_t cursor = 0;
  std::uint64_t clock_us = 0;
  bool was_halted = false;                       // by the last step, which took no change
  std::uint32_t left_out = 0;                    // changes that are taken for those of another tree
  std::uint64_t longest_us = 0;                  // update so far, from its first change to its last one
  std::vector<std::uint32_t> halted_early = {};  // nodes that are idle in the log: see Attempt::run()
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
      if (!is_whole || world.left_out != 0 || !world.halted_early.empty()) return {};
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
      furthest_ = std::max(furthest_, world.cursor);
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
    // A timer begins when its node is ticked, but in the tree when that update begins: it may be due earlier.
    if (world.longest_us != 0)
      clocks.push_back(
          std::max(world.clock_us, time_of(world.cursor) - std::min(time_of(world.cursor), world.longest_us)));
    if (world.cursor > run_.first_change) clocks.push_back(std::max(world.clock_us, time_of(world.cursor - 1)));
    return clocks;
  }

  // Calls visit(the world after it, what was set) for each way to make an update at this time, whether it fits or not.
  // `set_entries`: gets those that need a value before it.
  template <typename Visit>
  void each_way(const World& world, std::uint64_t clock_us, bool is_less_likely, std::vector<std::string>& set_entries,
                const Visit& visit) {
    attempt_.begin(is_less_likely);
    std::size_t count = 0;
    bool has_new_entry = false;
    do {
      has_new_entry = false;
      if (++count > kMostAttempts || ++attempt_count_ > kMostAttemptsAChange * (log_.changes.size() + kMostAttempts)) {
        run_.limit = kTooManyWays;
        return;
      }
      World next{.block = world.block,
                 .beginning = world.beginning,
                 .step = world.step,
                 .cursor = world.cursor,
                 .clock_us = clock_us};
      const std::vector<EntrySet> sets = set_values(set_entries, next);
      attempt_.run(next.block.data(), clock_us, world.cursor, world.halted_early);
      if (needs_value(set_entries)) {
        set_entries.push_back(attempt_.missing_entry());
        attempt_.begin(is_less_likely);
        has_new_entry = true;
        continue;
      }
      visit(std::move(next), sets);
    } while (has_new_entry || attempt_.next());
  }

  bool has_fitted(const World& world) const { return !attempt_.misfit() && attempt_.cursor() != world.cursor; }

  // Adds what may follow. False: nothing does.
  bool try_update(const World& world, bool is_less_likely) {
    std::vector<std::string> set_entries;
    bool is_found = false;
    const std::vector<std::uint64_t> clocks = clocks_of(world);
    const std::optional<std::set<std::uint32_t>> untimed = untimed_ends(world, is_less_likely);
    for (std::size_t i = 0; i < clocks.size() && !is_found; ++i) {
      each_way(world, clocks[i], is_less_likely, set_entries, [&](World next, const std::vector<EntrySet>& sets) {
        const bool changes_nothing = !attempt_.misfit() && attempt_.cursor() == world.cursor;
        note(changes_nothing ? Misfit{world.cursor, 0, {}, true} : attempt_.misfit());
        if (!has_fitted(world)) return;
        if (is_less_likely && !attempt_.is_less_likely()) return;  // it was tried before
        is_found = true;
        add(world, std::move(next), sets, untimed && !untimed->contains(attempt_.cursor()));
      });
    }
    return is_found;
  }

  // A timer may have fired in the middle of the update before: then the log has one update where the tree, whose clock
  // stands still while it is updated, needs two. Of updates that close, the ends that need no later time; nothing: the
  // update is not that close.
  std::optional<std::set<std::uint32_t>> untimed_ends(const World& world, bool is_less_likely) {
    const bool is_close = world.step != kNone && world.cursor > run_.first_change &&
                          log_.changes[world.cursor].at_us - log_.changes[world.cursor - 1].at_us < kOtherUpdate_us;
    if (!tree_.has_clock() || log_.has_messages || !is_close) return std::nullopt;
    std::set<std::uint32_t> ends;
    std::vector<std::string> set_entries;
    each_way(world, world.clock_us, is_less_likely, set_entries, [&](const World&, const std::vector<EntrySet>&) {
      if (has_fitted(world)) ends.insert(attempt_.cursor());
    });
    return ends;
  }

  void write(const EntrySet& set, World& world) const {
    std::uint32_t id = 0;
    if (espalier_find_entry(tree_.tree(), "", set.entry.c_str(), &id) == ESPALIER_OK)
      static_cast<void>(replay::write_entry(tree_.tree(), world.block.data(), id, set.value));
  }

  // The first step of a way tells what the agent is taken to have been.
  WayStep step_after(const World& world) const {
    WayStep step{.parent = world.step, .beginning = world.beginning};
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

  // `may_be_one`: with the update before.
  void add(const World& from, World next, const std::vector<EntrySet>& sets, bool may_be_one) {
    next.cursor = attempt_.cursor();
    next.left_out = from.left_out;
    next.halted_early = attempt_.halted_early();
    const std::uint64_t begin_us = time_of(from.cursor);
    next.longest_us = std::max(from.longest_us, std::max(begin_us, time_of(next.cursor - 1)) - begin_us);
    WayStep step = step_after(from);
    step.update.first_change = from.cursor;
    step.update.change_count = next.cursor - from.cursor;
    step.update.clock_us = next.clock_us;
    step.update.sets.insert(step.update.sets.end(), sets.begin(), sets.end());
    step.update.first_answer = static_cast<std::uint32_t>(steps_.answers.size());
    step.update.answer_count = static_cast<std::uint32_t>(attempt_.answers().size());
    step.update.status = attempt_.result();
    // What speaks against the likely way may be a timer, whose time is not known exactly.
    const bool is_against_times = attempt_.is_less_likely() && tree_.has_clock();
    step.update.is_certain = !attempt_.is_doubtful() && !may_be_one && !is_against_times;
    if (may_be_one) steps_[from.step].update.is_certain = false;
    step.update.lacks_end = attempt_.is_beyond_end();
    steps_.answers.insert(steps_.answers.end(), attempt_.answers().begin(), attempt_.answers().end());
    next.step = steps_.add(std::move(step));
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
      if (other->clock_us != world.clock_us || other->block != world.block || other->halted_early != world.halted_early)
        continue;
      return steps_.merge(other->step, world.step);
    }
    if (worlds_.size() >= std::max(kMostWorlds, beginnings_.size())) {
      run_.limit = kTooManyWays;
      return;
    }
    worlds_.insert(at, std::move(world));
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
    next.halted_early.clear();
    next.was_halted = !is_told;
    WayStep step = step_after(world);
    step.update.first_change = world.cursor;
    step.update.change_count = next.cursor - world.cursor;
    step.update.clock_us = std::max(world.clock_us, time_of(world.cursor));
    step.update.is_halt = true;
    step.update.lacks_end = !is_told;
    next.clock_us = step.update.clock_us;
    next.step = steps_.add(std::move(step));
    insert(std::move(next));
  }

  // The program halts the tree: what runs becomes idle.
  void try_halt(const World& world) {
    if (world.was_halted) return;
    const PollTreeView& view = tree_.view();
    const PollAgent before(view, const_cast<std::uint64_t*>(world.block.data()));
    std::vector<std::uint32_t> halted;
    for (std::uint32_t i = 0; i < view.unit.node_count; ++i) {
      const bool is_idle_already =
          std::find(world.halted_early.begin(), world.halted_early.end(), i) != world.halted_early.end();
      if (before.status(view.node(i)) != PollStatus::idle && !is_idle_already) halted.push_back(i);
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
        if (is_whole(other) == is_whole(world) && other.left_out == world.left_out) steps_.merge(last, other.step);
      }
    } else {
      last = steps_.furthest();
      // Where the log goes wrong, a way that ended a little earlier may have been the right one.
      if (last != kNone) steps_.merge_ended(last);
      // Where too many ways are open, the last ones end without a change that cannot be.
      if (!run_.misfit) run_.misfit = Misfit{.change = furthest_, .recorded = "no way through it was found"};
    }
    if (last != kNone) run_.start = beginnings_[steps_[last].beginning].block;
    for (std::uint32_t step = last; step != kNone; step = steps_[step].parent)
      run_.updates.push_back(steps_[step].update);
    // Among what was not followed there may be other ways.
    if (run_.limit == kTooManyWays) {
      run_.leaves_out_ways = true;
      for (Update& update : run_.updates) update.is_certain = false;
    }
    std::reverse(run_.updates.begin(), run_.updates.end());
    run_.answers = std::move(steps_.answers);
    for (Update& update : run_.updates)
      if (!update.is_certain) open_values(update);
    return std::move(run_);
  }

  // Nothing is told of what was written in an update that may have been otherwise.
  void open_values(Update& update) {
    for (EntrySet& set : update.sets) set.is_open = true;
    for (std::uint32_t i = 0; i < update.answer_count; ++i) {
      LeafAnswer& answer = run_.answers[update.first_answer + i];
      if (answer.fitting != 0) answer.fitting = tree_.nodes()[answer.node].all_tried();
    }
  }

  const LoggedTree& tree_;
  const Log& log_;
  const bool is_of_version_3_;
  Attempt attempt_;
  FittedRun run_;
  std::vector<Beginning> beginnings_;
  WaySteps steps_;
  std::deque<World> worlds_;   // by their next change
  std::deque<World> returns_;  // where less likely ways are left, the last one first
  std::vector<World> done_;
  std::size_t attempt_count_ = 0;
  std::uint32_t furthest_ = 0;  // change that a way reaches
  static constexpr std::int64_t kNoOrigin = INT64_MIN;
  std::int64_t origin_us_ = kNoOrigin;
};

}  // namespace

FittedRun ways_through(const LoggedTree& tree, const Log& log, const Through& how, std::uint32_t first_change,
                       const std::vector<Beginning>& beginnings, std::vector<Beginning>* ends) {
  Lockstep lockstep(tree, log, how.samples, how.is_of_version_3);
  if (how.origin_us) lockstep.set_origin(*how.origin_us);
  FittedRun run = lockstep.run(first_change, beginnings);
  if (ends != nullptr) *ends = lockstep.ends();
  return run;
}

}  // namespace espalier::live

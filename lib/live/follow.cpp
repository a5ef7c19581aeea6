// Following a recording, an update at a time. See follow.h.
#include "live/follow.h"

#include <espalier/polling.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "live/attempt.h"
#include "live/findings.h"
#include "live/recorded_update.h"
#include "replay/event.h"
#include "replay/strategy.h"
#include "text/names.h"

namespace espalier::live {
namespace {

constexpr std::uint32_t kNoCall = RecordedUpdateRun::kNone;
constexpr std::size_t kMostThrown = 16;     // exceptions in a row
constexpr std::uint32_t kTimesBetween = 8;  // that are tried between those of an update and of the one before

using Block = std::vector<std::uint64_t>;

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Texts of numbers are equal to these.
bool are_equal(const espalier_value& held, const replay::TraceValue& recorded) {
  const std::string one = replay::text_of(held);
  const std::string other = replay::text_of(replay::value_of(recorded));
  if (one == other) return true;
  const std::optional<double> number = number_of(one);
  return number && number == number_of(other);
}

// One way to make an update.
struct Try {
  Block block = {};
  std::uint64_t clock_us = 0;
  std::vector<EntrySet> sets = {};
  TickPlace from = {};
  TickPlace next = {};
  Update update = {};
  std::vector<LeafAnswer> answers = {};
  std::optional<std::uint32_t> thrower = {};
  std::string misfit = {};  // empty: it fits
  std::uint32_t misfit_node = 0;
  std::uint32_t misfit_call = kNoCall;
  bool is_ahead = false;                 // nodes that run in the tree were halted before the next update
  std::vector<EntrySet> differing = {};  // that hold something else than was recorded
};

class Follower {
 public:
  Follower(LoggedTree& tree, const Log& log) : tree_(tree), log_(log), run_(tree, log) {
    block_.resize(agent_bytes(tree.tree()) / sizeof(std::uint64_t) + 1);
    start(tree.tree(), block_.data());
    statuses_.resize(tree.nodes().size(), Status::idle);
    fitted_.is_recorded = true;
  }

  FittedRun follow() {
    if (log_.changes.empty()) return std::move(fitted_);
    if (log_.begins_within_run) leave_out_first_run();
    sets_ = first_sets();
    while (place_.update < log_.updates.size()) {
      const RecordedUpdate& update = log_.updates[place_.update];
      if (update.end == RecordedUpdate::End::halt) {
        halt(update);
      } else if (!follow_update()) {
        break;
      }
    }
    return std::move(fitted_);
  }

 private:
  std::uint64_t clock_of(std::int64_t at_us) const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_us - log_.changes.front().at_us));
  }

  // ---- Beginning

  void leave_out_first_run() {
    bool is_done = false;
    while (place_.update < log_.updates.size() && !is_done) {
      const RecordedUpdate& update = log_.updates[place_.update++];
      const Change* const last =
          update.change_count == 0 ? nullptr : &log_.changes[update.first_change + update.change_count - 1];
      is_done = last != nullptr && last->uid == 1 && last->status == Status::idle;
    }
    const bool is_all = place_.update == log_.updates.size();
    fitted_.first_change =
        is_all ? static_cast<std::uint32_t>(log_.changes.size()) : log_.updates[place_.update].first_change;
  }

  // What the entries held before the first update, where that is something else than the tree's own values.
  std::vector<EntrySet> first_sets() {
    const bool is_late = place_.update != 0 && place_.update < log_.updates.size();
    return differing_of(0, is_late ? log_.updates[place_.update].first_write : log_.first_write_count, block_);
  }

  // ---- Entries

  // Of these writes the last one of each entry that holds something else.
  std::vector<EntrySet> differing_of(std::uint32_t first, std::uint32_t end, Block& block) const {
    std::vector<EntrySet> sets;
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = end; i-- > first;) {
      const RecordedWrite& write = log_.writes[i];
      if (!seen.insert(write.entry).second || !write.value) continue;
      const std::uint32_t id = run_.entry_of(write.entry);
      espalier_value held;
      if (id == kNoCall) continue;
      static_cast<void>(espalier_entry(tree_.tree(), block.data(), id, &held));
      if (!are_equal(held, *write.value)) add_set(write, block, sets);
    }
    return sets;
  }

  // What is not known to be written by a node of the program, the first value of each entry.
  std::vector<EntrySet> written_otherwise(const RecordedUpdate& update) const {
    const std::uint32_t end = update.first_write + update.write_count;
    std::vector<EntrySet> sets;
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = std::max(update.first_write, log_.first_write_count); i < end; ++i) {
      const RecordedWrite& write = log_.writes[i];
      if (write.is_of_tick && is_output(write)) continue;
      if (write.value && seen.insert(write.entry).second) add_set(write, block_, sets);
    }
    return sets;
  }

  // The sets of a try, and these: of a try that fits, where something else was recorded.
  static std::vector<EntrySet> with_sets(const std::vector<EntrySet>& more, const Try& made) {
    std::vector<EntrySet> sets = made.sets;
    for (const EntrySet& set : more) {
      const auto is_same = [&](const EntrySet& each) { return each.entry == set.entry; };
      if (made.misfit.empty() && std::none_of(made.differing.begin(), made.differing.end(), is_same)) continue;
      const auto known = std::find_if(sets.begin(), sets.end(), is_same);
      if (known == sets.end()) {
        sets.push_back(set);
      } else {
        *known = set;
      }
    }
    return sets;
  }

  bool is_output(const RecordedWrite& write) const {
    const std::uint32_t node = write.tick < log_.ticks.size() ? log_.ticks[write.tick].uid - 1u : kNoCall;
    return node < tree_.nodes().size() && run_.is_output(node, write.entry);
  }

  // Traces set entries of the tree's own blackboard alone.
  void add_set(const RecordedWrite& write, const Block& block, std::vector<EntrySet>& sets) const {
    const std::uint32_t id = run_.entry_of(write.entry);
    if (id == kNoCall || *espalier_entry_path(tree_.tree(), id) != '\0') return;
    Block copy = block;
    if (replay::write_entry(tree_.tree(), copy.data(), id, *write.value))
      sets.push_back({log_.entries[write.entry].name, *write.value});
  }

  void write(const std::vector<EntrySet>& sets, Block& block) const {
    for (const EntrySet& set : sets) {
      std::uint32_t id = 0;
      if (espalier_find_entry(tree_.tree(), "", set.entry.c_str(), &id) == ESPALIER_OK)
        static_cast<void>(replay::write_entry(tree_.tree(), block.data(), id, set.value));
    }
  }

  // ---- Updates

  Try attempt(const Block& block, TickPlace from, std::uint64_t clock_us, const std::vector<EntrySet>& sets,
              bool is_late = false, std::uint32_t thrower = kNoCall) {
    Try made{.block = block, .clock_us = clock_us, .sets = sets, .from = from};
    write(sets, made.block);
    run_.run(made.block.data(), clock_us, from, is_late, thrower);
    made.next = run_.place();
    made.answers = run_.answers();
    made.thrower = run_.thrower();
    made.misfit = run_.misfit();
    made.misfit_node = run_.misfit_node();
    made.misfit_call = run_.misfit_call();
    const std::uint32_t left = run_.first_left();
    if (made.misfit.empty() && !made.thrower && left != kNoCall) {
      const std::uint32_t node = log_.ticks[log_.updates[made.next.update].first_tick + left].uid - 1u;
      made.misfit = "the recording says that " +
                    (node < tree_.nodes().size() ? words_of_node(tree_, node) : "node " + std::to_string(node + 1)) +
                    " was ticked, but the tree does not tick it";
      made.misfit_node = std::min(node, static_cast<std::uint32_t>(tree_.nodes().size() - 1));
    }
    const bool is_whole = !made.thrower || left == kNoCall;
    if (is_whole) made.next = {made.next.update + 1, 0};
    made.update.status = run_.result();
    made.update.clock_us = clock_us;
    made.update.sets = sets;
    made.update.has_thrown = made.thrower.has_value();
    made.update.lacks_end = run_.is_beyond_end();
    if (!made.misfit.empty()) return made;
    made.update.first_change = log_.updates[from.update].first_change;
    if (!is_whole) return made;
    take_changes(made);
    const bool is_cut = log_.updates[made.next.update - 1].is_cut;
    const bool is_comparable = !is_cut && !made.update.lacks_end && !made.update.has_thrown;
    if (is_comparable) made.misfit = differing_status(made);
    // The tree may have been ticked again at once, with nothing to ask the program.
    const std::string misfit = made.misfit;
    const TickPlace next = made.next;
    for (std::uint32_t i = 0;
         i < RecordedUpdateRun::kMostSilent && !made.misfit.empty() && run_.is_silent(made.next.update) &&
         log_.updates[made.next.update].end == RecordedUpdate::End::result && (joins_apart_ || is_at_once(made.next));
         ++i) {
      ++made.next.update;
      take_changes(made);
      made.misfit = differing_status(made);
    }
    if (!made.misfit.empty()) {
      made.misfit = misfit;
      made.next = next;
    }
    const RecordedUpdate& last = log_.updates[made.next.update - 1];
    const std::uint32_t first_write = std::max(log_.updates[from.update].first_write, log_.first_write_count);
    made.differing = differing_of(first_write, last.first_write + last.write_count, made.block);
    return made;
  }

  // Does the update before end just where this one is?
  bool is_at_once(TickPlace place) const {
    return log_.updates[place.update].begin_us - log_.updates[place.update - 1].end_us < kOtherUpdate_us;
  }

  Status status_in(const Block& block, std::uint32_t node) const {
    switch (espalier_node_status(tree_.tree(), block.data(), tree_.nodes()[node].word)) {
      case ESPALIER_RUNNING:
        return Status::running;
      case ESPALIER_SUCCESS:
        return Status::success;
      case ESPALIER_FAILURE:
        return Status::failure;
      default:
        return Status::idle;
    }
  }

  void take_changes(Try& made) const {
    const RecordedUpdate& last = log_.updates[made.next.update - 1];
    made.update.change_count = last.first_change + last.change_count - made.update.first_change;
  }

  // The first status that is another one in the tree, in words; empty: there is none.
  std::string differing_status(Try& made) const {
    std::vector<Status> statuses = statuses_;
    apply(made.update, statuses);
    made.is_ahead = false;
    for (std::uint32_t i = 0; i < statuses.size(); ++i) {
      const Status status = status_in(made.block, i);
      if (status == statuses[i] || excepted_.contains(i) || run_.is_untold(i)) continue;
      // A timer halts nodes when it is due; the tree, in the update that comes then.
      if (status == Status::running && statuses[i] == Status::idle && !was_ahead_) {
        made.is_ahead = true;
        continue;
      }
      made.misfit_node = i;
      return "the recording says that " + words_of_node(tree_, i) + " is " + std::string(name_of(statuses[i])) +
             " after the update, but in the tree it is " + std::string(name_of(status));
    }
    return {};
  }

  void apply(const Update& update, std::vector<Status>& statuses) const {
    for (std::uint32_t i = update.first_change; i < update.first_change + update.change_count; ++i) {
      const std::uint32_t node = log_.changes[i].uid - 1u;
      if (node < statuses.size()) statuses[node] = log_.changes[i].status;
    }
  }

  // The likeliest first.
  std::vector<std::uint64_t> clocks_of(const RecordedUpdate& update) const {
    const std::uint64_t begin_us = std::max(clock_us_, clock_of(update.begin_us));
    std::vector<std::uint64_t> clocks = {begin_us};
    if (!tree_.has_clock()) return clocks;
    const std::uint64_t end_us = std::max(clock_us_, clock_of(update.end_us));
    clocks.insert(clocks.end(), {end_us, clock_us_});
    for (std::uint32_t i = 1; i < kTimesBetween; ++i)
      clocks.push_back(clock_us_ + (end_us - clock_us_) / kTimesBetween * i);
    return clocks;
  }

  static bool is_right(const Try& made) { return made.misfit.empty() && made.differing.empty(); }

  // How the tree makes the update from there. None: it cannot; `first` gets what it would do, unless it has something.
  std::optional<Try> find_try(const Block& block, const RecordedUpdate& update, std::optional<Try>& first) {
    joins_apart_ = false;
    if (std::optional<Try> made = find_try_at(block, update, first)) return made;
    joins_apart_ = true;
    return find_try_at(block, update, first);
  }

  std::optional<Try> find_try_at(const Block& block, const RecordedUpdate& update, std::optional<Try>& first) {
    for (const std::uint64_t clock_us : clocks_of(update)) {
      Try made = attempt(block, place_, clock_us, sets_);
      if (!is_right(made) && update.write_count != 0 && place_.tick == 0) {
        Try other = attempt(block, place_, clock_us, with_sets(written_otherwise(update), made));
        if (is_right(other) || (other.misfit.empty() && !made.misfit.empty())) made = std::move(other);
      }
      if (!made.misfit.empty() && run_.has_untold()) {
        Try other = attempt(block, place_, clock_us, sets_, true);
        if (other.misfit.empty()) made = std::move(other);
      }
      if (made.misfit.empty()) return made;
      if (!first) first = std::move(made);
    }
    return std::nullopt;
  }

  // False: the tree cannot make it.
  bool follow_update() {
    const RecordedUpdate& update = log_.updates[place_.update];
    std::optional<Try> first;
    if (std::optional<Try> made = find_try(block_, update, first)) {
      accept(std::move(*made));
      return true;
    }
    if (accept_halted(update) || accept_thrown(*first)) return true;
    fitted_.misfit =
        Misfit{.change = std::min(update.first_change, static_cast<std::uint32_t>(log_.changes.size() - 1)),
               .node = first->misfit_node,
               .recorded = first->misfit,
               .place = "update " + std::to_string(fitted_.updates.size()) + ", " +
                        replay::seconds_text(clock_of(update.begin_us)) + " s"};
    return false;
  }

  // The program halted the tree when nothing ran: no status changes, but nodes forget where they were.
  bool accept_halted(const RecordedUpdate& update) {
    if (place_.tick != 0 || statuses_.front() != Status::idle) return false;
    Block halted = block_;
    Host host;
    stop(tree_.tree(), halted.data(), host);
    std::optional<Try> first;
    std::optional<Try> made;
    if (halted != block_) made = find_try(halted, update, first);
    if (!made) return false;
    add_halt(update.first_change, 0);
    accept(std::move(*made));
    return true;
  }

  // Exceptions ended updates, and the program went on: then what follows in the recording is the next update.
  bool accept_thrown(const Try& misfitting) {
    std::vector<Try> thrown;
    Try made;
    std::uint32_t call = misfitting.misfit_call;
    do {
      const bool is_first = thrown.empty();
      if (call == kNoCall || thrown.size() == kMostThrown) return false;
      const Block& block = is_first ? block_ : thrown.back().block;
      Try next = attempt(block, is_first ? place_ : thrown.back().next, misfitting.clock_us,
                         is_first ? misfitting.sets : std::vector<EntrySet>(), false, call);
      if (!next.misfit.empty() || !next.thrower || next.next.tick == 0) return false;
      excepted_.insert(*next.thrower);
      made = attempt(next.block, next.next, misfitting.clock_us, {});
      thrown.push_back(std::move(next));
      call = made.misfit_call;
    } while (!made.misfit.empty());
    for (Try& each : thrown) accept(std::move(each));
    accept(std::move(made));
    return true;
  }

  void accept(Try made) {
    apply(made.update, statuses_);
    for (std::uint32_t i = made.update.first_change; i < made.update.first_change + made.update.change_count; ++i)
      excepted_.erase(log_.changes[i].uid - 1u);
    if (made.thrower) excepted_.insert(*made.thrower);
    made.update.first_answer = static_cast<std::uint32_t>(fitted_.answers.size());
    made.update.answer_count = static_cast<std::uint32_t>(made.answers.size());
    fitted_.answers.insert(fitted_.answers.end(), made.answers.begin(), made.answers.end());
    fitted_.updates.push_back(std::move(made.update));
    if (made.thrower) fitted_.thrown.push_back({static_cast<std::uint32_t>(fitted_.updates.size() - 1), *made.thrower});
    block_ = std::move(made.block);
    place_ = made.next;
    clock_us_ = made.clock_us;
    was_ahead_ = made.is_ahead;
    sets_ = std::move(made.differing);
  }

  void halt(const RecordedUpdate& recorded) {
    Host host;
    stop(tree_.tree(), block_.data(), host);
    clock_us_ = std::max(clock_us_, clock_of(recorded.begin_us));
    apply(add_halt(recorded.first_change, recorded.change_count), statuses_);
    place_ = {place_.update + 1, 0};
    excepted_.clear();
    was_ahead_ = false;
  }

  const Update& add_halt(std::uint32_t first_change, std::uint32_t change_count) {
    Update& update = fitted_.updates.emplace_back();
    update.first_change = first_change;
    update.change_count = change_count;
    update.first_answer = static_cast<std::uint32_t>(fitted_.answers.size());
    update.clock_us = clock_us_;
    update.is_halt = true;
    return update;
  }

  LoggedTree& tree_;
  const Log& log_;
  RecordedUpdateRun run_;
  FittedRun fitted_;
  Block block_;
  TickPlace place_;
  std::uint64_t clock_us_ = 0;
  std::vector<Status> statuses_;      // as the recording has them
  std::set<std::uint32_t> excepted_;  // nodes that threw, whose status is not the tree's
  bool was_ahead_ = false;            // see Try
  bool joins_apart_ = false;          // updates that are apart may be one, of a program that was slow
  std::vector<EntrySet> sets_;        // before the next update
};

}  // namespace

FittedRun follow(LoggedTree& tree, const Log& log) { return Follower(tree, log).follow(); }

}  // namespace espalier::live

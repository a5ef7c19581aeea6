// How agents may be where logs begin. See beginning.h.
#include "live/beginning.h"

#include <espalier/polling.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "live/first_entries.h"
#include "live/first_statuses.h"
#include "replay/strategy.h"
#include "runtime/format/node.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/place.h"

namespace espalier::live {
namespace {

using layout::PollPortKind;

constexpr std::size_t kMostBeginnings = 512;
constexpr std::size_t kMostSteps = 200'000;      // of the search
constexpr std::uint64_t kNever_us = 1ULL << 62;  // of a timer that is not due before its node ends
constexpr std::uint64_t kBeforeSeen_us = 1'000;  // a timer is due some time before its first change is logged
constexpr std::uint32_t kNoChange = FirstStatuses::kNoChange;

constexpr Statuses kWasSkipped = 1U << 4;  // idle, of a node that may be skipped

void store(unsigned char* at, std::uint32_t number) { std::memcpy(at, &number, sizeof number); }
void store(unsigned char* at, std::uint64_t number) { std::memcpy(at, &number, sizeof number); }

class BeginningSearch {
 public:
  BeginningSearch(const LoggedTree& tree, const Log& log, std::uint32_t first)
      : tree_(tree), view_(tree.view()), log_(log), told_(tree, log, first), first_(first) {
    fresh_ = beginning_of(tree).block;
    may_be_skipped_.resize(tree.nodes().size());
    for (auto node = static_cast<std::uint32_t>(may_be_skipped_.size()); node-- > 0;)
      may_be_skipped_[node] = may_be_skipped(node);
  }

  std::vector<Beginning> run(bool is_within_run) {
    std::optional<OpenEntries> entries = open_entries(tree_, log_, first_, fresh_);
    if (!entries) return {};
    open_entries_ = std::move(*entries);
    block_ = fresh_;
    tasks_.push_back({0, is_within_run ? kRuns : kIdle});
    solve(0);
    if (!is_known_) found_.clear();
    return std::move(found_);
  }

 private:
  struct Task {
    std::uint32_t node;
    Statuses statuses;
  };
  using Children = std::vector<Statuses>;  // what each child may be

  const std::uint32_t* at(std::uint32_t node) const { return view_.node(node); }
  PollAgent agent() { return {view_, block_.data()}; }
  unsigned char* memory(std::uint32_t node) { return agent().memory(at(node)); }

  // A node whose child may be skipped may be, too. Nodes of the program are taken not to skip themselves.
  bool may_be_skipped(std::uint32_t node) const {
    const layout::Polled& polled = view_.polled_of(at(node));
    if (polled.skip_if != 0 || polled.while_true != 0) return true;
    switch (opcode_of(at(node))) {
      case Opcode::poll_run_once:
      case Opcode::poll_precondition:
      case Opcode::poll_loop:
      case Opcode::poll_updated:
        return true;
      default:
        break;
    }
    std::uint32_t child = node + 1;
    for (std::uint32_t i = 0; i < polled.child_count; ++i, child += nodes_within(at(child)))
      if (may_be_skipped_[child]) return true;
    return false;
  }

  // ---- Entries

  void add_found(std::size_t entry, std::vector<EntrySet>& sets) {
    if (!is_known_) return;
    if (entry == open_entries_.size()) {
      if (found_.size() == kMostBeginnings) {
        is_known_ = false;
      } else {
        found_.push_back({block_, sets});
      }
      return;
    }
    for (const std::optional<explore::EntryValue>& value : open_entries_[entry].second) {
      if (value) sets.push_back({open_entries_[entry].first, *value});
      add_found(entry + 1, sets);
      if (value) sets.pop_back();
    }
  }

  // ---- Statuses

  void solve(std::size_t task) {
    if (!is_known_ || ++step_count_ > kMostSteps) {
      is_known_ = false;
      return;
    }
    if (task == tasks_.size()) {
      for (std::uint32_t node = 0; node < tree_.nodes().size(); ++node) derive(node);
      std::vector<EntrySet> sets;
      return add_found(0, sets);
    }
    const auto [node, statuses] = tasks_[task];
    for (const PollStatus status : {PollStatus::idle, PollStatus::running, PollStatus::success, PollStatus::failure}) {
      if ((statuses & told_.allowed(node) & set_of(static_cast<Status>(status))) == 0) continue;
      agent().set_status(at(node), status);
      status == PollStatus::running ? run_on(node, task) : rest(node, status, task);
    }
  }

  // Goes on with the children of a node.
  void with(std::uint32_t node, std::size_t task, const Children& children) {
    const std::size_t size = tasks_.size();
    std::uint32_t child = node + 1;
    for (Statuses statuses : children) {
      if ((statuses & kWasSkipped) != 0 && may_be_skipped_[child]) statuses |= kIdle;
      tasks_.push_back({child, statuses});
      child += nodes_within(at(child));
    }
    solve(task + 1);
    tasks_.resize(size);
  }

  // Some children before the one that counts, that one, and those behind.
  static Children around(std::uint32_t count, std::uint32_t child, Statuses before, Statuses own, Statuses behind) {
    Children children(child, before);
    children.resize(count, behind);
    children[child] = own;
    return children;
  }

  // The number of a port; none: it is not written in the tree.
  std::optional<double> number_of(std::uint32_t node, std::uint32_t port) const {
    const layout::PollPort& own = view_.port_of(at(node), port);
    const auto kind = static_cast<PollPortKind>(own.kind);
    if (kind != PollPortKind::whole && kind != PollPortKind::real) return std::nullopt;
    const std::uint64_t bits = view_.number(own.value);
    if (kind == PollPortKind::whole) return static_cast<double>(static_cast<std::int64_t>(bits));
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  // A number in the memory from 0 to a limit, which is a port's.
  void count(std::uint32_t node, std::size_t task, std::uint32_t port, std::size_t offset, std::int64_t more,
             const Children& children) {
    const std::optional<double> limit = number_of(node, port);
    if (!limit || *limit > double{kMostBeginnings}) {
      is_known_ = false;
      return;
    }
    const std::int64_t end = *limit < 0 ? 1 : static_cast<std::int64_t>(*limit) + more;
    for (std::int64_t number = 0; number < end; ++number) {
      store(memory(node) + offset, static_cast<std::uint32_t>(number));
      with(node, task, children);
    }
  }

  // A byte of the memory.
  void byte(std::uint32_t node, std::size_t task, std::initializer_list<unsigned> values, const Children& children) {
    for (const unsigned value : values) {
      *memory(node) = static_cast<unsigned char>(value);
      with(node, task, children);
    }
  }

  // A RunOnce whose child was done never ticks it again. What it becomes first tells whether it was.
  void rest_of_once(std::uint32_t node, std::size_t task) {
    const std::uint32_t first = told_.first_change(node);
    const auto may_be = [&](Statuses statuses) {
      return first == kNoChange || told_.first_change_to(node, statuses | kIdle) == first;
    };
    if (may_be(kRuns)) with(node, task, {kIdle});
    const std::uint32_t end = node + nodes_within(at(node));
    for (std::uint32_t within = node + 1; within < end; ++within) {
      if ((told_.allowed(within) & kIdle) == 0) return;
      agent().set_status(at(within), PollStatus::idle);
      std::memset(memory(within), 0, memory_bytes(at(within), view_.polled_of(at(within))));
    }
    for (const PollStatus result : {PollStatus::success, PollStatus::failure}) {
      if (!may_be(set_of(static_cast<Status>(result)))) continue;
      *memory(node) = static_cast<unsigned char>(result);
      solve(task + 1);
    }
    *memory(node) = 0;
  }

  void timer(std::uint32_t node, std::size_t task, std::uint32_t state, std::uint64_t due_us,
             const Children& children) {
    agent().set_time_us(at(node), due_us);
    agent().set_timer_state(at(node), state);
    with(node, task, children);
  }

  // A node that does not run.
  void rest(std::uint32_t node, PollStatus status, std::size_t task) {
    const std::uint32_t count = view_.polled_of(at(node)).child_count;
    Children idle(count, kIdle);
    std::memset(memory(node), 0, memory_bytes(at(node), view_.polled_of(at(node))));
    switch (opcode_of(at(node))) {
      case Opcode::poll_sequence_with_memory:
        for (std::uint32_t i = 0; i < count; ++i) {
          if (i != 0 && status == PollStatus::success) break;
          kept_places_[node] = i;
          with(node, task, around(count, i, kIdle | kSucceeded, kIdle, kIdle));
        }
        kept_places_.erase(node);
        return;
      case Opcode::poll_round_robin:
        for (std::uint32_t i = 0; i < count; ++i) {
          kept_places_[node] = i;
          with(node, task, idle);
        }
        kept_places_.erase(node);
        return;
      case Opcode::poll_if_then_else:
        if (count == 2 && status != PollStatus::success) idle[0] = kIdle | kFailed;
        return with(node, task, idle);
      case Opcode::poll_run_once:
        return rest_of_once(node, task);
      case Opcode::poll_precondition:
        return byte(node, task, {0U, 1U}, idle);
      case Opcode::poll_rate:  // it counts on from its last result
        if (status != PollStatus::idle) return wait(node, task, false);
        return with(node, task, {kIdle | kDone});
      case Opcode::poll_trigger:
        return with(node, task, {kIdle | kDone});
      default:
        return with(node, task, idle);
    }
  }

  void run_on(std::uint32_t node, std::size_t task) {
    const std::uint32_t count = view_.polled_of(at(node)).child_count;
    const Opcode opcode = opcode_of(at(node));
    std::memset(memory(node), 0, memory_bytes(at(node), view_.polled_of(at(node))));
    switch (opcode) {
      case Opcode::poll_action:
        return with(node, task, {});
      case Opcode::poll_sync_action:
      case Opcode::poll_condition:
      case Opcode::poll_result:
      case Opcode::poll_script:
      case Opcode::poll_script_condition:
      case Opcode::poll_set:
      case Opcode::poll_unset:
        return;  // they never run on
      case Opcode::poll_sequence:
      case Opcode::poll_fallback:
      case Opcode::poll_sequence_with_memory: {
        const Statuses passed = kWasSkipped | (opcode == Opcode::poll_fallback ? kFailed : kSucceeded);
        for (std::uint32_t i = 0; i < count; ++i) {
          kept_places_[node] = i;
          with(node, task, around(count, i, passed, kRuns, kIdle));
          const bool pauses = opcode == Opcode::poll_sequence_with_memory || has_flag(at(node), kSignals);
          if (i != 0 && pauses) with(node, task, around(count, i, passed, kIdle, kIdle));
        }
        kept_places_.erase(node);
        return;
      }
      case Opcode::poll_reactive_sequence:
      case Opcode::poll_reactive_fallback:
        for (std::uint32_t i = 0; i < count; ++i) with(node, task, around(count, i, kIdle, kRuns, kIdle));
        return;
      case Opcode::poll_parallel:
      case Opcode::poll_parallel_all:
        return with(node, task, Children(count, kWasSkipped | kRuns | kDone));
      case Opcode::poll_nonblocking:
        return with(node, task, Children(count, kRuns | kSucceeded));
      case Opcode::poll_pipeline:
        for (std::uint32_t i = 0; i < count; ++i) {
          kept_places_[node] = i;
          with(node, task, around(count, i, kWasSkipped | kRuns | kSucceeded, kRuns, kIdle));
        }
        kept_places_.erase(node);
        return;
      case Opcode::poll_round_robin:
        for (std::uint32_t i = 0; i < count; ++i) {
          kept_places_[node] = i;
          with(node, task, around(count, i, kIdle | kFailed, kRuns, kIdle | kFailed));
        }
        kept_places_.erase(node);
        return;
      case Opcode::poll_if_then_else:
      case Opcode::poll_while_do_else:
        for (std::uint32_t i = 0; i < count; ++i) {
          if (opcode == Opcode::poll_if_then_else) *memory(node) = static_cast<unsigned char>(i);
          Children children = around(count, i, kIdle, kRuns, kIdle);
          if (i != 0) children[0] = i == 1 ? kSucceeded : kFailed;
          with(node, task, children);
          if (i == 0 || opcode == Opcode::poll_if_then_else) continue;
          children[0] = kRuns;  // asked again
          with(node, task, children);
        }
        return;
      case Opcode::poll_switch:
        for (std::uint32_t i = 0; i < count; ++i) {
          *memory(node) = static_cast<unsigned char>(i + 1);
          with(node, task, around(count, i, kIdle, kRuns, kIdle));
        }
        return;
      case Opcode::poll_recovery:
        for (const std::uint32_t child : {0U, 1U}) {
          *memory(node) = static_cast<unsigned char>(child);
          const Children children = child == 0 ? Children{kRuns, kIdle} : Children{kIdle, kRuns};
          this->count(node, task, poll_ports::kNumberOfRetries, 1, 1, children);
        }
        return;
      case Opcode::poll_repeat:
      case Opcode::poll_retry:
        return this->count(node, task, poll_ports::kCycles, 0, 0, {kRuns | kIdle});
      case Opcode::poll_keep_running:
      case Opcode::poll_gate:
        return with(node, task, {kRuns | kIdle});
      case Opcode::poll_invert:
      case Opcode::poll_force:
      case Opcode::poll_subtree:
      case Opcode::poll_run_once:
        return with(node, task, {kRuns});
      case Opcode::poll_precondition:
      case Opcode::poll_trigger:
        return byte(node, task, {1U}, {kRuns});
      case Opcode::poll_timeout:
      case Opcode::poll_delay:
      case Opcode::poll_sleep:
        return run_on_timed(node, task, opcode);
      case Opcode::poll_rate:
        return wait(node, task, true);
      default:  // what it remembers cannot be seen
        is_known_ = false;
    }
  }

  // When it is due, the log's changes tell, unless it ends before.
  void run_on_timed(std::uint32_t node, std::size_t task, Opcode opcode) {
    const std::uint32_t own = told_.first_change(node);
    const Children children(opcode == Opcode::poll_sleep ? 0 : 1, opcode == Opcode::poll_timeout ? kRuns : kIdle);
    std::uint32_t seen = kNoChange;
    if (opcode == Opcode::poll_timeout) {
      seen = told_.last_idle(node + 1, own);
      timer(node, task, kTimerStarted | kTimerFired, 0, {kIdle});
    } else if (opcode == Opcode::poll_delay) {
      seen = std::min(own, told_.first_change(node + 1, nodes_within(at(node)) - 1));
      timer(node, task, kTimerStarted | kTimerFired, 0, {kRuns});
    } else {
      seen = own;
    }
    timer(node, task, kTimerStarted | kTimerSet, kNever_us, children);
    if (seen == kNoChange) return;
    const std::uint64_t seen_us = told_.time_of(seen);
    timer(node, task, kTimerStarted | kTimerSet, seen_us > kBeforeSeen_us ? seen_us - kBeforeSeen_us : 0, children);
  }

  // A rate whose child does not run ticks it at a time that the log's changes tell.
  void wait(std::uint32_t node, std::size_t task, bool may_run) {
    const std::optional<double> hz = number_of(node, poll_ports::kHz);
    if (!hz || *hz <= 0) {
      is_known_ = false;
      return;
    }
    const std::uint32_t seen =
        std::min(told_.first_change(node + 1, nodes_within(at(node)) - 1), told_.first_change_to(node, kDone));
    const bool is_ticked = seen != kNoChange && seen < told_.first_change_to(node, kIdle);
    const auto remember = [&](std::uint64_t time_us, double rate) {
      store(memory(node), time_us);
      std::memcpy(memory(node) + sizeof time_us, &rate, sizeof rate);
    };
    remember(0, *hz);
    if (may_run) with(node, task, {kRuns});
    constexpr double kAlmostNever_hz = 1e-9;
    const auto period_us = static_cast<std::uint64_t>(1e6 / *hz) + kBeforeSeen_us;
    is_ticked ? remember(told_.time_of(seen) - period_us, *hz)  // before 0 times go round
              : remember(0, kAlmostNever_hz);
    with(node, task, {kIdle | kDone});
  }

  // What a node remembers that follows from the statuses of its children.
  void derive(std::uint32_t node) {
    const std::uint32_t* const own = at(node);
    const std::uint32_t count = view_.polled_of(own).child_count;
    const Opcode opcode = opcode_of(own);
    const PollAgent agent = this->agent();
    if (opcode == Opcode::poll_parallel || opcode == Opcode::poll_parallel_all) {
      unsigned char* const bits = agent.memory(own);
      std::memset(bits, 0, memory_bytes(own, view_.polled_of(own)));
      std::uint32_t child = node + 1;
      for (std::uint32_t i = 0; i < count; ++i, child += nodes_within(at(child))) {
        const PollStatus status = agent.status(at(child));
        const unsigned done = status == PollStatus::success ? 3 : status == PollStatus::failure ? 1 : 0;
        bits[i / 4] = static_cast<unsigned char>(bits[i / 4] | done << i % 4 * 2);
      }
      return;
    }
    const auto kept = kept_places_.find(node);
    if (kept == kept_places_.end()) return;
    const Places places(agent.memory(own), own);
    std::uint32_t skips = 0;
    std::uint32_t failures = 0;
    std::uint32_t child = node + 1;
    for (std::uint32_t i = 0; i < count; ++i, child += nodes_within(at(child))) {
      const PollStatus status = agent.status(at(child));
      if (i == kept->second) places.set_place(place_of(own, at(child)));
      skips += i < kept->second && status == PollStatus::idle ? 1 : 0;
      failures += status == PollStatus::failure ? 1 : 0;
    }
    if (agent.status(own) != PollStatus::running || opcode == Opcode::poll_pipeline) return;
    places.set_skips(opcode == Opcode::poll_round_robin ? failures : skips);
  }

  const LoggedTree& tree_;
  const PollTreeView& view_;
  const Log& log_;
  FirstStatuses told_;
  const std::uint32_t first_;
  std::vector<std::uint64_t> fresh_;
  std::vector<bool> may_be_skipped_;  // by node
  std::vector<std::uint64_t> block_;
  OpenEntries open_entries_;
  std::vector<Task> tasks_;
  std::map<std::uint32_t, std::uint32_t> kept_places_;  // of nodes: the index of a child
  std::size_t step_count_ = 0;
  bool is_known_ = true;
  std::vector<Beginning> found_;
};

}  // namespace

Beginning beginning_of(const LoggedTree& tree) {
  Beginning beginning;
  beginning.block.resize(agent_bytes(tree.tree()) / sizeof(std::uint64_t) + 1);
  start(tree.tree(), beginning.block.data());
  return beginning;
}

std::vector<Beginning> beginnings(const LoggedTree& tree, const Log& log, std::uint32_t first_change,
                                  bool is_within_run) {
  if (first_change >= log.changes.size()) return {};
  return BeginningSearch(tree, log, first_change).run(is_within_run);
}

}  // namespace espalier::live

// See beginning_ways.h.
#include "live/beginning_ways.h"

#include <algorithm>
#include <cstring>

#include "runtime/format/node.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/nodes.h"

namespace espalier::live {
namespace {

using Search = BeginningSearch;
using Children = Search::Children;
using Task = Search::Task;

constexpr std::uint64_t kNever_us = 1ULL << 62;  // of a timer that is not due before its node ends
constexpr std::uint64_t kBeforeSeen_us = 1'000;  // a timer is due some time before its first change is logged
constexpr std::uint32_t kNoChange = FirstStatuses::kNoChange;
constexpr Statuses kWasSkipped = Search::kWasSkipped;

// Some children before the one that counts, that one, and those behind.
Children around(std::uint32_t count, std::uint32_t child, Statuses before, Statuses own, Statuses behind) {
  Children children(child, before);
  children.resize(count, behind);
  children[child] = own;
  return children;
}

void wait(Search& search, std::uint32_t node, Task task, bool may_run);

// ---- Nodes that do not run

template <Statuses children>
void rest_with(Search& search, std::uint32_t node, PollStatus, Task task) {
  search.with(node, task, Children(search.child_count(node), children));
}

void rest_sequence_with_memory(Search& search, std::uint32_t node, PollStatus status, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != 0 && status == PollStatus::success) break;
    search.with_place(node, task, i, around(count, i, kIdle | kSucceeded, kIdle, kIdle));
  }
}

void rest_round_robin(Search& search, std::uint32_t node, PollStatus, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) search.with_place(node, task, i, Children(count, kIdle));
}

void rest_if_then_else(Search& search, std::uint32_t node, PollStatus status, Task task) {
  Children children(search.child_count(node), kIdle);
  if (children.size() == 2 && status != PollStatus::success) children[0] = kIdle | kFailed;
  search.with(node, task, children);
}

// A RunOnce whose child was done never ticks it again. What it becomes first tells whether it was.
void rest_run_once(Search& search, std::uint32_t node, PollStatus, Task task) {
  FirstStatuses& told = search.told();
  const std::uint32_t first = told.first_change(node);
  const auto may_be = [&](Statuses statuses) {
    return first == kNoChange || told.first_change_to(node, statuses | kIdle) == first;
  };
  if (may_be(kRuns)) search.with(node, task, {kIdle});
  if (!search.make_idle_below(node)) return;
  for (const PollStatus result : {PollStatus::success, PollStatus::failure}) {
    if (!may_be(set_of(static_cast<Status>(result)))) continue;
    *search.memory(node) = static_cast<unsigned char>(result);
    search.without_children(task);
  }
  *search.memory(node) = 0;
}

void rest_precondition(Search& search, std::uint32_t node, PollStatus, Task task) {
  search.with_bytes(node, task, {0U, 1U}, {kIdle});
}

// It counts on from its last result.
void rest_rate(Search& search, std::uint32_t node, PollStatus status, Task task) {
  if (status != PollStatus::idle) return wait(search, node, task, false);
  search.with(node, task, {kIdle | kDone});
}

// ---- Nodes that run

void never_runs_on(Search&, std::uint32_t, Task) {}

void run_action(Search& search, std::uint32_t node, Task task) { search.with(node, task, {}); }

template <Statuses children>
void run_with(Search& search, std::uint32_t node, Task task) {
  search.with(node, task, Children(search.child_count(node), children));
}

// A list that passes children with a result, and pauses between them if it has a memory or its children signal.
template <Statuses passed_with, bool always_pauses>
void run_list(Search& search, std::uint32_t node, Task task) {
  const Statuses passed = kWasSkipped | passed_with;
  const std::uint32_t count = search.child_count(node);
  const bool pauses = always_pauses || has_flag(search.at(node), kSignals);
  for (std::uint32_t i = 0; i < count; ++i) {
    search.with_place(node, task, i, around(count, i, passed, kRuns, kIdle));
    if (i != 0 && pauses) search.with_place(node, task, i, around(count, i, passed, kIdle, kIdle));
  }
}

// One child runs.
template <Statuses before, Statuses behind>
void run_one(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) search.with(node, task, around(count, i, before, kRuns, behind));
}

// The same, of a list that remembers which one.
template <Statuses before, Statuses behind>
void run_one_in_place(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) search.with_place(node, task, i, around(count, i, before, kRuns, behind));
}

Children chosen_branch(std::uint32_t count, std::uint32_t child) {
  Children children = around(count, child, kIdle, kRuns, kIdle);
  if (child != 0) children[0] = child == 1 ? kSucceeded : kFailed;
  return children;
}

void run_if_then_else(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) search.with_bytes(node, task, {i}, chosen_branch(count, i));
}

void run_while_do_else(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i) {
    Children children = chosen_branch(count, i);
    search.with(node, task, children);
    if (i == 0) continue;
    children[0] = kRuns;  // asked again
    search.with(node, task, children);
  }
}

void run_switch(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t count = search.child_count(node);
  for (std::uint32_t i = 0; i < count; ++i)
    search.with_bytes(node, task, {i + 1}, around(count, i, kIdle, kRuns, kIdle));
}

void run_recovery(Search& search, std::uint32_t node, Task task) {
  for (const std::uint32_t child : {0U, 1U}) {
    *search.memory(node) = static_cast<unsigned char>(child);
    const Children children = child == 0 ? Children{kRuns, kIdle} : Children{kIdle, kRuns};
    search.with_counts(node, task, poll_ports::kNumberOfRetries, 1, 1, children);
  }
}

void run_cycles(Search& search, std::uint32_t node, Task task) {
  search.with_counts(node, task, poll_ports::kCycles, 0, 0, {kRuns | kIdle});
}

void run_entered(Search& search, std::uint32_t node, Task task) { search.with_bytes(node, task, {1U}, {kRuns}); }

// When a timer is due, the log's changes tell, unless its node ends before. `seen`: the change that it causes.
void run_until_due(Search& search, std::uint32_t node, Task task, std::uint32_t seen, const Children& children) {
  search.with_timer(node, task, kTimerStarted | kTimerSet, kNever_us, children);
  if (seen == kNoChange) return;
  const std::uint64_t seen_us = search.told().time_of(seen);
  const std::uint64_t due_us = seen_us > kBeforeSeen_us ? seen_us - kBeforeSeen_us : 0;
  search.with_timer(node, task, kTimerStarted | kTimerSet, due_us, children);
}

void run_timeout(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t seen = search.told().last_idle(node + 1, search.told().first_change(node));
  search.with_timer(node, task, kTimerStarted | kTimerFired, 0, {kIdle});
  run_until_due(search, node, task, seen, {kRuns});
}

void run_delay(Search& search, std::uint32_t node, Task task) {
  const std::uint32_t within = search.told().first_change(node + 1, search.last_below(node) - node);
  search.with_timer(node, task, kTimerStarted | kTimerFired, 0, {kRuns});
  run_until_due(search, node, task, std::min(search.told().first_change(node), within), {kIdle});
}

void run_sleep(Search& search, std::uint32_t node, Task task) {
  run_until_due(search, node, task, search.told().first_change(node), {});
}

// A rate whose child does not run ticks it at a time that the log's changes tell.
void wait(Search& search, std::uint32_t node, Task task, bool may_run) {
  const std::optional<double> hz = search.number_of(node, poll_ports::kHz);
  if (!hz || *hz <= 0) return search.give_up();
  FirstStatuses& told = search.told();
  const std::uint32_t seen =
      std::min(told.first_change(node + 1, search.last_below(node) - node), told.first_change_to(node, kDone));
  const bool is_ticked = seen != kNoChange && seen < told.first_change_to(node, kIdle);
  const auto remember = [&](std::uint64_t time_us, double rate) {
    std::memcpy(search.memory(node), &time_us, sizeof time_us);
    std::memcpy(search.memory(node) + sizeof time_us, &rate, sizeof rate);
  };
  remember(0, *hz);
  if (may_run) search.with(node, task, {kRuns});
  constexpr double kAlmostNever_hz = 1e-9;
  const auto period_us = static_cast<std::uint64_t>(1e6 / *hz) + kBeforeSeen_us;
  is_ticked ? remember(told.time_of(seen) - period_us, *hz)  // before 0 times go round
            : remember(0, kAlmostNever_hz);
  search.with(node, task, {kIdle | kDone});
}

void run_rate(Search& search, std::uint32_t node, Task task) { wait(search, node, task, true); }

void run_unknown(Search& search, std::uint32_t, Task) { search.give_up(); }

constexpr Rest* rest_idle = rest_with<kIdle>;

constexpr BeginningWay kWays[] = {
    {opcode::poll_action, rest_idle, run_action},
    {opcode::poll_sync_action, rest_idle, never_runs_on},
    {opcode::poll_condition, rest_idle, never_runs_on},
    {opcode::poll_result, rest_idle, never_runs_on},
    {opcode::poll_script, rest_idle, never_runs_on},
    {opcode::poll_script_condition, rest_idle, never_runs_on},
    {opcode::poll_set, rest_idle, never_runs_on},
    {opcode::poll_unset, rest_idle, never_runs_on},
    {opcode::poll_sequence, rest_idle, run_list<kSucceeded, false>, Derived::skips},
    {opcode::poll_fallback, rest_idle, run_list<kFailed, false>, Derived::skips},
    {opcode::poll_sequence_with_memory, rest_sequence_with_memory, run_list<kSucceeded, true>, Derived::skips},
    {opcode::poll_reactive_sequence, rest_idle, run_one<kIdle, kIdle>},
    {opcode::poll_reactive_fallback, rest_idle, run_one<kIdle, kIdle>},
    {opcode::poll_parallel, rest_idle, run_with<kWasSkipped | kRuns | kDone>, Derived::done},
    {opcode::poll_parallel_all, rest_idle, run_with<kWasSkipped | kRuns | kDone>, Derived::done},
    {opcode::poll_nonblocking, rest_idle, run_with<kRuns | kSucceeded>},
    {opcode::poll_pipeline, rest_idle, run_one_in_place<kWasSkipped | kRuns | kSucceeded, kIdle>},
    {opcode::poll_round_robin, rest_round_robin, run_one_in_place<kIdle | kFailed, kIdle | kFailed>, Derived::failures},
    {opcode::poll_if_then_else, rest_if_then_else, run_if_then_else},
    {opcode::poll_while_do_else, rest_idle, run_while_do_else},
    {opcode::poll_switch, rest_idle, run_switch},
    {opcode::poll_recovery, rest_idle, run_recovery},
    {opcode::poll_repeat, rest_idle, run_cycles},
    {opcode::poll_retry, rest_idle, run_cycles},
    {opcode::poll_keep_running, rest_idle, run_with<kRuns | kIdle>},
    {opcode::poll_gate, rest_idle, run_with<kRuns | kIdle>},
    {opcode::poll_invert, rest_idle, run_with<kRuns>},
    {opcode::poll_force, rest_idle, run_with<kRuns>},
    {opcode::poll_subtree, rest_idle, run_with<kRuns>},
    {opcode::poll_run_once, rest_run_once, run_with<kRuns>, Derived::nothing, true},
    {opcode::poll_precondition, rest_precondition, run_entered, Derived::nothing, true},
    {opcode::poll_trigger, rest_with<kIdle | kDone>, run_entered},
    {opcode::poll_timeout, rest_idle, run_timeout},
    {opcode::poll_delay, rest_idle, run_delay},
    {opcode::poll_sleep, rest_idle, run_sleep},
    {opcode::poll_rate, rest_rate, run_rate},
    {opcode::poll_loop, rest_idle, run_unknown, Derived::nothing, true},
    {opcode::poll_updated, rest_idle, run_unknown, Derived::nothing, true},
};
constexpr BeginningWay kUnknown = {kNoOpcode, rest_idle, run_unknown};

}  // namespace

const BeginningWay& beginning_way(Opcode opcode) {
  const auto* const way = std::find_if(std::begin(kWays), std::end(kWays),
                                       [opcode](const BeginningWay& row) { return row.opcode == opcode; });
  return way == std::end(kWays) ? kUnknown : *way;
}

}  // namespace espalier::live

// How agents may be where logs begin. See beginning.h.
#include "live/beginning.h"

#include <espalier/polling.h>

#include <cstring>
#include <optional>
#include <utility>

#include "live/beginning_search.h"
#include "live/beginning_ways.h"
#include "replay/strategy.h"
#include "runtime/format/node.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/nodes.h"

namespace espalier::live {
namespace {

using layout::PollPortKind;

constexpr std::size_t kMostBeginnings = 512;
constexpr std::size_t kMostSteps = 200'000;  // of the search

}  // namespace

BeginningSearch::BeginningSearch(const LoggedTree& tree, const Log& log, std::uint32_t first)
    : tree_(tree), view_(tree.view()), log_(log), told_(tree, log, first), first_(first) {
  fresh_ = beginning_of(tree).block;
  may_be_skipped_.resize(tree.nodes().size());
  for (auto node = static_cast<std::uint32_t>(may_be_skipped_.size()); node-- > 0;)
    may_be_skipped_[node] = may_be_skipped(node);
}

std::vector<Beginning> BeginningSearch::run(bool is_within_run) {
  std::optional<OpenEntries> entries = open_entries(tree_, log_, first_, fresh_);
  if (!entries) return {};
  open_entries_ = std::move(*entries);
  block_ = fresh_;
  tasks_.push_back({0, is_within_run ? kRuns : kIdle});
  solve(0);
  if (!is_known_) found_.clear();
  return std::move(found_);
}

// A node whose child may be skipped may be, too. Nodes of the program are taken not to skip themselves.
bool BeginningSearch::may_be_skipped(std::uint32_t node) const {
  const layout::Polled& polled = view_.polled_of(at(node));
  if (polled.skip_if != 0 || polled.while_true != 0 || beginning_way(opcode_of(at(node))).may_be_skipped) return true;
  std::uint32_t child = node + 1;
  for (std::uint32_t i = 0; i < polled.child_count; ++i, child += nodes_within(at(child)))
    if (may_be_skipped_[child]) return true;
  return false;
}

void BeginningSearch::add_found(std::size_t entry, std::vector<EntrySet>& sets) {
  if (!is_known_) return;
  if (entry == open_entries_.size()) {
    if (found_.size() == kMostBeginnings) {
      give_up();
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

void BeginningSearch::clear_memory(std::uint32_t node) {
  std::memset(memory(node), 0, memory_bytes(at(node), view_.polled_of(at(node))));
}

void BeginningSearch::solve(Task task) {
  if (!is_known_ || ++step_count_ > kMostSteps) return give_up();
  if (task == tasks_.size()) {
    for (std::uint32_t node = 0; node < tree_.nodes().size(); ++node) derive(node);
    std::vector<EntrySet> sets;
    return add_found(0, sets);
  }
  const auto [node, statuses] = tasks_[task];
  const BeginningWay& way = beginning_way(opcode_of(at(node)));
  for (const PollStatus status : {PollStatus::idle, PollStatus::running, PollStatus::success, PollStatus::failure}) {
    if ((statuses & told_.allowed(node) & set_of(static_cast<Status>(status))) == 0) continue;
    agent().set_status(at(node), status);
    clear_memory(node);
    status == PollStatus::running ? way.run_on(*this, node, task) : way.rest(*this, node, status, task);
  }
}

void BeginningSearch::with(std::uint32_t node, Task task, const Children& children) {
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

void BeginningSearch::with_place(std::uint32_t node, Task task, std::uint32_t child, const Children& children) {
  kept_places_[node] = child;
  with(node, task, children);
  kept_places_.erase(node);
}

std::optional<double> BeginningSearch::number_of(std::uint32_t node, std::uint32_t port) const {
  const layout::PollPort& own = view_.port_of(at(node), port);
  const auto kind = static_cast<PollPortKind>(own.kind);
  if (kind != PollPortKind::whole && kind != PollPortKind::real) return std::nullopt;
  const std::uint64_t bits = view_.number(own.value);
  if (kind == PollPortKind::whole) return static_cast<double>(static_cast<std::int64_t>(bits));
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

void BeginningSearch::with_counts(std::uint32_t node, Task task, std::uint32_t port, std::size_t offset,
                                  std::int64_t more, const Children& children) {
  const std::optional<double> limit = number_of(node, port);
  if (!limit || *limit > double{kMostBeginnings}) return give_up();
  const std::int64_t end = *limit < 0 ? 1 : static_cast<std::int64_t>(*limit) + more;
  for (std::int64_t number = 0; number < end; ++number) {
    const auto stored = static_cast<std::uint32_t>(number);
    std::memcpy(memory(node) + offset, &stored, sizeof stored);
    with(node, task, children);
  }
}

void BeginningSearch::with_bytes(std::uint32_t node, Task task, std::initializer_list<unsigned> values,
                                 const Children& children) {
  for (const unsigned value : values) {
    *memory(node) = static_cast<unsigned char>(value);
    with(node, task, children);
  }
}

void BeginningSearch::with_timer(std::uint32_t node, Task task, std::uint32_t state, std::uint64_t due_us,
                                 const Children& children) {
  agent().set_time_us(at(node), due_us);
  agent().set_timer_state(at(node), state);
  with(node, task, children);
}

bool BeginningSearch::make_idle_below(std::uint32_t node) {
  for (std::uint32_t within = node + 1; within <= last_below(node); ++within) {
    if ((told_.allowed(within) & kIdle) == 0) return false;
    agent().set_status(at(within), PollStatus::idle);
    clear_memory(within);
  }
  return true;
}

// ---- What nodes remember that follows from the statuses of their children

void BeginningSearch::derive_done(std::uint32_t node) {
  unsigned char* const bits = memory(node);
  clear_memory(node);
  std::uint32_t child = node + 1;
  for (std::uint32_t i = 0; i < child_count(node); ++i, child += nodes_within(at(child))) {
    const PollStatus status = agent().status(at(child));
    const unsigned done = status == PollStatus::success ? 3 : status == PollStatus::failure ? 1 : 0;
    bits[i / 4] = static_cast<unsigned char>(bits[i / 4] | done << i % 4 * 2);
  }
}

void BeginningSearch::derive(std::uint32_t node) {
  const std::uint32_t* const own = at(node);
  const Derived derived = beginning_way(opcode_of(own)).derived;
  if (derived == Derived::done) return derive_done(node);
  const auto kept = kept_places_.find(node);
  if (kept == kept_places_.end()) return;
  const Places places(memory(node), own);
  std::uint32_t skips = 0;
  std::uint32_t failures = 0;
  std::uint32_t child = node + 1;
  for (std::uint32_t i = 0; i < child_count(node); ++i, child += nodes_within(at(child))) {
    const PollStatus status = agent().status(at(child));
    if (i == kept->second) places.set_place(espalier::place_of(own, at(child)));
    skips += i < kept->second && status == PollStatus::idle ? 1 : 0;
    failures += status == PollStatus::failure ? 1 : 0;
  }
  if (agent().status(own) != PollStatus::running || derived == Derived::nothing) return;
  places.set_skips(derived == Derived::failures ? failures : skips);
}

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

// See statuses.h.
#include "serving/statuses.h"

#include <espalier/selecting.h>

#include <algorithm>

#include "format/opcodes/poll.h"
#include "poll/tree.h"

namespace espalier::serving {
namespace {

NodeStatus status_of(std::uint32_t result) {
  return result == ESPALIER_SUCCESS ? NodeStatus::success : NodeStatus::failure;
}

// By heaps, since nothing here recurses.
template <typename IsLess>
void sort(std::uint16_t* rows, std::uint32_t count, const IsLess& is_less) {
  std::make_heap(rows, rows + count, is_less);
  std::sort_heap(rows, rows + count, is_less);
}

}  // namespace

std::size_t Statuses::size_bytes(std::uint32_t node_count) {
  return room_of(node_count * sizeof(StatusRow)) + 2 * room_of(node_count * sizeof(std::uint16_t));
}

Statuses::Statuses(const Tree& tree, const LiveTree& live, Changes& changes, Hooks& hooks, Memory& memory)
    : tree_(tree),
      engine_(engine_id_of(tree)),
      count_(live.node_count),
      rows_(memory.take_array<StatusRow>(count_)),
      by_place_(memory.take_array<std::uint16_t>(count_)),
      by_uid_(memory.take_array<std::uint16_t>(count_)),
      changes_(changes),
      hooks_(hooks) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    rows_[i].place = live.nodes[i].place;
    rows_[i].uid = live.nodes[i].uid;
    by_place_[i] = by_uid_[i] = static_cast<std::uint16_t>(i);
  }
  sort(by_place_, count_, [&](std::uint16_t a, std::uint16_t b) {
    return rows_[a].place != rows_[b].place ? rows_[a].place < rows_[b].place : rows_[a].uid < rows_[b].uid;
  });
  sort(by_uid_, count_, [&](std::uint16_t a, std::uint16_t b) { return rows_[a].uid < rows_[b].uid; });
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (live.nodes[i].parent != 0) rows_[i].parent = by_uid_[live.nodes[i].parent - 1u];
  }
}

Statuses::Range Statuses::rows_at(std::uint32_t place) const {
  std::uint16_t* const end = by_place_ + count_;
  std::uint16_t* const first = std::lower_bound(
      by_place_, end, place, [&](std::uint16_t row, std::uint32_t wanted) { return rows_[row].place < wanted; });
  std::uint16_t* last = first;
  while (last != end && rows_[*last].place == place) ++last;
  return {static_cast<std::uint32_t>(first - by_place_), static_cast<std::uint32_t>(last - by_place_)};
}

std::uint16_t Statuses::uid_of(std::uint32_t place) const {
  const Range range = rows_at(place);
  return range.end - range.begin == 1 ? rows_[by_place_[range.begin]].uid : std::uint16_t{0};
}

bool Statuses::calls_program(std::int64_t uid) const {
  if (engine_ != EngineId::poll) return false;
  const StatusRow& row = rows_[by_uid_[uid - 1]];
  const Opcode opcode = opcode_of(PollTreeView(tree_).nodes + row.place);
  return opcode == opcode::poll_action || opcode == opcode::poll_sync_action || opcode == opcode::poll_condition ||
         opcode == opcode::poll_gate;
}

template <typename IsIn>
void Statuses::each_at(std::uint32_t place, const IsIn& is_in,
                       void (Statuses::*visit)(StatusRow& row, NodeStatus status), NodeStatus status) {
  const Range range = rows_at(place);
  const bool is_only = range.end - range.begin == 1;
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    StatusRow& row = rows_[by_place_[i]];
    if (is_only || row.parent == kNoRow || is_in(rows_[row.parent])) (this->*visit)(row, status);
  }
}

void Statuses::change(StatusRow& row, NodeStatus status) {
  if (row.status == status) return;
  row.shown = static_cast<std::uint8_t>(status == NodeStatus::idle ? 10u + static_cast<unsigned>(row.status)
                                                                   : static_cast<unsigned>(status));
  row.status = status;
  changes_.add(row.uid, status);
}

void Statuses::begin(StatusRow& row, NodeStatus status) {
  hooks_.reach(row.uid, kBefore);
  if (status == NodeStatus::running) change(row, status);
}

// Nav2's controls halt themselves before some of their results, which the library tells as a change.
bool Statuses::halts_itself(const StatusRow& row, NodeStatus status) const {
  if (engine_ != EngineId::poll) return false;
  const Opcode opcode = opcode_of(PollTreeView(tree_).nodes + row.place);
  return opcode == opcode::poll_recovery || (opcode == opcode::poll_round_robin && status == NodeStatus::failure);
}

void Statuses::complete(StatusRow& row, NodeStatus status) {
  if (halts_itself(row, status)) change(row, NodeStatus::idle);
  change(row, status);
  hooks_.reach(row.uid, kAfter);
}

NodeStatus Statuses::polled_status(const void* block, std::uint32_t place) const {
  const PollTreeView view(tree_);
  return static_cast<NodeStatus>(PollAgent(view, const_cast<void*>(block)).status(view.nodes + place));
}

void Statuses::take_step(const espalier_node_step& step, const void* block) {
  const auto runs = [](const StatusRow& row) { return row.status == NodeStatus::running; };
  const std::uint32_t place = step.node_word;
  switch (step.kind) {
    case ESPALIER_NODE_BEGIN: {
      // A node that polls and is done at once never runs.
      const bool is_polled = engine_ == EngineId::poll && rows_at(place).begin != rows_at(place).end;
      each_at(place, runs, &Statuses::begin, is_polled ? polled_status(block, place) : NodeStatus::running);
      break;
    }
    case ESPALIER_NODE_COMPLETE:
      if (step.value == ESPALIER_SUCCESS || step.value == ESPALIER_FAILURE)
        each_at(place, runs, &Statuses::complete, status_of(step.value));
      break;
    case ESPALIER_NODE_INTERRUPT:
    case ESPALIER_NODE_RESET:
      each_at(place, runs, &Statuses::change, NodeStatus::idle);
      break;
    default:
      break;
  }
}

// Elements that no node stands for are active when one in them is.
void Statuses::mark_active(const void* block) {
  for (std::uint32_t i = 0; i < count_; ++i) rows_[i].is_active = false;
  if (engine_ == EngineId::select) {
    const std::uint32_t leaf = espalier_current_leaf(tree_, block);
    const Range range = leaf == ESPALIER_NO_LEAF ? Range{0, 0} : rows_at(leaf);
    if (range.begin != range.end) rows_[by_place_[range.begin]].is_active = true;
  } else {
    espalier_visit_active(
        tree_, block,
        [](void* user, std::uint32_t node_word) {
          Statuses& statuses = *static_cast<Statuses*>(user);
          statuses.each_at(
              node_word, [](const StatusRow& row) { return row.is_active; }, &Statuses::activate, NodeStatus::running);
        },
        this);
  }
  for (std::uint32_t i = count_; i-- > 0;) {
    const StatusRow& row = rows_[by_uid_[i]];
    if (row.is_active && row.parent != kNoRow) rows_[row.parent].is_active = true;
  }
}

void Statuses::read_row(StatusRow& row, NodeStatus status) {
  if (status == row.status) return;
  if (status == NodeStatus::idle) return change(row, status);
  if (row.status != NodeStatus::running) hooks_.reach(row.uid, kBefore);
  status == NodeStatus::running ? change(row, status) : complete(row, status);
}

void Statuses::read(const void* block) {
  if (engine_ == EngineId::poll) return read_polled(block);
  mark_active(block);
  for (std::uint32_t i = 0; i < count_; ++i) {
    StatusRow& row = rows_[by_uid_[i]];
    if (row.is_active || row.status == NodeStatus::running)
      read_row(row, row.is_active ? NodeStatus::running : NodeStatus::idle);
  }
}

void Statuses::read_polled(const void* block) {
  const PollTreeView view(tree_);
  const PollAgent agent(view, const_cast<void*>(block));
  for (std::uint32_t i = 0; i < count_; ++i) {
    StatusRow& row = rows_[by_uid_[i]];
    read_row(row, static_cast<NodeStatus>(agent.status(view.nodes + row.place)));
  }
}

}  // namespace espalier::serving

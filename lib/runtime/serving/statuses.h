// The statuses of a tree's nodes as clients see them, and their last changes.
#pragma once
#include <espalier/watching.h>

#include "serving/changes.h"
#include "serving/hooks.h"
#include "serving/live.h"
#include "serving/memory.h"

namespace espalier::serving {

inline constexpr std::uint16_t kNoRow = 0xFFFF;

// An element of the tree.
struct StatusRow {
  std::uint32_t place = 0;  // as in LiveNode
  std::uint16_t uid = 0;
  std::uint16_t parent = kNoRow;  // row of the element around it
  NodeStatus status = NodeStatus::idle;
  std::uint8_t shown = 0;  // as clients get it: when it is idle, 10 + the status before
  bool is_active = false;  // in the block that is read
};

class Statuses {
 public:
  static std::size_t size_bytes(std::uint32_t node_count);
  Statuses(const Tree& tree, const LiveTree& live, Changes& changes, Hooks& hooks, Memory& memory);
  Statuses(const Statuses&) = delete;
  Statuses& operator=(const Statuses&) = delete;

  // A step of an update of the agent with this block.
  void take_step(const espalier_node_step& step, const void* block);
  // What the block says after an update, for what no step has told.
  void read(const void* block);

  std::uint32_t count() const { return count_; }
  // In the order in which clients get them.
  const StatusRow& operator[](std::uint32_t row) const { return rows_[row]; }
  bool has(std::int64_t uid) const { return uid >= 1 && uid <= count_; }
  // Of the only element that is stored as this node; 0: there is none, or several.
  std::uint16_t uid_of(std::uint32_t place) const;
  // Is it a node of a tree that polls that calls the program? `uid`: there is such an element.
  bool calls_program(std::int64_t uid) const;

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };
  // The rows with this place, in `by_place_`.
  Range rows_at(std::uint32_t place) const;
  // Elements that are stored as one node have one place: those are meant that are in an element that runs.
  template <typename IsIn>
  void each_at(std::uint32_t place, const IsIn& is_in, void (Statuses::*visit)(StatusRow& row, NodeStatus status),
               NodeStatus status);
  void mark_active(const void* block);
  void activate(StatusRow& row, NodeStatus) { row.is_active = true; }
  void begin(StatusRow& row, NodeStatus status);
  void complete(StatusRow& row, NodeStatus status);
  bool halts_itself(const StatusRow& row, NodeStatus status) const;
  void change(StatusRow& row, NodeStatus status);
  void read_polled(const void* block);
  void read_row(StatusRow& row, NodeStatus status);
  NodeStatus polled_status(const void* block, std::uint32_t place) const;

  const Tree tree_;
  const EngineId engine_;
  const std::uint32_t count_;
  StatusRow* const rows_;
  std::uint16_t* const by_place_;
  std::uint16_t* const by_uid_;  // parents before children
  Changes& changes_;
  Hooks& hooks_;
};

}  // namespace espalier::serving

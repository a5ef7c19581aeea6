// The seats of one agent in groups, and its arrivals at barriers. The groups are in the shared block: see StoreGroup.
#pragma once
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/group.h"
#include "store/path.h"

namespace espalier {

class StoreSeats {
 public:
  // `path`: to the instance of the tree whose groups the functions below are about.
  StoreSeats(const Asset& asset, StorePath& path, const StoreHeader& header, const Host& host)
      : asset_(asset), path_(path), header_(header), host_(host) {}

  static std::uint32_t role_of(const std::uint32_t* role) { return child_index(parent_of(role), role); }

  // Takes a seat in a group, for one of the roles in `met`: a bit for each. False: there is none, or the agent has one
  // in the same group in another instance of the tree.
  bool enter(const std::uint32_t* group, std::uint16_t met) const {
    const std::uint32_t seat = of(group).enter(met);
    if (seat == 0) return false;
    instance().byte(kept_at(group)) = static_cast<unsigned char>(seat);
    const std::uint32_t time = operand<OperandKind::time, EngineId::store>(group);
    if (time != layout::kNone) instance().set_time(time, host_.clock_us);
    header_.add_seats(1);
    return true;
  }
  bool can_enter(const std::uint32_t* group) const { return !of(group).is_bound() && !has_seat_elsewhere(group); }

  GroupView look(const std::uint32_t* group, bool has_waited_long) const {
    return of(group).look(instance().byte(kept_at(group)) - 1u, has_waited_long);
  }
  bool has_waited_long(const std::uint32_t* group) const {
    const std::uint64_t timeout_us = instance().group(group).timeout_us;
    return timeout_us != layout::kNoTimeout &&
           host_.clock_us - instance().time(operand<OperandKind::time, EngineId::store>(group)) >= timeout_us;
  }
  void complete_role(const std::uint32_t* role, bool succeeds) const {
    of(parent_of(role)).complete(role_of(role), succeeds);
  }

  // Gives the seat back, if there is one. `leaves`: the agent leaves the others, before the group is completed.
  void leave(const std::uint32_t* group, bool leaves) const {
    const unsigned char seat = instance().byte(kept_at(group));
    if (seat == 0) return;
    if (of(group).give_back(seat - 1u, leaves)) header_.set_restarts();
    forget(group);
  }
  // The group has taken the seat back.
  void forget(const std::uint32_t* group) const {
    instance().byte(kept_at(group)) = 0;
    header_.add_seats(-1);
  }

  // A group of this agent that another agent has left, so that the whole tree must be reset, or null.
  const std::uint32_t* find_left() const {
    return path_.find_seat([&](const std::uint32_t* node) { return of(node).restarts_others(); });
  }

  void arrive(const std::uint32_t* barrier) const {
    const std::uint32_t* role = role_around(barrier);
    instance().set_word(kept_at(barrier), of(parent_of(role)).arrive(role_of(role), index_of(barrier)));
  }
  bool is_open(const std::uint32_t* barrier) const {
    const std::uint32_t* group = parent_of(role_around(barrier));
    const std::uint32_t first = instance().group(group).first_barrier;
    const auto barriers = records<layout::Barrier>(asset_, layout::SectionId::barriers) + first;
    return of(group).is_open(index_of(barrier), barriers[index_of(barrier)].roles, instance().word(kept_at(barrier)));
  }
  void take_arrival_back(const std::uint32_t* barrier) const {
    const std::uint32_t* role = role_around(barrier);
    of(parent_of(role)).take_back(role_of(role), index_of(barrier));
  }

 private:
  const StoreInstance& instance() const { return path_.instance(); }
  StoreGroup of(const std::uint32_t* group) const { return StoreGroup(instance().group(group), host_.shared); }

  static std::uint32_t index_of(const std::uint32_t* barrier) {
    return operand<OperandKind::barrier, EngineId::store>(barrier);
  }
  static const std::uint32_t* role_around(const std::uint32_t* node) {
    while (opcode_of(node) != opcode::store_role) node = parent_of(node);
    return node;
  }

  bool has_seat_elsewhere(const std::uint32_t* group) const {
    if (header_.seats() == 0) return false;
    return path_.from_home().find_seat([&](const std::uint32_t* node) { return node == group; }) != nullptr;
  }

  const Asset& asset_;
  StorePath& path_;
  const StoreHeader& header_;
  const Host& host_;
};

}  // namespace espalier

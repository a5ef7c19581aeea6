// Rooms of child trees that overlap. See store_rooms.h.
#include "ir/store_rooms.h"

#include <algorithm>
#include <utility>

#include "runtime/format/opcodes/store.h"

namespace espalier::ir {
namespace {

// The results that a node may have after a tree has run below it of which something remains.
struct Outcomes {
  bool success = false;
  bool failure = false;
};

constexpr Outcomes kAny = {true, true};

// The rooms below a node, if there are any.
struct Part {
  std::vector<RoomPlan> rooms;  // none or one
  Outcomes outcomes = {};
};

class RoomPlanner {
 public:
  explicit RoomPlanner(const std::vector<Remains>& remains) : remains_(remains) {}

  // Rooms in which times remain belong to one node each.
  RoomPlan plan(const Node& root) {
    Part all = part(root);
    RoomPlan plan;
    for (std::uint32_t i = 0; i < remains_.size(); ++i) {
      if (remains_[i] == Remains::times) plan.inside.push_back({i, false, {}});
    }
    for (RoomPlan& room : all.rooms) plan.inside.push_back(std::move(room));
    if (has_overlaps(plan)) return plan;
    plan.inside.clear();
    for (std::uint32_t i = 0; i < remains_.size(); ++i) plan.inside.push_back({i, false, {}});
    return plan;
  }

 private:
  static bool is_each(const Node& node) {
    return node.opcode == opcode::store_repeat && (node.flags & kEachUpdate) != 0;
  }

  // A node of a damaged tree may lack its child.
  Part part(const Node& node) {
    if (node.children().empty() && node.opcode != opcode::store_child) return {};
    switch (node.opcode) {
      case opcode::store_child:
        return child(next_child_++);
      case opcode::store_sequence:
        return list(node, &Outcomes::success, &Outcomes::failure);
      case opcode::store_selector:
        return list(node, &Outcomes::failure, &Outcomes::success);
      case opcode::store_group:
        return together(node, true);
      case opcode::store_parallel:
      case opcode::store_role:
        return together(node, false);
      case opcode::store_repeat:
        return repeat(node);
      default:
        return decorator(node);
    }
  }

  Part child(std::uint32_t number) const {
    if (remains_[number] == Remains::times) return {};
    return {{RoomPlan{number, false, {}}}, remains_[number] == Remains::nothing ? Outcomes{} : kAny};
  }

  Part decorator(const Node& node) {
    Part below = part(node.children()[0]);
    const auto [success, failure] = below.outcomes;
    if (node.opcode == opcode::store_invert) below.outcomes = {failure, success};
    if (node.opcode == opcode::store_succeed) below.outcomes = {success || failure, false};
    if (node.opcode == opcode::store_fail) below.outcomes = {false, success || failure};
    return below;
  }

  // Later rounds may have any result.
  Part repeat(const Node& node) {
    Part below = part(node.children()[0]);
    if (below.rooms.empty()) return below;
    const Limit* count = node.as_if<Limit>();
    below.outcomes = {count != nullptr && count->maximum > 0, (node.flags & kUntilFailure) != 0};
    if (is_each(node)) below.outcomes = kAny;
    return below;
  }

  Part together(const Node& node, bool overlap) {
    Part all;
    RoomPlan plan;
    for (const Node& child : node.children()) add(part(child), overlap, plan);
    if (plan.inside.empty()) return all;
    all.outcomes = kAny;
    all.rooms.push_back(flat(std::move(plan)));
    return all;
  }

  // A sequence or selector. A child that is evaluated whenever its parent is can begin again after later ones.
  Part list(const Node& node, bool Outcomes::*goes_on, bool Outcomes::*ends) {
    const bool begins_again = std::any_of(node.children().begin(), node.children().end(), is_each);
    Part all;
    RoomPlan plan;
    for (const Node& child : node.children()) {
      Part below = part(child);
      const bool is_last = &child == &node.children().back();
      const bool may_go_on = below.outcomes.*goes_on;
      all.outcomes.*ends = all.outcomes.*ends || below.outcomes.*ends || (may_go_on && !is_last);
      all.outcomes.*goes_on = all.outcomes.*goes_on || may_go_on;
      add(std::move(below), !may_go_on && !begins_again, plan);
    }
    if (plan.inside.empty()) return all;
    if (begins_again) all.outcomes = kAny;
    all.rooms.push_back(flat(std::move(plan)));
    return all;
  }

  static void add(Part part, bool overlaps_later, RoomPlan& plan) {
    for (RoomPlan& room : part.rooms) {
      room.overlaps_later = overlaps_later;
      plan.inside.push_back(std::move(room));
    }
  }
  // A list of one is what it has.
  static RoomPlan flat(RoomPlan plan) {
    if (plan.inside.size() > 1) return plan;
    RoomPlan only = std::move(plan.inside[0]);
    return only;
  }

  const std::vector<Remains>& remains_;
  std::uint32_t next_child_ = 0;
};

}  // namespace

RoomPlan plan_rooms(const Node& root, const std::vector<Remains>& remains) { return RoomPlanner(remains).plan(root); }

bool has_overlaps(const RoomPlan& plan) {
  for (const RoomPlan& room : plan.inside) {
    if ((room.overlaps_later && &room != &plan.inside.back()) || has_overlaps(room)) return true;
  }
  return false;
}

std::uint64_t place_rooms(const RoomPlan& plan, const std::vector<std::uint32_t>& sizes, std::uint64_t begin,
                          std::vector<std::uint32_t>* offsets) {
  if (plan.child != layout::kNone) {
    const auto clamped = static_cast<std::uint32_t>(std::min<std::uint64_t>(begin, layout::kMaxNeedBytes));
    (*offsets)[plan.child] = clamped;
    return clamped + std::uint64_t{sizes[plan.child]};
  }
  std::uint64_t end = begin;
  for (const RoomPlan& room : plan.inside) {
    const std::uint64_t room_end = place_rooms(room, sizes, begin, offsets);
    end = std::max(end, room_end);
    if (!room.overlaps_later) begin = room_end;
  }
  return end;
}

}  // namespace espalier::ir

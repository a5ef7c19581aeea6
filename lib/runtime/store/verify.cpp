// Verifies trees that store their results: their nodes, the layout of instances, groups and barriers, slots and the
// needs of trees in them, the shared block.
#include <algorithm>
#include <iterator>

#include "asset/verify_unit.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/nodes.h"
#include "store/tree.h"

namespace espalier {
namespace {

// The bytes of an instance without rooms.
std::uint32_t own_bytes_of(const layout::Part* parts) {
  return offset_bytes(part_of<EngineId::store, PartKind::rooms>(parts)) - instance_offset(parts);
}

bool is_store_tree(const layout::Tree& tree) { return tree.engine == static_cast<int>(EngineId::store); }

// The offsets that the next node's operands must have: for each kind they follow one another in the order of the nodes.
struct NextParts {
  std::uint32_t time = 0;  // byte offsets in an instance
  std::uint32_t count = 0;
  std::uint32_t seat = 0;
  std::uint32_t shared_value = 0;  // of the asset
  std::uint32_t group = 0;
};

class StoreHooks {
 public:
  StoreHooks(Verifier& verifier, const Asset& asset, const layout::Tree& tree)
      : verifier_(verifier),
        asset_(asset),
        record_(records<layout::StoreTree>(asset, layout::SectionId::store_trees)[tree.record]),
        said_(said_by(parts_of(asset, tree))) {
    const InstanceLayout layout = instance_layout(said_);
    next_.count = layout.counts;
    next_.seat = layout.group_seats;
    next_.shared_value = record_.first_shared_value;
    next_.group = record_.first_group;
  }

  const char* open(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    const Opcode opcode = reader.opcode();
    if (reader.word() < monitor_end_ && !store_row(opcode).may_be_watched)
      return "a node is not allowed below its parent";
    if (opcode == opcode::store_monitor) {
      monitor_end_ = reader.word() + extent_of(node);
      if (!verifier_.take_monitor(reader.word())) return "monitors are not consecutive";
    }
    if (opcode == opcode::store_child) ++child_count_;
    const OpcodeInfo& info = info_of(node);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(reader, info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    const bool has_time =
        opcode == opcode::store_group && operand<OperandKind::time, opcode::store_group>(node) != layout::kNone;
    const layout::TimedNode* timed = opcode == opcode::store_action ? verifier_.take_timed(reader.word()) : nullptr;
    std::uint32_t memory_bytes = 0;
    if (timed != nullptr) {
      memory_bytes = memory_bytes_of(asset_, operand<OperandKind::behavior, opcode::store_action>(node));
      if (timed->state != next_.time || memory_bytes == 0) return "a node's memory has the wrong offset";
      next_.time += (memory_bytes + 7) / 8 * 8;
    }
    add_store_node(opcode, memory_bytes, has_time, &counted_);
    return nullptr;
  }

  const char* close(const UnitReader& reader) const {
    if (reader.parent() != nullptr) return nullptr;
    const bool parts_hold = said_.times == counted_.times && said_.counts == counted_.counts &&
                            said_.group_seats == counted_.group_seats && said_.results == counted_.results;
    if (!parts_hold) return "the parts of an instance have the wrong offsets";
    const bool sums_hold = record_.child_count == child_count_ &&
                           next_.shared_value == record_.first_shared_value + record_.shared_value_count &&
                           next_.group == record_.first_group + record_.group_count;
    return sums_hold ? nullptr : "the totals of a unit do not match its nodes";
  }

 private:
  static InstanceParts said_by(const layout::Part* parts) {
    InstanceParts said;
    said.times = part_of<EngineId::store, PartKind::times>(parts).count;
    said.counts = part_of<EngineId::store, PartKind::counts>(parts).count;
    said.group_seats = part_of<EngineId::store, PartKind::group_seats>(parts).count;
    said.results = part_of<EngineId::store, PartKind::results>(parts).count;
    return said;
  }

  const char* check_operand(const UnitReader& reader, OperandKind kind, std::uint32_t value) {
    switch (kind) {
      case OperandKind::state:
        return check_state(info_of(reader.node()).agent_bytes, value);
      case OperandKind::shared_value:
        return value == next_.shared_value++ ? nullptr : "shared values are not consecutive";
      case OperandKind::group:
        return check_group(reader, value);
      case OperandKind::time:
        return check_time(group_of(reader.asset, reader.node()), value);
      case OperandKind::barrier:
        return check_barrier(reader, value);
      default:
        return nullptr;
    }
  }

  const char* check_state(std::uint32_t size_bytes, std::uint32_t offset) {
    std::uint32_t& next = size_bytes == 8 ? next_.time : size_bytes == 1 ? next_.seat : next_.count;
    if (offset != next) return "a node's state has the wrong offset";
    next += size_bytes;
    return nullptr;
  }

  static const layout::Group& group_of(const Asset& asset, const std::uint32_t* node) {
    return records<layout::Group>(asset,
                                  layout::SectionId::groups)[operand<OperandKind::group, opcode::store_group>(node)];
  }

  // Agents get roles by number, so the node must have as many roles as the record specifies.
  const char* check_group(const UnitReader& reader, std::uint32_t group) {
    if (group != next_.group++) return "groups are not consecutive";
    const bool has_roles = child_count(reader.node()) == group_of(reader.asset, reader.node()).role_count;
    return has_roles ? nullptr : "a group's roles do not match its node";
  }

  const char* check_time(const layout::Group& group, std::uint32_t offset) {
    if ((group.timeout_us == layout::kNoTimeout) != (offset == layout::kNone)) return "a group's time is wrong";
    return offset == layout::kNone ? nullptr : check_state(8, offset);
  }

  static const char* check_barrier(const UnitReader& reader, std::uint32_t barrier) {
    const std::uint32_t* around = reader.node();
    while (opcode_of(around) != opcode::store_role) {
      if (is_root(around)) return "a barrier outside all roles";
      around = parent_of(around);
    }
    const layout::Group& group = group_of(reader.asset, parent_of(around));  // roles occur only in groups
    return barrier < group.barrier_count ? nullptr : "barrier index out of range";
  }

  Verifier& verifier_;
  const Asset& asset_;
  const layout::StoreTree& record_;
  const InstanceParts said_;  // in the tree's record
  InstanceParts counted_;     // so far
  NextParts next_;
  std::uint32_t child_count_ = 0;
  std::uint32_t monitor_end_ = 0;  // the first word after the descendants of the last monitor
};

}  // namespace

const char* Verifier::check_store_unit(std::uint32_t unit, std::uint32_t* word) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[unit_record(asset_, unit).tree];
  return read_unit(*this, unit, StoreHooks(*this, asset_, tree), word);
}

// Older assets do not have the section.
bool Verifier::take_monitor(std::uint32_t word) {
  const std::uint32_t* monitors = array<std::uint32_t>(asset_, layout::SectionId::monitors);
  const std::uint32_t index = next_[static_cast<std::size_t>(layout::SectionId::monitors)];
  return monitors == nullptr || (take(layout::SectionId::monitors, index, 1) && monitors[index] == word);
}

// The record of an action that has memory or keeps times; null if it has none.
const layout::TimedNode* Verifier::take_timed(std::uint32_t word) {
  const std::uint32_t index = next_[static_cast<std::size_t>(layout::SectionId::timed_nodes)];
  const auto* timed = array<layout::TimedNode>(asset_, layout::SectionId::timed_nodes) + index;
  if (!has_records(layout::SectionId::timed_nodes, index, 1) || timed->word != word) return nullptr;
  return take(layout::SectionId::timed_nodes, index, 1) ? timed : nullptr;
}

// What nodes that store refer to, checked before the nodes: groups, barriers, slots.
bool Verifier::check_groups() {
  const auto barriers = records<layout::Barrier>(asset_, layout::SectionId::barriers);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::barriers); ++i) {
    if (!is_name(barriers[i].name)) return fail(&barriers[i], "name offset out of range");
  }
  const auto groups = records<layout::Group>(asset_, layout::SectionId::groups);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::groups); ++i) {
    const layout::Group& group = groups[i];
    const bool is_right = group.role_count >= 1 && group.role_count <= layout::kMaxRoles &&
                          group.on_leave < static_cast<std::uint32_t>(layout::OnLeave::count) && group.reserved == 0 &&
                          (group.timeout_us <= layout::kMaxTimeUs || group.timeout_us == layout::kNoTimeout);
    if (!is_right) return fail(&group, "a group's flags are wrong");
    if (group.barrier_count > layout::kMaxNodes ||
        !take(layout::SectionId::barriers, group.first_barrier, group.barrier_count)) {
      return fail(&group, "barriers are not consecutive");
    }
    for (std::uint32_t j = 0; j < group.barrier_count; ++j) {
      const layout::Barrier& barrier = barriers[group.first_barrier + j];
      if (barrier.roles >> group.role_count != 0) return fail(&barrier, "role number of a barrier out of range");
    }
  }
  return check_slots();
}

bool Verifier::check_slots() {
  const auto slots = records<layout::Slot>(asset_, layout::SectionId::slots);
  const std::uint32_t* accepts = array<std::uint32_t>(asset_, layout::SectionId::accepts);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::slots); ++i) {
    const layout::Slot& slot = slots[i];
    const std::uint32_t accepted_count = slot.accepted_count == layout::kNone ? 0 : slot.accepted_count;
    if (!take(layout::SectionId::accepts, slot.first_accepted, accepted_count)) {
      return fail(&slot, "the trees that slots accept are not consecutive");
    }
  }
  const std::uint32_t slot_total = record_count(asset_, layout::SectionId::slots);
  const std::uint64_t room_total = slot_total == 0 ? 0 : std::uint64_t{need_count(asset_)} * slot_total;
  if (record_count(asset_, layout::SectionId::slot_rooms) != room_total) {
    return fail(array<std::uint32_t>(asset_, layout::SectionId::slot_rooms), "the rooms of slots are wrong");
  }
  const auto trees = array<layout::Tree>(asset_, layout::SectionId::trees);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::accepts); ++i) {
    if (accepts[i] >= tree_count(asset_) || !is_store_tree(trees[accepts[i]])) {
      return fail(&accepts[i], "a slot's tree has another engine");
    }
  }
  return true;
}

bool Verifier::check_store_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const auto* record = &records<layout::StoreTree>(asset_, layout::SectionId::store_trees)[tree.record];
  if (record->tree != index) return fail(&tree, "tree records are not consecutive");
  const bool has_levels = record->level_count >= 1 && record->level_count <= layout::kMaxTreeLevels &&
                          record->need_count >= 1 && record->need_count <= layout::kMaxTreeLevels;
  if (!has_levels || record->need_count != need_count(asset_) || index >= layout::kMaxStoreTrees) {
    return fail(record, "the flags of a tree that stores do not match its nodes");
  }
  if (record->first_shared_value != next_shared_value_ ||
      !take(layout::SectionId::tree_needs, record->first_need, record->need_count)) {
    return fail(record, "tree records are not consecutive");
  }
  const layout::Part* parts = parts_of(asset_, tree);
  const std::uint32_t slot_count = record->child_count > 0 ? record_count(asset_, layout::SectionId::slots) : 0;
  const std::uint32_t own_bytes = own_bytes_of(parts);
  const bool agent_holds =
      part_of<EngineId::store, PartKind::slots>(parts).count == slot_count &&
      need_at(*record, record->level_count) >= own_bytes &&
      part_of<EngineId::store, PartKind::rooms>(parts).count == need_at(*record, record->level_count) - own_bytes &&
      part_of<EngineId::store, PartKind::variables>(parts).count == 0 && tree.signal_count == 0 && tree.leaf_count == 0;
  if (!agent_holds) return fail(&tree, "an agent's size is wrong");
  if (tree.record == 0) shared_store_bytes_ = shared_store_bytes();
  if (tree.shared_bytes != shared_store_bytes_) return fail(&tree, "a shared block's size is wrong");
  next_shared_value_ += record->shared_value_count;
  return check_needs(tree, *record);
}

std::uint32_t Verifier::need_at(const layout::StoreTree& record, std::uint32_t level_count) const {
  return array<std::uint32_t>(asset_,
                              layout::SectionId::tree_needs)[record.first_need + entry_of_levels(asset_, level_count)];
}

// The shared block has the values of all trees, and then the groups without gaps. It is the same for all trees, so it
// is computed with the first one.
std::uint64_t Verifier::shared_store_bytes() const {
  const auto trees = records<layout::StoreTree>(asset_, layout::SectionId::store_trees);
  std::uint64_t size_bytes = 0;
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::store_trees); ++i) {
    size_bytes += std::uint64_t{8} * trees[i].shared_value_count;
  }
  const auto groups = records<layout::Group>(asset_, layout::SectionId::groups);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::groups); ++i) {
    if (groups[i].shared_offset != size_bytes) return ~std::uint64_t{0};
    size_bytes += shared_group_bytes(groups[i]);
  }
  return size_bytes;
}

// A tree needs its own bytes, and the rooms of its slots with one level less. Rooms may overlap: see
// StoreWalk::take_room(). No room begins within the other parts of the instance.
bool Verifier::check_needs(const layout::Tree& tree, const layout::StoreTree& record) {
  const std::uint32_t own_bytes = own_bytes_of(parts_of(asset_, tree));
  std::uint64_t needs[layout::kMaxTreeLevels];
  std::fill(std::begin(needs), std::end(needs), own_bytes);
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const std::uint32_t* root = array<std::uint32_t>(asset_, layout::SectionId::nodes) + unit.first_word;
  const std::uint32_t* end = record.child_count > 0 ? end_of(root) : root;
  for (const std::uint32_t* node = root; node != end; node = next_node(node)) {
    if (opcode_of(node) == opcode::store_child && !add_room(record, node, own_bytes, needs)) return false;
  }
  for (std::uint32_t level = 1; level <= layout::kMaxTreeLevels; ++level) {
    const std::uint64_t need = std::min<std::uint64_t>(needs[level - 1], layout::kMaxNeedBytes);
    if (need_at(record, level) != need) return fail(&record, "the needs of a tree do not match its nodes");
  }
  return true;
}

// Adds what the room of a store_child needs, for each number of levels.
bool Verifier::add_room(const layout::StoreTree& record, const std::uint32_t* child, std::uint32_t own_bytes,
                        std::uint64_t* needs) {
  const auto* rooms = array<layout::ChildRoom>(asset_, layout::SectionId::child_rooms);
  const std::uint32_t index = next_[static_cast<std::size_t>(layout::SectionId::child_rooms)];
  if (rooms != nullptr && !take_child_room(static_cast<std::uint32_t>(child - nodes_of(asset_)))) {
    return fail(&record, "rooms of child trees are not consecutive");
  }
  for (std::uint32_t level = 1; level <= layout::kMaxTreeLevels; ++level) {
    std::uint64_t& need = needs[level - 1];
    std::uint64_t begin = need;
    if (rooms != nullptr) {
      begin = array<std::uint32_t>(
          asset_, layout::SectionId::tree_needs)[rooms[index].first_offset + entry_of_levels(asset_, level)];
      if (begin < own_bytes || begin % 8 != 0) return fail(&record, "a room of a child tree has the wrong offset");
    }
    need = std::max(need, begin + room_of(asset_, slot_of(child), level - 1));
  }
  return true;
}

// The record of a store_child, whose offsets come after the sizes of its tree and those of the nodes before it.
bool Verifier::take_child_room(std::uint32_t word) {
  const auto* rooms = array<layout::ChildRoom>(asset_, layout::SectionId::child_rooms);
  const std::uint32_t index = next_[static_cast<std::size_t>(layout::SectionId::child_rooms)];
  return take(layout::SectionId::child_rooms, index, 1) && rooms[index].word == word &&
         (index == 0 || rooms[index - 1].word < word) &&
         take(layout::SectionId::tree_needs, rooms[index].first_offset, need_count(asset_));
}

// A slot's room is its budget, or the need of the largest tree that it accepts, which is the same for all slots that
// accept all trees.
bool Verifier::check_rooms() {
  const std::uint32_t slot_count = record_count(asset_, layout::SectionId::slots);
  const std::uint32_t* rooms = array<std::uint32_t>(asset_, layout::SectionId::slot_rooms);
  if (slot_count == 0) return true;
  std::uint32_t of_all[layout::kMaxTreeLevels] = {};
  const std::uint32_t tree_total = record_count(asset_, layout::SectionId::store_trees);
  const auto trees = records<layout::StoreTree>(asset_, layout::SectionId::store_trees);
  for (std::uint32_t i = 0; i < tree_total; ++i) {
    for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) {
      of_all[level] = std::max(of_all[level], need_at(trees[i], level + 1));
    }
  }
  for (std::uint32_t i = 0; i < slot_count; ++i, rooms += need_count(asset_)) {
    const layout::Slot& slot = slot_record(asset_, i);
    for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) {
      std::uint32_t room = of_all[level];
      if (slot.budget_bytes != layout::kNone) {
        room = room_of_budget(slot.budget_bytes);
      } else if (slot.accepted_count != layout::kNone) {
        room = 0;
        visit_accepted(asset_, slot,
                       [&](std::uint32_t tree) { room = std::max(room, need_of(asset_, tree, level + 1)); });
      }
      const std::uint32_t* stored = &rooms[entry_of_levels(asset_, level + 1)];
      if (*stored != room) return fail(stored, "a slot's room is wrong");
    }
  }
  return true;
}

}  // namespace espalier

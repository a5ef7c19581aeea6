// Verifying what trees that store their results have: their nodes, the layout of instances, groups and barriers, slots
// and what trees need in them, the shared block.
#include "asset/verify.h"
#include "asset/verify_node.h"
#include "store/tree.h"

namespace espalier {
namespace {

std::uint32_t larger(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }

// Of an instance without rooms.
std::uint32_t own_bytes_of(const layout::Part* parts) {
  return offset_bytes(part_of<EngineId::store, PartKind::rooms>(parts)) - instance_offset(parts);
}

// Where the parts that nodes name must lie: each kind one behind the other, in the order of the nodes.
struct NextParts {
  std::uint32_t time = 0;  // byte offsets in an instance
  std::uint32_t count = 0;
  std::uint32_t seat = 0;
  std::uint32_t place = 0;  // of the asset
  std::uint32_t group = 0;
};

// Reads the unit of a tree, front to back. Nodes are of one size and know their parents.
class StoreReader {
 public:
  StoreReader(const Asset& asset, const layout::Unit& unit, const layout::StoreTree& record)
      : asset_(asset),
        unit_(unit),
        record_(record),
        parts_(parts_of(asset, array<layout::Tree>(asset, layout::SectionId::trees)[unit.tree])),
        nodes_(array<std::uint32_t>(asset, layout::SectionId::nodes) + unit.first_word) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    if (unit_.word_count % kStoreWords != 0 || unit_.word_count / kStoreWords != record_.node_count ||
        record_.node_count > layout::kMaxNodes) {
      return "a unit of nodes that store has another size";
    }
    if (const char* reason = count_parts()) return reason;
    next_.place = record_.first_place;
    next_.group = record_.first_group;
    for (word_ = 0; word_ < unit_.word_count; word_ += kStoreWords) {
      if (const char* reason = read_node(nodes_ + word_)) return reason;
    }
    word_ = 0;
    const bool sums_hold = unit_.node_count == record_.node_count && unit_.leaf_count == 0 && unit_.state_bytes == 0 &&
                           unit_.variable_count == 0 && unit_.region_count == 0 &&
                           next_.place == record_.first_place + record_.place_count &&
                           next_.group == record_.first_group + record_.group_count;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return unit_.first_word + word_; }

 private:
  template <PartKind kind>
  std::uint32_t count() const {
    return part_of<EngineId::store, kind>(parts_).count;
  }

  // What instances have follows from all nodes: where each part lies is known only then.
  const char* count_parts() {
    InstanceParts parts;
    std::uint32_t child_count = 0;
    for (word_ = 0; word_ < unit_.word_count; word_ += kStoreWords) {
      const std::uint32_t* node = nodes_ + word_;
      if (const char* reason = check_node(node, unit_.word_count - word_, EngineId::store)) return reason;
      const bool has_time =
          opcode_of(node) == Opcode::store_group && operand<OperandKind::time, EngineId::store>(node) != layout::kNone;
      add_store_node(opcode_of(node), has_time, &parts);
      if (opcode_of(node) == Opcode::store_child) ++child_count;
    }
    word_ = 0;
    const InstanceLayout layout = instance_layout(parts);
    next_.count = layout.counts;
    next_.seat = layout.places;
    const bool holds = count<PartKind::times>() == parts.times && count<PartKind::counts>() == parts.counts &&
                       count<PartKind::places>() == parts.places && count<PartKind::results>() == parts.results &&
                       record_.child_count == child_count;
    return holds ? nullptr : "an instance's parts lie elsewhere than they must";
  }

  const char* read_node(const std::uint32_t* node) {
    const OpcodeInfo& info = opcode_info(opcode_of(node));
    if (const char* reason = places_.read(node, word_, unit_.word_count)) return reason;
    if (node[0] >> 16 != 0) return "a node's state lies elsewhere than it must";
    if (word_ < monitor_end_ && !may_be_watched(opcode_of(node))) return "a node stands below one that cannot have it";
    if (opcode_of(node) == Opcode::store_monitor) monitor_end_ = word_ + extent_of(node);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(asset_, node, i)) return reason;
      if (const char* reason = check_own_operand(node, info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (opcode_of(node) == Opcode::store_group) ++next_.group;
    return nullptr;
  }

  // Results below a monitor are forgotten without a reset: nothing that holds something may stand there.
  static bool may_be_watched(Opcode opcode) {
    switch (opcode) {
      case Opcode::store_sequence:
      case Opcode::store_selector:
      case Opcode::store_parallel:
      case Opcode::store_condition:
      case Opcode::store_action:
      case Opcode::store_invert:
      case Opcode::store_succeed:
      case Opcode::store_fail:
        return true;
      default:
        return false;
    }
  }

  const char* check_own_operand(const std::uint32_t* node, OperandKind kind, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::state:
        return check_state(opcode_of(node), operand);
      case OperandKind::place:
        return operand == next_.place++ ? nullptr : "places do not follow one another";
      case OperandKind::time:
        return check_time(node, operand);
      case OperandKind::group:
        return check_group(node, operand);
      case OperandKind::barrier:
        return check_barrier(node, operand);
      case OperandKind::tree:
        return check_default(operand);
      default:
        return nullptr;
    }
  }

  const char* check_state(Opcode opcode, std::uint32_t offset) {
    std::uint32_t* next = &next_.count;
    std::uint32_t size_bytes = 2;
    if (opcode == Opcode::store_cooldown) {
      next = &next_.time;
      size_bytes = 8;
    } else if (opcode == Opcode::store_group) {
      next = &next_.seat;
      size_bytes = 1;
    } else if (opcode == Opcode::store_child) {
      size_bytes = 4;
    }
    if (offset != *next) return "a node's state lies elsewhere than it must";
    *next += size_bytes;
    return nullptr;
  }

  // Agents are given roles by their numbers in the record: the node must have them.
  const char* check_group(const std::uint32_t* node, std::uint32_t group) const {
    if (group != next_.group || group >= record_count(asset_, layout::SectionId::groups)) {
      return "groups do not follow one another";
    }
    const layout::Group& record = records<layout::Group>(asset_, layout::SectionId::groups)[group];
    return child_count(node) == record.role_count ? nullptr : "a group has other roles than its node";
  }

  // A group's, which has its operand before this one.
  const char* check_time(const std::uint32_t* node, std::uint32_t offset) {
    const layout::Group& group =
        records<layout::Group>(asset_, layout::SectionId::groups)[operand<OperandKind::group, EngineId::store>(node)];
    if ((group.timeout_us == layout::kNoTimeout) != (offset == layout::kNone)) return "a group's time is wrong";
    if (offset == layout::kNone) return nullptr;
    if (offset != next_.time) return "a node's state lies elsewhere than it must";
    next_.time += 8;
    return nullptr;
  }

  const char* check_barrier(const std::uint32_t* node, std::uint32_t barrier) const {
    const std::uint32_t* around = node;
    while (opcode_of(around) != Opcode::store_role) {
      if (is_root(around)) return "a barrier stands in no role";
      around = parent_of(around);
    }
    const std::uint32_t* group = parent_of(around);  // which roles stand below only
    const std::uint32_t record = operand<OperandKind::group, EngineId::store>(group);
    const auto groups = records<layout::Group>(asset_, layout::SectionId::groups);
    return barrier < groups[record].barrier_count ? nullptr : "there is no such barrier";
  }

  const char* check_default(std::uint32_t tree) const {
    if (tree == 0) return nullptr;
    if (tree > record_count(asset_, layout::SectionId::trees)) return "there is no such tree";
    const layout::Tree& found = array<layout::Tree>(asset_, layout::SectionId::trees)[tree - 1];
    return is_store_tree(found) ? nullptr : "a slot's tree is of another engine";
  }

 public:
  static bool is_store_tree(const layout::Tree& tree) { return tree.engine == static_cast<int>(EngineId::store); }

 private:
  const Asset& asset_;
  const layout::Unit& unit_;
  const layout::StoreTree& record_;
  const layout::Part* parts_;
  const std::uint32_t* nodes_;
  NextParts next_;
  std::uint32_t word_ = 0;
  NodePlaces places_{EngineId::store, layout::kMaxTickDepth};
  std::uint32_t monitor_end_ = 0;  // the last monitor's: the first word behind what is below it
};

}  // namespace

const char* Verifier::check_store_unit(std::uint32_t unit, std::uint32_t* word) {
  const layout::Unit& record = records<layout::Unit>(asset_, layout::SectionId::units)[unit];
  *word = record.first_word;
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[record.tree];
  StoreReader reader(asset_, record, records<layout::StoreTree>(asset_, layout::SectionId::store_trees)[tree.record]);
  const char* reason = reader.read();
  *word = reader.word();
  return reason;
}

// What nodes that store lead to, before they are looked at: groups, barriers, slots.
bool Verifier::check_groups() {
  const auto barriers = records<layout::Barrier>(asset_, layout::SectionId::barriers);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::barriers); ++i) {
    if (!is_name(barriers[i].name)) return fail(&barriers[i], "there is no such name");
  }
  const auto groups = records<layout::Group>(asset_, layout::SectionId::groups);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::groups); ++i) {
    const layout::Group& group = groups[i];
    const bool is_right = group.role_count >= 1 && group.role_count <= layout::kMaxRoles &&
                          group.on_leave < static_cast<std::uint32_t>(layout::OnLeave::count) && group.reserved == 0 &&
                          (group.timeout_us <= layout::kMaxTimeUs || group.timeout_us == layout::kNoTimeout);
    if (!is_right) return fail(&group, "a group says what it is not");
    if (group.barrier_count > layout::kMaxNodes ||
        !take(layout::SectionId::barriers, group.first_barrier, group.barrier_count)) {
      return fail(&group, "barriers do not follow one another");
    }
    for (std::uint32_t j = 0; j < group.barrier_count; ++j) {
      const layout::Barrier& barrier = barriers[group.first_barrier + j];
      if (barrier.roles >> group.role_count != 0) return fail(&barrier, "a barrier is of a role that is not there");
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
      return fail(&slot, "the trees that slots accept do not follow one another");
    }
  }
  const auto trees = array<layout::Tree>(asset_, layout::SectionId::trees);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::accepts); ++i) {
    if (accepts[i] >= tree_count(asset_) || !StoreReader::is_store_tree(trees[accepts[i]])) {
      return fail(&accepts[i], "a slot's tree is of another engine");
    }
  }
  return true;
}

bool Verifier::check_store_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const auto* record = &records<layout::StoreTree>(asset_, layout::SectionId::store_trees)[tree.record];
  if (record->tree != index) return fail(&tree, "trees' records do not follow one another");
  if (record->level_count < 1 || record->level_count > layout::kMaxTreeLevels || index >= layout::kMaxStoreTrees) {
    return fail(record, "a tree that stores says what it is not");
  }
  if (record->first_place != next_place_ ||
      !take(layout::SectionId::groups, record->first_group, record->group_count) ||
      !take(layout::SectionId::tree_needs, record->first_need, layout::kMaxTreeLevels)) {
    return fail(record, "trees' records do not follow one another");
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
  next_place_ += record->place_count;
  return check_needs(tree, *record);
}

std::uint32_t Verifier::need_at(const layout::StoreTree& record, std::uint32_t level_count) const {
  return array<std::uint32_t>(asset_, layout::SectionId::tree_needs)[record.first_need + level_count - 1];
}

// Places of all trees, then the groups one behind the other: checked with the first tree, and the same for all.
std::uint64_t Verifier::shared_store_bytes() const {
  const auto trees = records<layout::StoreTree>(asset_, layout::SectionId::store_trees);
  std::uint64_t size_bytes = 0;
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::store_trees); ++i) {
    size_bytes += std::uint64_t{8} * trees[i].place_count;
  }
  const auto groups = records<layout::Group>(asset_, layout::SectionId::groups);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::groups); ++i) {
    if (groups[i].shared_offset != size_bytes) return ~std::uint64_t{0};
    size_bytes += shared_group_bytes(groups[i]);
  }
  return size_bytes;
}

// What a tree needs is what it has itself and the rooms of its slots, one level further down.
bool Verifier::check_needs(const layout::Tree& tree, const layout::StoreTree& record) {
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, layout::SectionId::nodes) + unit.first_word;
  for (std::uint32_t level = 1; level <= layout::kMaxTreeLevels; ++level) {
    std::uint64_t need = own_bytes_of(parts_of(asset_, tree));
    for (std::uint32_t at = 0; at < unit.word_count && level > 1; at += kStoreWords) {
      if (opcode_of(nodes + at) == Opcode::store_child) need += room_of(asset_, slot_of(nodes + at), level - 1);
    }
    if (need > layout::kMaxNeedBytes) need = layout::kMaxNeedBytes;
    if (need_at(record, level) != need) return fail(&record, "a tree needs something else than it says");
  }
  return true;
}

// A slot's room is its budget, or what the largest tree needs that it accepts: of those that accept all of them the
// same.
bool Verifier::check_rooms() {
  const std::uint32_t slot_count = record_count(asset_, layout::SectionId::slots);
  const std::uint32_t* rooms = array<std::uint32_t>(asset_, layout::SectionId::slot_rooms);
  if (record_count(asset_, layout::SectionId::slot_rooms) != std::uint64_t{slot_count} * layout::kMaxTreeLevels) {
    return fail(rooms, "slots have other rooms");
  }
  if (slot_count == 0) return true;
  std::uint32_t of_all[layout::kMaxTreeLevels] = {};
  const std::uint32_t tree_total = record_count(asset_, layout::SectionId::store_trees);
  const auto trees = records<layout::StoreTree>(asset_, layout::SectionId::store_trees);
  for (std::uint32_t i = 0; i < tree_total; ++i) {
    for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) {
      of_all[level] = larger(of_all[level], need_at(trees[i], level + 1));
    }
  }
  for (std::uint32_t i = 0; i < slot_count; ++i, rooms += layout::kMaxTreeLevels) {
    const layout::Slot& slot = slot_record(asset_, i);
    for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) {
      std::uint32_t room = of_all[level];
      if (slot.budget_bytes != layout::kNone) {
        room = room_of_budget(slot.budget_bytes);
      } else if (slot.accepted_count != layout::kNone) {
        room = 0;
        visit_accepted(asset_, slot,
                       [&](std::uint32_t tree) { room = larger(room, need_of(asset_, tree, level + 1)); });
      }
      if (rooms[level] != room) return fail(&rooms[level], "a slot has another room");
    }
  }
  return true;
}

}  // namespace espalier

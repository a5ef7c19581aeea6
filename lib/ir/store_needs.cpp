// Sizes of instances, level by level. See store_needs.h.
#include "ir/store_needs.h"

#include <algorithm>
#include <numeric>

#include "runtime/format/opcodes/store.h"
#include "runtime/store/nodes.h"

namespace espalier::ir {
namespace {

using SlotIds = std::unordered_map<std::string_view, std::uint32_t>;

void count_parts(const Project& project, const Node& root, const SlotIds& slot_ids, InstanceParts& parts,
                 std::vector<std::uint32_t>& slots) {
  for (const Node& node : nodes_from(root)) {
    const Group* const group = node.as_if<Group>();
    const std::uint32_t memory_bytes = node.opcode == opcode::store_action ? memory_with_times(project, node) : 0;
    add_store_node(node.opcode, memory_bytes, group != nullptr && group->timeout_us.has_value(), &parts);
    if (node.opcode == opcode::store_child) slots.push_back(slot_ids.at(node.as<ChildTree>().slot));
  }
}

// Visits the index of each tree that may run in a slot.
template <typename Visit>
void for_each_accepted(const Slot& slot, const StoreNeeds& needs, const Visit& visit) {
  if (!slot.accepts) {
    for (const auto& [name, tree] : needs.trees) visit(tree);
    return;
  }
  for (const std::string& name : *slot.accepts) {
    if (const auto tree = needs.trees.find(name); tree != needs.trees.end()) visit(tree->second);
  }
}

// The trees of slots with a list; empty for the others, which accept all trees.
using Accepted = std::vector<std::vector<std::uint32_t>>;

Accepted accepted_trees(const Project& project, const StoreNeeds& needs) {
  Accepted accepted(project.slots.size());
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    if (!project.slots[i].accepts) continue;
    for_each_accepted(project.slots[i], needs, [&](std::uint32_t tree) { accepted[i].push_back(tree); });
  }
  return accepted;
}

// ---- What remains in rooms

Remains remains_of(const Node& node) {
  Remains most = Remains::nothing;
  if (node.opcode == opcode::store_cooldown) return Remains::times;
  if (node.opcode == opcode::store_action || node.opcode == opcode::store_monitor) most = Remains::results;
  for (const Node& child : node.children()) most = std::max(most, remains_of(child));
  return most;
}

// Finds the slots with trees in which something remains, directly or in their own slots. Each tree and each slot gets
// this mark at most once.
class RemainsSpread {
 public:
  RemainsSpread(const Project& project, const StoreNeeds& needs, const Accepted& accepted)
      : needs_(needs),
        slots_that_accept_(project.trees.size()),
        users_(project.slots.size()),
        has_tree_(project.trees.size()),
        has_slot_(project.slots.size()) {
    for (std::uint32_t slot = 0; slot < project.slots.size(); ++slot) {
      if (!project.slots[slot].accepts) open_.push_back(slot);
      for (const std::uint32_t tree : accepted[slot]) slots_that_accept_[tree].push_back(slot);
    }
    for (const auto& [name, tree] : needs.trees) {
      for (const std::uint32_t slot : needs.slots[tree]) users_[slot].push_back(tree);
    }
  }

  // `own`: of the trees' own nodes. Sets those of the slots whose trees have at least this much.
  void spread(const std::vector<Remains>& own, Remains wanted, std::vector<Remains>& of_slots) {
    for (const auto& [name, tree] : needs_.trees) {
      if (own[tree] >= wanted) mark_tree(tree);
    }
    while (!waiting_.empty()) {
      const std::uint32_t tree = waiting_.back();
      waiting_.pop_back();
      for (const std::uint32_t slot : slots_that_accept_[tree]) mark_slot(slot);
      for (const std::uint32_t slot : open_) mark_slot(slot);
      open_.clear();
    }
    for (std::size_t i = 0; i < of_slots.size(); ++i) {
      if (has_slot_[i]) of_slots[i] = wanted;
    }
  }

 private:
  void mark_tree(std::uint32_t tree) {
    if (!has_tree_[tree]) waiting_.push_back(tree);
    has_tree_[tree] = true;
  }
  void mark_slot(std::uint32_t slot) {
    if (has_slot_[slot]) return;
    has_slot_[slot] = true;
    for (const std::uint32_t tree : users_[slot]) mark_tree(tree);
  }

  const StoreNeeds& needs_;
  std::vector<std::vector<std::uint32_t>> slots_that_accept_;  // by tree; without those that accept all
  std::vector<std::uint32_t> open_;                            // slots that accept all trees and are not marked
  std::vector<std::vector<std::uint32_t>> users_;              // by slot: trees
  std::vector<bool> has_tree_;
  std::vector<bool> has_slot_;
  std::vector<std::uint32_t> waiting_;  // trees that are marked
};

// By slot.
std::vector<Remains> remains_of_slots(const Project& project, const StoreNeeds& needs, const Accepted& accepted) {
  std::vector<Remains> of_trees(project.trees.size());
  for (const auto& [name, tree] : needs.trees) of_trees[tree] = remains_of(project.trees[tree].root());
  std::vector<Remains> of_slots(project.slots.size());
  for (const Remains wanted : {Remains::results, Remains::times}) {
    RemainsSpread(project, needs, accepted).spread(of_trees, wanted, of_slots);
  }
  return of_slots;
}

// By tree; empty if no rooms overlap.
std::vector<RoomPlan> room_plans(const Project& project, const StoreNeeds& needs, const Accepted& accepted) {
  const std::vector<Remains> of_slots = remains_of_slots(project, needs, accepted);
  std::vector<RoomPlan> plans(project.trees.size());
  bool overlap = false;
  for (const auto& [name, tree] : needs.trees) {
    std::vector<Remains> remains;
    for (const std::uint32_t slot : needs.slots[tree]) remains.push_back(of_slots[slot]);
    if (!remains.empty()) plans[tree] = plan_rooms(project.trees[tree].root(), remains);
    overlap = overlap || has_overlaps(plans[tree]);
  }
  if (!overlap) plans.clear();
  return plans;
}

// ---- Levels

// The end of an instance, whose rooms are for one level less.
std::uint64_t instance_bytes(const std::vector<RoomPlan>& plans, std::uint32_t tree, std::uint32_t level,
                             StoreNeeds& needs) {
  std::uint64_t bytes = instance_layout(needs.parts[tree]).rooms;
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t slot : needs.slots[tree]) sizes.push_back(level > 0 ? needs.of_slot[slot][level - 1] : 0);
  if (plans.empty()) return std::accumulate(sizes.begin(), sizes.end(), bytes);
  std::vector<std::uint32_t> offsets(sizes.size());
  bytes = place_rooms(plans[tree], sizes, bytes, &offsets);
  for (std::size_t i = 0; i < offsets.size(); ++i) needs.room_offsets[tree][i][level] = offsets[i];
  return bytes;
}

// The sizes one level further down are already known.
void add_level(const Project& project, const Accepted& accepted, const std::vector<RoomPlan>& plans,
               std::uint32_t level, StoreNeeds& needs) {
  std::uint32_t largest = 0;
  for (const auto& [name, tree] : needs.trees) {
    const std::uint64_t bytes = instance_bytes(plans, tree, level, needs);
    const auto need = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, layout::kMaxNeedBytes));
    needs.of_tree[tree][level] = need;
    largest = std::max(largest, need);
  }
  for (std::size_t slot = 0; slot < project.slots.size(); ++slot) {
    std::uint32_t& room = needs.of_slot[slot][level];
    if (project.slots[slot].budget_bytes) {
      room = room_of_budget(*project.slots[slot].budget_bytes);
    } else if (project.slots[slot].accepts) {
      for (const std::uint32_t tree : accepted[slot]) room = std::max(room, needs.of_tree[tree][level]);
    } else {
      room = largest;
    }
  }
}

}  // namespace

std::uint64_t StoreNeeds::agent_bytes(const Project& project, std::uint32_t tree, std::uint32_t level_count) const {
  const std::size_t slot_count = slots[tree].empty() ? 0 : project.slots.size();
  return std::uint64_t{store_header_bytes(static_cast<std::uint32_t>(slot_count))} + of_tree[tree][level_count - 1];
}

std::uint32_t StoreNeeds::levels_that_fit(const Project& project, std::uint32_t tree) const {
  std::uint32_t level_count = project.trees[tree].as<Storing>().max_depth;
  while (level_count > 0 && agent_bytes(project, tree, level_count) > layout::kMaxStoreBytes) --level_count;
  return level_count;
}

bool StoreNeeds::fits(const Project& project, std::uint32_t tree) const {
  return levels_that_fit(project, tree) >= std::min(project.trees[tree].as<Storing>().max_depth, 2u);
}

std::uint32_t StoreNeeds::bytes_below(const Project& project, std::uint32_t tree, std::uint32_t injected) const {
  const std::uint32_t level_count = std::max(project.trees[tree].as<Storing>().max_depth - 1, 1u);
  return of_tree[injected][level_count - 1];
}

StoreNeeds store_needs(const Project& project, Rooms rooms) {
  SlotIds slot_ids;
  for (std::uint32_t i = 0; i < project.slots.size(); ++i) slot_ids.emplace(project.slots[i].name, i);
  StoreNeeds needs;
  const std::size_t tree_total = project.trees.size();
  needs.parts.resize(tree_total);
  needs.of_tree.resize(tree_total);
  needs.slots.resize(tree_total);
  needs.of_slot.resize(project.slots.size());
  for (std::uint32_t i = 0; i < tree_total; ++i) {
    const Tree& tree = project.trees[i];
    if (tree.engine() != EngineId::store) continue;
    needs.trees.emplace(tree.name, i);
    count_parts(project, tree.root(), slot_ids, needs.parts[i], needs.slots[i]);
    if (rooms == Rooms::of_each_node) continue;
    std::vector<std::uint32_t>& slots = needs.slots[i];
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  }
  if (needs.trees.empty()) return needs;
  const Accepted accepted = accepted_trees(project, needs);
  std::vector<RoomPlan> plans;
  if (rooms == Rooms::of_each_node) plans = room_plans(project, needs, accepted);
  if (!plans.empty()) {
    needs.room_offsets.resize(tree_total);
    for (const auto& [name, tree] : needs.trees) needs.room_offsets[tree].resize(needs.slots[tree].size());
  }
  for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) {
    add_level(project, accepted, plans, level, needs);
  }
  const auto count = [&](const BytesByLevel& bytes) {
    std::uint32_t entries = layout::kMaxTreeLevels;
    while (entries > 1 && bytes[entries - 2] == bytes[entries - 1]) --entries;
    needs.entry_count = std::max(needs.entry_count, entries);
  };
  std::for_each(needs.of_tree.begin(), needs.of_tree.end(), count);
  std::for_each(needs.of_slot.begin(), needs.of_slot.end(), count);
  for (const std::vector<BytesByLevel>& offsets : needs.room_offsets) {
    std::for_each(offsets.begin(), offsets.end(), count);
  }
  return needs;
}

namespace {

struct Reached {
  std::vector<bool> has_tree;
  std::vector<bool> has_slot;
};

Reached reached_from(const Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees) {
  std::vector<bool> has_tree(project.trees.size());
  std::vector<bool> has_slot(project.slots.size());
  std::vector<std::uint32_t> waiting;
  const auto reach = [&](std::uint32_t reached) {
    if (!has_tree[reached]) waiting.push_back(reached);
    has_tree[reached] = true;
  };
  for (const std::uint32_t tree : trees) reach(tree);
  while (!waiting.empty()) {
    const std::uint32_t next = waiting.back();
    waiting.pop_back();
    for (const std::uint32_t slot : needs.slots[next]) {
      if (has_slot[slot]) continue;
      has_slot[slot] = true;
      for_each_accepted(project.slots[slot], needs, reach);
    }
  }
  return {std::move(has_tree), std::move(has_slot)};
}

}  // namespace

Project with_reached(const Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees) {
  const auto [has_tree, has_slot] = reached_from(project, needs, trees);
  Project part = without_trees(project);
  for (std::uint32_t i = 0; i < has_tree.size(); ++i) {
    if (has_tree[i]) part.trees.push_back(project.trees[i]);
  }
  for (std::uint32_t i = 0; i < has_slot.size(); ++i) {
    if (has_slot[i]) part.slots.push_back(project.slots[i]);
  }
  return part;
}

void leave_reached(Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees) {
  const auto [has_tree, has_slot] = reached_from(project, needs, trees);
  std::size_t tree = 0;
  std::size_t slot = 0;
  std::erase_if(project.trees, [&, &has = has_tree](const Tree&) { return !has[tree++]; });
  std::erase_if(project.slots, [&, &has = has_slot](const Slot&) { return !has[slot++]; });
  project.lacks_trees = false;
}

}  // namespace espalier::ir

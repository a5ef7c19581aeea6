// Sizes of instances, level by level. See store_needs.h.
#include "ir/store_needs.h"

#include <algorithm>

namespace espalier::ir {
namespace {

using SlotIds = std::unordered_map<std::string_view, std::uint32_t>;

void count_parts(const Project& project, const Node& node, const SlotIds& slot_ids, InstanceParts& parts,
                 std::vector<std::uint32_t>& slots) {
  const Group* const group = node.as_if<Group>();
  add_store_node(node.opcode, keeps_times(project, node), group != nullptr && group->timeout_us.has_value(), &parts);
  if (node.opcode == Opcode::store_child) slots.push_back(slot_ids.at(node.as<ChildTree>().slot));
  for (const Node& child : node.children) count_parts(project, child, slot_ids, parts, slots);
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

// The sizes one level further down are already known.
void add_level(const Project& project, const Accepted& accepted, std::uint32_t level, StoreNeeds& needs) {
  std::uint32_t largest = 0;
  for (const auto& [name, tree] : needs.trees) {
    std::uint64_t bytes = instance_layout(needs.parts[tree]).rooms;
    for (const std::uint32_t slot : needs.slots[tree]) bytes += level > 0 ? needs.of_slot[slot][level - 1] : 0;
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
    count_parts(project, tree.root, slot_ids, needs.parts[i], needs.slots[i]);
    if (rooms == Rooms::of_each_node) continue;
    std::vector<std::uint32_t>& slots = needs.slots[i];
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  }
  if (needs.trees.empty()) return needs;
  const Accepted accepted = accepted_trees(project, needs);
  for (std::uint32_t level = 0; level < layout::kMaxTreeLevels; ++level) add_level(project, accepted, level, needs);
  return needs;
}

Project with_reached(const Project& project, const StoreNeeds& needs, std::span<const std::uint32_t> trees) {
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
  Project part = without_trees(project);
  for (std::uint32_t i = 0; i < has_tree.size(); ++i) {
    if (has_tree[i]) part.trees.push_back(project.trees[i]);
  }
  for (std::uint32_t i = 0; i < has_slot.size(); ++i) {
    if (has_slot[i]) part.slots.push_back(project.slots[i]);
  }
  return part;
}

}  // namespace espalier::ir

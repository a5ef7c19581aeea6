// Sizes as text. See sizes.h.
#include "codegen/sizes.h"

#include <algorithm>
#include <vector>

#include "codegen/block_parts.h"
#include "codegen/dump/listing.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/rule/tree.h"
#include "runtime/store/tree.h"
#include "runtime/tick/agent.h"

namespace espalier::codegen {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

template <typename Visit>
void visit_child_trees(const Tree& tree, const Visit& visit) {
  visit_unit(*tree.asset, tree_record(tree).unit, [&](const NodeView& node, std::size_t) {
    if (node.opcode == opcode::store_child) visit(*operand(node, OperandKind::slot));
  });
}

// How many levels of trees can be nested in the slots of each tree that stores, itself included. Of trees that can run
// within themselves, layout::kMaxTreeLevels.
std::vector<std::uint32_t> nested_levels(const Asset& asset) {
  std::vector<std::uint32_t> of_tree(tree_count(asset), 1);
  if (slot_count(asset) == 0) return of_tree;
  std::vector<std::vector<std::uint32_t>> slots(of_tree.size());
  for (std::uint32_t i = 0; i < of_tree.size(); ++i) {
    const Tree tree{&asset, i};
    if (espalier::engine_id_of(tree) != EngineId::store) continue;
    visit_child_trees(tree, [&](std::uint32_t slot) { slots[i].push_back(slot); });
  }
  for (std::uint32_t round = 1; round < layout::kMaxTreeLevels; ++round) {
    std::vector<std::uint32_t> of_slot(slot_count(asset));
    const std::uint32_t of_all = *std::max_element(of_tree.begin(), of_tree.end());
    for (std::uint32_t slot = 0; slot < of_slot.size(); ++slot) {
      const layout::Slot& record = slot_record(asset, slot);
      const bool accepts_all = record.accepted_count == layout::kNone && record.budget_bytes == layout::kNone;
      if (accepts_all) of_slot[slot] = of_all;
      if (accepts_all) continue;
      visit_accepted(asset, record, [&](std::uint32_t tree) {
        if (need_of(asset, tree, 1) <= room_of(asset, slot, 1)) of_slot[slot] = std::max(of_slot[slot], of_tree[tree]);
      });
    }
    bool grows = false;
    for (std::size_t i = 0; i < of_tree.size(); ++i) {
      std::uint32_t levels = 1;
      for (const std::uint32_t slot : slots[i]) levels = std::max(levels, 1 + of_slot[slot]);
      grows = grows || levels > of_tree[i];
      of_tree[i] = levels;
    }
    if (!grows) break;
  }
  return of_tree;
}

// What the slots of a tree take from its agents.
std::string slot_contents(const Tree& tree, std::uint32_t levels) {
  const layout::StoreTree& record = store_record(tree);
  if (record.child_count == 0) return {};
  levels = std::min<std::uint32_t>(levels, record.level_count);
  std::string text = ", " + counted(record.child_count, "slot node") + " down to level " + std::to_string(levels);
  if (record.child_count == 1) return text;
  std::uint64_t apart_bytes = 0;
  visit_child_trees(tree,
                    [&](std::uint32_t slot) { apart_bytes += room_of(*tree.asset, slot, record.level_count - 1); });
  const std::uint32_t bytes = part_of<EngineId::store, PartKind::rooms>(tree).count;
  if (bytes == apart_bytes) return text + ", no rooms overlap";
  return text + ", rooms overlap by " + counted(apart_bytes - bytes, "byte");
}

// The contents of the block that all trees of the asset share.
std::string shared_contents(const Tree& tree) {
  const layout::StoreTree& record = store_record(tree);
  std::string text;
  if (record.shared_value_count > 0) text += ", " + counted(record.shared_value_count, "shared value");
  if (record.group_count > 0) text += ", " + counted(record.group_count, "group");
  return text;
}

// The contents of a tree, and for deciders the needs of its updates.
std::string contents(const Tree& tree, std::uint32_t levels) {
  const layout::Tree& record = tree_record(tree);
  std::string nodes = counted(unit_record(*tree.asset, record.unit).node_count, "node");
  switch (espalier::engine_id_of(tree)) {
    case EngineId::select:
      return nodes + ", " + std::to_string(record.leaf_count) + (record.leaf_count == 1 ? " leaf" : " leaves");
    case EngineId::tick:
    case EngineId::poll:
      return nodes;
    case EngineId::store:
      return nodes + shared_contents(tree) + slot_contents(tree, levels);
    case EngineId::rule:
      return counted(rule_count(tree), "rule");
    case EngineId::decide: {
      const layout::DeciderTree& deciders = DeciderTree(tree).record;
      std::string text = counted(deciders.decider_count, "decider");
      if (const std::uint32_t shared = record.unit - deciders.first_unit; shared > 0) {
        text += ", " + std::to_string(shared) + " of them shared, in " +
                counted(deciders.node_count - deciders.decider_count, "place");
      }
      if (const std::size_t bytes = scratch_bytes(tree); bytes > 0) {
        text += "; " + counted(bytes, "byte") + " of scratch memory an update";
      }
      return text;
    }
  }
  return {};
}

std::string tree_line(const Tree& tree, std::uint32_t levels) {
  const layout::Tree& record = tree_record(tree);
  std::string line = "tree ";
  append_quoted(line, tree_name(tree));
  line += ": " + counted(record.agent_bytes, "byte") + " an agent (";
  std::uint32_t unused_bytes = record.agent_bytes;
  for (const BlockPart& part : block_parts(tree)) {
    std::string name(part.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    line += name + " " + std::to_string(part.size_bytes) + ", ";
    unused_bytes -= part.size_bytes;
  }
  line += "unused " + std::to_string(unused_bytes) + "), " + std::to_string(record.shared_bytes) +
          " shared by all agents; ";
  return line + contents(tree, levels) + "\n";
}

// The number of stored nodes, and the number of nodes that they represent.
struct Stored {
  std::uint64_t stored = 0;
  std::uint64_t used = 0;
};

template <typename Counts>
std::uint64_t count_nodes(const Asset& asset, const Counts& counts) {
  std::uint64_t count = 0;
  for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
    visit_unit(asset, unit, [&](const NodeView& node, std::size_t) { count += counts(node) ? 1 : 0; });
  }
  return count;
}

// Nodes of trees that select, tick or store. The line of each tree of deciders has its shared deciders.
bool counts_nodes(EngineId engine_id) {
  return engine_id == EngineId::select || engine_id == EngineId::tick || engine_id == EngineId::store ||
         engine_id == EngineId::poll;
}

Stored stored_nodes(const Asset& asset) {
  Stored nodes;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree{&asset, i};
    if (counts_nodes(espalier::engine_id_of(tree))) nodes.used += unit_record(asset, tree_record(tree).unit).node_count;
  }
  nodes.stored = count_nodes(asset, [](const NodeView& node) {
    return counts_nodes(opcode_info(node.opcode).engine) && node.opcode != opcode::select_share;
  });
  return nodes;
}

Stored stored_rules(const Asset& asset) {
  Stored rules;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) rules.used += rule_count({&asset, i});
  rules.stored = count_nodes(asset, [](const NodeView& node) {
    return opcode_info(node.opcode).engine == EngineId::rule && node.opcode != opcode::rule_file;
  });
  return rules;
}

// The memory of each action that has some.
std::string memory_line(const Asset& asset) {
  std::string line;
  for (std::uint32_t i = 0; i < record_count(asset, layout::SectionId::memory_sizes); ++i) {
    const std::uint32_t bytes = array<std::uint32_t>(asset, layout::SectionId::memory_sizes)[i];
    if (bytes == 0) continue;
    line += line.empty() ? "memory: " : ", ";
    append_quoted(line, behavior_name(asset, i));
    line += ' ' + counted(bytes, "byte");
  }
  if (line.empty()) return line;
  const bool is_kept = record_count(asset, layout::SectionId::timed_nodes) > 0;  // until the action is reset
  return line + (is_kept ? ", in the states of trees\n" : ", in the states of trees while the action is active\n");
}

std::string sharing(const Stored& parts, const char* what) {
  return "; " + counted(parts.stored, what) + " stored, which stand for " + std::to_string(parts.used);
}

}  // namespace

std::string sizes_text(const Asset& asset) {
  std::string text;
  const std::vector<std::uint32_t> levels = nested_levels(asset);
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) text += tree_line({&asset, i}, levels[i]);
  const std::uint32_t unit_total = record_count(asset, layout::SectionId::units);
  text += "asset: " + counted(header_of(asset).size_bytes, "byte") + ", " + counted(tree_count(asset), "tree") + ", " +
          counted(unit_total, "unit") + ", " + counted(behavior_count(asset), "behaviour");
  const std::uint32_t condition_total = host_condition_count(asset);
  if (condition_total > 0) text += ", " + counted(condition_total, "condition");
  const Stored nodes = stored_nodes(asset);
  const Stored rules = stored_rules(asset);
  if (nodes.used > 0) text += sharing(nodes, "node");
  if (rules.used > 0) text += sharing(rules, "rule");
  text += "\n" + memory_line(asset);
  if (const std::size_t bytes = group_bytes(asset); bytes > 0) {
    text += "group: " + counted(bytes, "byte") + " shared by the agents of a group, for " +
            counted(scope_count(asset), "scope") + "\n";
  }
  return text;
}

}  // namespace espalier::codegen

// Sizes as text. See sizes.h.
#include "codegen/sizes.h"

#include <algorithm>

#include "codegen/block_parts.h"
#include "codegen/dump/listing.h"
#include "runtime/decide/tree.h"
#include "runtime/rule/tree.h"
#include "runtime/tick/agent.h"

namespace espalier::codegen {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The contents of the block that all trees of the asset share.
std::string shared_contents(const Tree& tree) {
  const layout::StoreTree& record = store_record(tree);
  std::string text;
  if (record.shared_value_count > 0) text += ", " + counted(record.shared_value_count, "shared value");
  if (record.group_count > 0) text += ", " + counted(record.group_count, "group");
  if (record.child_count > 0) {
    text += ", " + counted(record.child_count, "slot node") + " down to level " + std::to_string(record.level_count);
  }
  return text;
}

// The contents of a tree, and for deciders the needs of its updates.
std::string contents(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  std::string nodes = counted(unit_record(*tree.asset, record.unit).node_count, "node");
  switch (espalier::engine_id_of(tree)) {
    case EngineId::select:
      return nodes + ", " + std::to_string(record.leaf_count) + (record.leaf_count == 1 ? " leaf" : " leaves");
    case EngineId::tick:
      return nodes;
    case EngineId::store:
      return nodes + shared_contents(tree);
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

std::string tree_line(const Tree& tree) {
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
  return line + contents(tree) + "\n";
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
  return engine_id == EngineId::select || engine_id == EngineId::tick || engine_id == EngineId::store;
}

Stored stored_nodes(const Asset& asset) {
  Stored nodes;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree{&asset, i};
    if (counts_nodes(espalier::engine_id_of(tree))) nodes.used += unit_record(asset, tree_record(tree).unit).node_count;
  }
  nodes.stored = count_nodes(asset, [](const NodeView& node) {
    return counts_nodes(opcode_info(node.opcode).engine) && node.opcode != Opcode::select_share;
  });
  return nodes;
}

Stored stored_rules(const Asset& asset) {
  Stored rules;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) rules.used += rule_count({&asset, i});
  rules.stored = count_nodes(asset, [](const NodeView& node) {
    return opcode_info(node.opcode).engine == EngineId::rule && node.opcode != Opcode::rule_file;
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
  return line.empty() ? line : line + ", in the states of trees while the action is active\n";
}

std::string sharing(const Stored& parts, const char* what) {
  return "; " + counted(parts.stored, what) + " stored, which stand for " + std::to_string(parts.used);
}

}  // namespace

std::string sizes_text(const Asset& asset) {
  std::string text;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) text += tree_line({&asset, i});
  const std::uint32_t unit_total = record_count(asset, layout::SectionId::units);
  text += "asset: " + counted(header_of(asset).size_bytes, "byte") + ", " + counted(tree_count(asset), "tree") + ", " +
          counted(unit_total, "unit") + ", " + counted(behavior_count(asset), "behaviour");
  const std::uint32_t condition_total = host_condition_count(asset);
  if (condition_total > 0) text += ", " + counted(condition_total, "host condition");
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

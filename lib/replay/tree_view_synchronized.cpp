// What runs of an agent of a synchronized tree, trees in slots with it: places in gates, seats in groups, roles. See
// tree_view.h.
#include <utility>

#include "codegen/disassemble.h"
#include "codegen/listing.h"
#include "replay/tree_view.h"
#include "runtime/store_tree.h"

namespace espalier::replay {
namespace {

constexpr std::size_t kPrefix = 6;  // of opcodes: "store_"
constexpr std::size_t kMaxWatched = 3;

std::string element_of(Opcode opcode) {
  if (opcode == Opcode::store_child) return "ChildTree";
  if (opcode == Opcode::store_cooldown_all) return "Cooldown";
  std::string name = opcode_info(opcode).name + kPrefix;
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

const std::uint32_t* nodes_of(const Asset& asset) { return records<std::uint32_t>(asset, layout::SectionId::nodes); }

std::uint32_t word_of(const Asset& asset, const std::uint32_t* node) {
  return static_cast<std::uint32_t>(node - nodes_of(asset));
}

// Its own name, as far as the asset has it.
std::string label_of(const Asset& asset, const std::uint32_t* node) {
  const std::string_view name = codegen::node_debug(asset, word_of(asset, node)).name;
  return name == element_of(store_opcode(node)) ? std::string() : std::string(name);
}

std::string barrier_name(const Asset& asset, const std::uint32_t* barrier) {
  const std::uint32_t* role = barrier;
  while (store_opcode(role) != Opcode::store_role) role -= role[kStoreParent];
  const std::uint32_t* group = role - role[kStoreParent];
  const layout::Group& record = records<layout::Group>(asset, layout::SectionId::groups)[group[kStoreC]];
  const auto* barriers = records<layout::Barrier>(asset, layout::SectionId::barriers) + record.first_barrier;
  return name_at(asset, barriers[barrier[kStoreC]].name);
}

// "HeardNoise, SawLight"
std::string conditions_below(const Asset& asset, const std::uint32_t* monitor) {
  std::string names;
  std::size_t count = 0;
  for (const std::uint32_t* node = monitor; node != monitor + monitor[1]; node += kStoreWords) {
    if (store_opcode(node) != Opcode::store_condition) continue;
    if (count++ == kMaxWatched) return names + ", ...";
    names += (names.empty() ? "" : ", ") + std::string(host_condition_name(asset, node[kStoreB]));
  }
  return names;
}

std::string own_name(const Asset& asset, const std::uint32_t* node) {
  switch (store_opcode(node)) {
    case Opcode::store_action:
      return std::string(behavior_name(asset, node[kStoreB]));
    case Opcode::store_condition:
      return std::string(host_condition_name(asset, node[kStoreB]));
    case Opcode::store_barrier:
      return barrier_name(asset, node);
    case Opcode::store_child:
      return std::string(slot_name(asset, node[kStoreC]));
    case Opcode::store_monitor: {
      std::string label = label_of(asset, node);
      return label.empty() ? conditions_below(asset, node) : label;
    }
    default:
      return label_of(asset, node);
  }
}

// ---- What nodes hold

std::string gate_text(const AgentView& agent, const std::uint32_t* gate) {
  const std::uint32_t count = inside_count(*agent.tree.asset, agent.shared, word_of(*agent.tree.asset, gate));
  return std::to_string(count) + " of " + std::to_string(gate[kStoreC]) + " inside";
}

// "Decoy", or "role 1".
std::string role_text(const Asset& asset, const std::uint32_t* group, std::uint32_t number) {
  const std::uint32_t* role = group + kStoreWords;
  for (std::uint32_t i = 0; i < number; ++i) role += role[1];
  std::string label = label_of(asset, role);
  return label.empty() ? "role " + std::to_string(number + 1) : label;
}

// An agent without a seat has left it, as when the group is broken.
std::string group_text(const AgentView& agent, const StoreInstance& instance, const std::uint32_t* node) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t seat = instance.byte(node[kStoreB]);
  if (seat == 0) return {};
  const layout::Group& record = instance.group(node);
  StoreGroup group(record, const_cast<void*>(agent.shared));
  std::uint32_t role = 0;
  bool succeeds = false;
  const GroupState state = group.look(seat - 1, &role, &succeeds);
  if (state == GroupState::waits) {
    return "waits, " + std::to_string(group.inside_count()) + " of " + std::to_string(record.role_count) + " are here";
  }
  std::string text = "as " + role_text(asset, node, role);
  if (state == GroupState::broken) return text + ", broken";
  return text + (group.is_done(role) ? ", which is done" : "");
}

std::string rounds_text(const StoreInstance& instance, const std::uint32_t* repeat) {
  if (repeat[kStoreC] == 0) return {};
  return std::to_string(instance.word(repeat[kStoreB])) + " of " + std::to_string(repeat[kStoreC]) + " done";
}

std::string text_of(const AgentView& agent, const StoreInstance& instance, const std::uint32_t* node) {
  const Asset& asset = *agent.tree.asset;
  switch (store_opcode(node)) {
    case Opcode::store_gate:
      return gate_text(agent, node);
    case Opcode::store_group:
      return group_text(agent, instance, node);
    case Opcode::store_repeat:
      return rounds_text(instance, node);
    case Opcode::store_child: {
      if (!instance.has_child(node)) return {};
      const StoreInstance child = instance.child(node);
      const std::string_view file = codegen::node_debug(asset, word_of(asset, child.root())).file;
      return std::string(tree_name(espalier::tree(asset, child.tree()))) +
             (file.empty() ? "" : "  (" + std::string(file) + ')');
    }
    default:
      return {};
  }
}

}  // namespace

std::string store_node_name(const Asset& asset, std::uint32_t node_word) {
  const std::uint32_t* node = nodes_of(asset) + node_word;
  const std::string name = own_name(asset, node);
  return element_of(store_opcode(node)) + (name.empty() ? "" : " " + name);
}

std::vector<NodeLine> store_lines(const AgentView& agent) {
  struct Level {
    StoreInstance instance;
    const std::uint32_t* next;
    std::size_t depth;
    std::vector<const std::uint32_t*> ends;  // of the nodes around
  };
  const Asset& asset = *agent.tree.asset;
  auto* block = static_cast<unsigned char*>(const_cast<void*>(agent.block));
  const StoreInstance whole(asset, agent.tree.index, block, tree_record(agent.tree).state_offset);
  std::vector<Level> levels = {{whole, whole.root(), 0, {}}};
  std::vector<NodeLine> lines;
  while (!levels.empty()) {
    Level& level = levels.back();
    const StoreInstance instance = level.instance;
    if (level.next == instance.end()) {
      levels.pop_back();
      continue;
    }
    const std::uint32_t* node = std::exchange(level.next, level.next + kStoreWords);
    if (instance.stored(node) != Stored::running) continue;
    while (!level.ends.empty() && level.ends.back() <= node) level.ends.pop_back();
    const std::uint32_t word = word_of(asset, node);
    const std::size_t depth = level.depth + level.ends.size();
    level.ends.push_back(node + node[1]);
    if (!lines.empty() && lines.back().depth < depth) lines.back().is_running = false;
    lines.push_back({codegen::node_debug(asset, word).line, depth, store_node_name(asset, word),
                     text_of(agent, instance, node), true});
    if (instance.has_child(node)) {
      const StoreInstance child = instance.child(node);
      levels.push_back({child, child.root(), depth + 1, {}});
    }
  }
  return lines;
}

}  // namespace espalier::replay

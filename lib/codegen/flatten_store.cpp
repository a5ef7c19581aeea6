// Flattens trees that store. See flatten.h.
#include <algorithm>

#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/node_writer.h"
#include "ir/store_needs.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::codegen {
namespace {

// The next free numbers, over all trees.
std::uint32_t shared_value_count(const Sections& sections) {
  if (sections.store_trees.empty()) return 0;
  const layout::StoreTree& last = sections.store_trees.back();
  return last.first_shared_value + last.shared_value_count;
}

// Writes the nodes of one tree. The parts of an instance are counted first, because each part comes after all parts
// with larger alignment.
class StoreTreeWriter {
 public:
  StoreTreeWriter(Pools& pools, const ir::Project& project, const ir::StoreNeeds& needs, std::uint32_t tree)
      : pools_(pools),
        sections_(pools.sections),
        project_(project),
        source_(project.trees[tree]),
        needs_(needs),
        slots_(needs.slots[tree]),
        writer_(pools, tree) {
    const InstanceLayout instance = instance_layout(needs.parts[tree]);
    next_count_offset_ = instance.counts;
    next_seat_offset_ = instance.group_seats;
    record_.tree = tree;
    record_.level_count = static_cast<std::uint16_t>(std::max(1u, needs.levels_that_fit(project, tree)));
    record_.need_count = static_cast<std::uint16_t>(needs_.entry_count);
    record_.child_count = count32(slots_.size());
    record_.first_shared_value = shared_value_count(sections_);
    record_.first_group = count32(sections_.groups.size());
    record_.first_need = count32(sections_.tree_needs.size());
  }

  void write() {
    write_node(source_.root(), {});
    write_barriers();
    record_.group_count = count32(sections_.groups.size()) - record_.first_group;
    const ir::BytesByLevel& needs = needs_.of_tree[record_.tree];
    add_levels(sections_.tree_needs, needs);
    for (std::uint32_t i = 0; i < child_words_.size(); ++i) {
      sections_.child_rooms.push_back({child_words_[i], count32(sections_.tree_needs.size())});
      const ir::BytesByLevel& offsets = needs_.room_offsets[record_.tree][i];
      add_levels(sections_.tree_needs, offsets);
    }
    sections_.trees[record_.tree].unit = writer_.finish();
    sections_.trees[record_.tree].record = count32(sections_.store_trees.size());
    sections_.store_trees.push_back(record_);
  }

 private:
  void add_levels(std::vector<std::uint32_t>& section, const ir::BytesByLevel& bytes) {
    section.insert(section.end(), bytes.begin(), bytes.begin() + record_.need_count);
  }

  // The role that a barrier belongs to, and its group among those of the tree.
  struct RoleAround {
    std::uint32_t group = 0;
    std::uint32_t role = 0;
  };

  // Of one group.
  struct Barriers {
    std::vector<layout::Barrier> records;
    NameIds numbers;
  };

  void write_node(const ir::Node& node, RoleAround around) {
    if (node.opcode == opcode::store_group) around.group = add_group(node);
    const std::uint32_t word =
        writer_.open(node, node.opcode, [&](OperandKind kind) { return operand(kind, node, around); });
    if (node.opcode == opcode::store_monitor) sections_.monitors.push_back(word);
    const std::uint32_t memory_bytes = node.opcode == opcode::store_action ? ir::memory_with_times(project_, node) : 0;
    if (memory_bytes > 0) sections_.timed_nodes.push_back({word, take(next_time_offset_, (memory_bytes + 7) / 8 * 8)});
    if (node.opcode == opcode::store_child && !needs_.room_offsets.empty()) child_words_.push_back(word);
    std::uint32_t number = 0;
    for (const ir::Node& child : node.children()) {
      if (node.opcode == opcode::store_group) around.role = number++;
      write_node(child, around);
    }
    writer_.close();
  }

  std::uint32_t operand(OperandKind kind, const ir::Node& node, RoleAround around) {
    switch (kind) {
      case OperandKind::state:
        return take_state(node.opcode);
      case OperandKind::time:
        return node.as<ir::Group>().timeout_us ? take(next_time_offset_, 8) : layout::kNone;
      case OperandKind::shared_value:
        return record_.first_shared_value + record_.shared_value_count++;
      case OperandKind::group:
        return record_.first_group + around.group;
      case OperandKind::barrier:
        return add_barrier(node.as<ir::Barrier>().name, around);
      case OperandKind::slot:
        return slots_[next_child_++];
      case OperandKind::tree: {
        const std::string& name = node.as<ir::ChildTree>().default_tree;
        return name.empty() ? 0 : 1 + needs_.trees.at(name);
      }
      default:  // of other engines
        return 0;
    }
  }

  static std::uint32_t take(std::uint32_t& next, std::uint32_t size_bytes) { return (next += size_bytes) - size_bytes; }

  std::uint32_t take_state(Opcode opcode) {
    const std::uint32_t size_bytes = opcode_info(opcode).agent_bytes;
    std::uint32_t& next = size_bytes == 8   ? next_time_offset_
                          : size_bytes == 1 ? next_seat_offset_
                                            : next_count_offset_;
    return take(next, size_bytes);
  }

  std::uint32_t add_group(const ir::Node& node) {
    const ir::Group& source = node.as<ir::Group>();
    layout::Group group = {};
    group.timeout_us = source.timeout_us.value_or(layout::kNoTimeout);
    group.role_count = count32(node.children().size());
    group.on_leave = static_cast<std::uint32_t>(source.on_leave);
    sections_.groups.push_back(group);
    barriers_.emplace_back();
    return count32(barriers_.size()) - 1;
  }

  // Barriers of a group with the same name are one barrier.
  std::uint32_t add_barrier(const std::string& name, RoleAround around) {
    Barriers& barriers = barriers_[around.group];
    const auto [place, is_new] = barriers.numbers.try_emplace(name, count32(barriers.records.size()));
    if (is_new) barriers.records.push_back({pools_.names.add(name), 0});
    barriers.records[place->second].roles |= 1u << around.role;
    return place->second;
  }

  // The barriers of a nested group come after those of the group around it.
  void write_barriers() {
    for (std::size_t i = 0; i < barriers_.size(); ++i) {
      layout::Group& group = sections_.groups[record_.first_group + i];
      group.first_barrier = count32(sections_.barriers.size());
      group.barrier_count = count32(barriers_[i].records.size());
      sections_.barriers.insert(sections_.barriers.end(), barriers_[i].records.begin(), barriers_[i].records.end());
    }
  }

  Pools& pools_;
  Sections& sections_;
  const ir::Project& project_;
  const ir::Tree& source_;
  const ir::StoreNeeds& needs_;
  const std::vector<std::uint32_t>& slots_;  // of its store_child nodes
  NodeWriter writer_;
  std::vector<Barriers> barriers_;  // by group of the tree
  std::uint32_t next_time_offset_ = 0;
  std::uint32_t next_count_offset_ = 0;
  std::uint32_t next_seat_offset_ = 0;
  std::uint32_t next_child_ = 0;
  std::vector<std::uint32_t> child_words_;  // first words of its store_child nodes, if rooms overlap
  layout::StoreTree record_ = {};
};

void add_slots(const ir::Project& project, const ir::StoreNeeds& needs, Pools& pools) {
  Sections& sections = pools.sections;
  for (std::size_t i = 0; i < project.slots.size(); ++i) {
    const ir::Slot& source = project.slots[i];
    layout::Slot slot = {};
    slot.name = pools.names.add(source.name);
    slot.budget_bytes = source.budget_bytes.value_or(layout::kNone);
    slot.first_accepted = count32(sections.accepts.size());
    slot.accepted_count = layout::kNone;
    if (source.accepts) {
      for (const std::string& name : *source.accepts) sections.accepts.push_back(needs.trees.at(name));
      slot.accepted_count = count32(source.accepts->size());
    }
    sections.slots.push_back(slot);
    const ir::BytesByLevel& rooms = needs.of_slot[i];
    sections.slot_rooms.insert(sections.slot_rooms.end(), rooms.begin(), rooms.begin() + needs.entry_count);
  }
}

// The shared block, and the needs of agents, which depend on slots.
void lay_out_storing(const ir::StoreNeeds& needs, Sections& sections) {
  std::uint32_t shared_bytes = shared_value_count(sections) * static_cast<std::uint32_t>(sizeof(SharedValue));
  for (layout::Group& group : sections.groups) {
    group.shared_offset = shared_bytes;
    shared_bytes += shared_group_bytes(group);
  }
  for (const layout::StoreTree& record : sections.store_trees) {
    const InstanceParts& parts = needs.parts[record.tree];
    AgentNeeds& agent = sections.agents[record.tree];
    agent[PartKind::slots].count = record.child_count > 0 ? count32(sections.slots.size()) : 0;
    agent[PartKind::times].count = parts.times;
    agent[PartKind::counts].count = parts.counts;
    agent[PartKind::group_seats].count = parts.group_seats;
    agent[PartKind::results].count = parts.results;
    agent[PartKind::rooms].count = needs.of_tree[record.tree][record.level_count - 1] - instance_layout(parts).rooms;
    sections.trees[record.tree].shared_bytes = shared_bytes;
  }
}

}  // namespace

bool write_storing(const ir::Project& project, Pools& pools, text::Findings& findings) {
  const ir::StoreNeeds needs = ir::store_needs(project);
  bool fits = true;
  for (std::uint32_t tree = 0; tree < project.trees.size(); ++tree) {
    const ir::Tree& source = project.trees[tree];
    if (source.engine() != EngineId::store) continue;
    if (tree >= layout::kMaxStoreTrees) {
      report_many_trees(source, findings);
      return false;
    }
    StoreTreeWriter(pools, project, needs, tree).write();
    if (needs.fits(project, tree)) continue;
    report_large_agent(source, needs.agent_bytes(project, tree, std::min(source.as<ir::Storing>().max_depth, 2u)),
                       findings);
    fits = false;
  }
  if (!fits || pools.sections.store_trees.empty()) return fits;
  add_slots(project, needs, pools);
  lay_out_storing(needs, pools.sections);
  return true;
}

}  // namespace espalier::codegen

// Trees that store their results to units. See flatten_store.h.
#include "codegen/flatten_store.h"

#include <algorithm>

namespace espalier::codegen {
namespace {

std::uint32_t count32(std::size_t count) { return static_cast<std::uint32_t>(count); }

}  // namespace

// Writes the nodes of one tree. The parts of an instance are counted before, so that each is known to lie behind all
// that are larger.
class StoreFlattener::TreeWriter {
 public:
  TreeWriter(StoreFlattener& flattener, std::uint32_t tree)
      : flattener_(flattener),
        sections_(flattener.sections_),
        source_(flattener.project_.trees[tree]),
        slots_(flattener.needs_.slots[tree]) {
    const InstanceLayout instance = instance_layout(flattener.needs_.parts[tree]);
    next_word_offset_ = instance.words;
    next_byte_offset_ = instance.bytes;
    record_.tree = tree;
    record_.level_count = std::max(1u, flattener.needs_.levels_that_fit(flattener.project_, tree));
    record_.node_count = flattener.needs_.parts[tree].nodes;
    record_.own_bytes = instance.end;
    record_.results_offset = instance.results;
    record_.child_count = count32(slots_.size());
    record_.first_place = flattener.place_count_;
    record_.first_group = count32(sections_.groups.size());
    record_.first_need = count32(sections_.tree_needs.size());
  }

  void write() {
    unit_ = sections_.begin_unit(record_.tree);
    unit_.node_count = record_.node_count;
    write_node(source_.root, unit_.first_word, {});
    unit_.word_count = next_word() - unit_.first_word;
    write_barriers();
    record_.place_count = flattener_.place_count_ - record_.first_place;
    record_.group_count = count32(sections_.groups.size()) - record_.first_group;
    const ir::BytesByLevel& needs = flattener_.needs_.of_tree[record_.tree];
    sections_.tree_needs.insert(sections_.tree_needs.end(), needs.begin(), needs.end());
    sections_.trees[record_.tree].unit = count32(sections_.units.size());
    sections_.trees[record_.tree].record = count32(sections_.store_trees.size());
    sections_.units.push_back(unit_);
    sections_.store_trees.push_back(record_);
  }

 private:
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

  std::uint32_t next_word() const { return count32(sections_.nodes.size()); }

  void write_node(const ir::Node& node, std::uint32_t parent, RoleAround around) {
    const OpcodeInfo& info = opcode_info(node.opcode);
    const std::uint32_t word = next_word();
    sections_.origins.push_back({word, debug_name(node), node.span});
    const std::uint32_t number = sections_.number_next_node(unit_);
    sections_.nodes.push_back(static_cast<std::uint32_t>(node.opcode) | std::uint32_t{node.flags} << 8 | number << 16);
    sections_.nodes.push_back(0);  // the extent, when it is known
    if (node.opcode == Opcode::store_group) around.group = add_group(node);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const OperandKind kind = info.operands[i];
      sections_.nodes.push_back(kind == OperandKind::parent ? word - parent : operand(kind, node, around));
    }
    if (const auto* behavior = node.as_if<ir::Behavior>()) {
      for (const ir::Parameter& parameter : behavior->parameters) {
        sections_.parameters.push_back({sections_.names.add(parameter.name),
                                        static_cast<std::uint32_t>(ParameterType::text),
                                        sections_.names.add(parameter.text), 0});
      }
    }
    for (std::uint32_t i = 0; i < node.children.size(); ++i) {
      if (node.opcode == Opcode::store_group) around.role = i;
      write_node(node.children[i], word, around);
    }
    sections_.nodes[word + 1] = next_word() - word;
  }

  // Gates and groups are known by their names, and so are the others in what is told of them.
  static const std::string* debug_name(const ir::Node& node) { return node.label.empty() ? &node.name : &node.label; }

  std::uint32_t operand(OperandKind kind, const ir::Node& node, RoleAround around) {
    switch (kind) {
      case OperandKind::host_condition:
        return flattener_.host_conditions_.at(node.as<ir::Behavior>().name);
      case OperandKind::behavior:
        return flattener_.behaviors_.at(node.as<ir::Behavior>().name);
      case OperandKind::parameter:
        return count32(sections_.parameters.size());
      case OperandKind::parameter_count:
        return count32(node.as<ir::Behavior>().parameters.size());
      case OperandKind::maximum:
        return node.as<ir::Limit>().maximum;
      case OperandKind::number:
        return flattener_.add_number(node.as<ir::Duration>().time_us);
      case OperandKind::state:
        return take_state(node.opcode);
      case OperandKind::time:
        return node.as<ir::Group>().timeout_us ? take(next_time_offset_, 8) : layout::kNone;
      case OperandKind::place:
        return flattener_.place_count_++;
      case OperandKind::group:
        return record_.first_group + around.group;
      case OperandKind::barrier:
        return add_barrier(node.as<ir::Barrier>().name, around);
      case OperandKind::slot:
        return slots_[next_child_++];
      case OperandKind::tree: {
        const std::string& name = node.as<ir::ChildTree>().default_tree;
        return name.empty() ? 0 : 1 + flattener_.needs_.trees.at(name);
      }
      default:  // of other engines
        return 0;
    }
  }

  static std::uint32_t take(std::uint32_t& next, std::uint32_t size_bytes) { return (next += size_bytes) - size_bytes; }

  std::uint32_t take_state(Opcode opcode) {
    const std::uint32_t size_bytes = opcode_info(opcode).agent_bytes;
    std::uint32_t& next = size_bytes == 8 ? next_time_offset_ : size_bytes == 1 ? next_byte_offset_ : next_word_offset_;
    return take(next, size_bytes);
  }

  std::uint32_t add_group(const ir::Node& node) {
    const ir::Group& source = node.as<ir::Group>();
    layout::Group group = {};
    group.timeout_us = source.timeout_us.value_or(layout::kNoTimeout);
    group.role_count = count32(node.children.size());
    group.on_leave = static_cast<std::uint32_t>(source.on_leave);
    sections_.groups.push_back(group);
    barriers_.emplace_back();
    return count32(barriers_.size()) - 1;
  }

  // Barriers of one name are one for their group.
  std::uint32_t add_barrier(const std::string& name, RoleAround around) {
    Barriers& barriers = barriers_[around.group];
    const auto [place, is_new] = barriers.numbers.emplace(name, count32(barriers.records.size()));
    if (is_new) barriers.records.push_back({sections_.names.add(name), 0});
    barriers.records[place->second].roles |= 1u << around.role;
    return place->second;
  }

  // Those of a group within another one's role come behind that one's own.
  void write_barriers() {
    for (std::size_t i = 0; i < barriers_.size(); ++i) {
      layout::Group& group = sections_.groups[record_.first_group + i];
      group.first_barrier = count32(sections_.barriers.size());
      group.barrier_count = count32(barriers_[i].records.size());
      sections_.barriers.insert(sections_.barriers.end(), barriers_[i].records.begin(), barriers_[i].records.end());
    }
  }

  StoreFlattener& flattener_;
  Sections& sections_;
  const ir::Tree& source_;
  const std::vector<std::uint32_t>& slots_;  // of its store_child nodes
  std::vector<Barriers> barriers_;           // by group of the tree
  std::uint32_t next_time_offset_ = 0;
  std::uint32_t next_word_offset_ = 0;
  std::uint32_t next_byte_offset_ = 0;
  std::uint32_t next_child_ = 0;
  layout::Unit unit_ = {};
  layout::StoreTree record_ = {};
};

void StoreFlattener::add(std::uint32_t tree) { TreeWriter(*this, tree).write(); }

void StoreFlattener::finish() {
  if (sections_.store_trees.empty()) return;
  add_slots();
  std::uint32_t shared_bytes = place_count_ * static_cast<std::uint32_t>(sizeof(SharedPlace));
  for (layout::Group& group : sections_.groups) {
    group.shared_offset = shared_bytes;
    shared_bytes += shared_group_bytes(group);
  }
  for (const layout::StoreTree& record : sections_.store_trees) {
    layout::Tree& tree = sections_.trees[record.tree];
    tree.state_offset = store_header_bytes(record.child_count > 0 ? count32(sections_.slots.size()) : 0);
    tree.agent_bytes = static_cast<std::uint32_t>(needs_.agent_bytes(project_, record.tree, record.level_count));
    tree.shared_bytes = shared_bytes;
    tree.dirty_bit = layout::kNone;
  }
}

void StoreFlattener::add_slots() {
  for (std::size_t i = 0; i < project_.slots.size(); ++i) {
    const ir::Slot& source = project_.slots[i];
    layout::Slot slot = {};
    slot.name = sections_.names.add(source.name);
    slot.budget_bytes = source.budget_bytes.value_or(layout::kNone);
    slot.first_accepted = count32(sections_.accepts.size());
    slot.accepted_count = layout::kNone;
    if (source.accepts) {
      for (const std::string& name : *source.accepts) sections_.accepts.push_back(needs_.trees.at(name));
      slot.accepted_count = count32(source.accepts->size());
    }
    sections_.slots.push_back(slot);
    const ir::BytesByLevel& rooms = needs_.of_slot[i];
    sections_.slot_rooms.insert(sections_.slot_rooms.end(), rooms.begin(), rooms.end());
  }
}

std::uint32_t StoreFlattener::add_number(std::uint64_t number) {
  const auto [place, is_new] = numbers_.emplace(number, count32(sections_.numbers.size()));
  if (is_new) sections_.numbers.push_back(number);
  return place->second;
}

}  // namespace espalier::codegen

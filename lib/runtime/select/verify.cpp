// Verifies trees that select: machines and their transitions, the sums of shared units, agents' blocks.
#include "asset/verify_unit.h"
#include "format/node.h"
#include "format/opcodes/select.h"

namespace espalier {
namespace {

class SelectHooks {
 public:
  const char* open(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    const Opcode opcode = reader.opcode();
    if (opcode == opcode::select_leaf) {
      return leaf_of(node) == reader.leaf_count++ ? nullptr : "leaf numbers are not consecutive";
    }
    const std::uint32_t state_bytes = info_of(node).agent_bytes;
    const bool has_state = state_bytes > 0 || opcode == opcode::select_share;
    if (state_offset_of(node) != (has_state ? reader.state_bytes : 0)) {
      return "a node's state has the wrong offset";
    }
    reader.state_bytes += state_bytes;
    switch (opcode) {
      case opcode::select_machine:
        return enter_regions(reader, 1);
      case opcode::select_state:
        return check_conditions(reader);
      case opcode::select_share:
        return use_unit(reader);
      default:
        return nullptr;
    }
  }

  const char* close(UnitReader& reader) {
    if (reader.opcode() != opcode::select_machine) return nullptr;
    --machine_depth_;
    const std::uint32_t* machine = reader.node();
    const std::uint32_t state_count = child_count(machine);
    for (const std::uint32_t* state : children_of(machine)) {
      if (!leads_below(reader.asset, state, state_count)) return "a transition leads to no state";
    }
    const std::uint32_t leaf_count = reader.leaf_count - operand<OperandKind::leaf, opcode::select_machine>(machine);
    return operand<OperandKind::leaf_count, opcode::select_machine>(machine) == leaf_count
               ? nullptr
               : "a machine's leaf count is wrong";
  }

 private:
  const char* enter_regions(UnitReader& reader, std::uint32_t count) {
    const std::uint32_t regions = machine_depth_ + count;
    if (reader.opcode() == opcode::select_machine) ++machine_depth_;
    if (regions > reader.region_count) reader.region_count = regions;
    return regions <= layout::kMaxRegions ? nullptr : "regions are nested too deeply";
  }

  static const char* check_conditions(UnitReader& reader) {
    const layout::Transition* transitions = transitions_of(reader.asset, reader.node());
    const std::uint32_t count = operand<OperandKind::transition_count, opcode::select_state>(reader.node());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const char* reason = reader.check_condition(transitions[i].condition)) return reason;
    }
    return nullptr;
  }

  // A unit's sums include those of the units that it uses.
  const char* use_unit(UnitReader& reader) {
    const layout::Unit& unit =
        unit_record(reader.asset, operand<OperandKind::unit, opcode::select_share>(reader.node()));
    reader.node_count += unit.node_count - 1;  // without the share itself
    reader.leaf_count += unit.leaf_count;
    reader.state_bytes += unit.state_bytes;
    if (unit.variable_count > reader.variable_count) reader.variable_count = unit.variable_count;
    return enter_regions(reader, 1 + unit.region_count);
  }

  static const layout::Transition* transitions_of(const Asset& asset, const std::uint32_t* state) {
    return array<layout::Transition>(asset, layout::SectionId::transitions) +
           operand<OperandKind::transition, opcode::select_state>(state);
  }

  // Are the targets of a state's transitions below this number?
  static bool leads_below(const Asset& asset, const std::uint32_t* state, std::uint32_t state_count) {
    const layout::Transition* transitions = transitions_of(asset, state);
    const std::uint32_t count = operand<OperandKind::transition_count, opcode::select_state>(state);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (transitions[i].state >= state_count) return false;
    }
    return true;
  }

  std::uint32_t machine_depth_ = 0;  // machines around the current node
};

}  // namespace

const char* Verifier::check_selecting_unit(std::uint32_t unit, std::uint32_t* word) {
  return read_unit(*this, unit, SelectHooks(), word);
}

bool Verifier::check_selecting_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const layout::Part* parts = parts_of(asset_, tree);
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const layout::Part& leaf = part_of<EngineId::select, PartKind::leaf>(parts);
  if (tree.leaf_count >= 1u << leaf.bits) return fail(&leaf, "leaf number out of range");
  const layout::Part& states = part_of<EngineId::select, PartKind::states>(parts);
  if (states.count != unit.state_bytes) return fail(&states, "the size of the nodes' state is wrong");
  return tree.shared_bytes == 0 || fail(&tree, "a tree that selects has a shared block");
}

}  // namespace espalier

// Verifying what trees that select have: machines and their transitions, the sums of shared units, agents' blocks.
#include "asset/verify_unit.h"

namespace espalier {
namespace {

class SelectHooks {
 public:
  const char* open(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    const Opcode opcode = reader.opcode();
    const std::uint32_t state_bytes = info_of(node).agent_bytes;
    const bool has_state = state_bytes > 0 || opcode == Opcode::select_share;
    if (state_offset_of(node) != (has_state ? reader.state_bytes : 0)) {
      return "a node's state lies elsewhere than it must";
    }
    reader.state_bytes += state_bytes;
    switch (opcode) {
      case Opcode::select_leaf:
        ++reader.leaf_count;
        return nullptr;
      case Opcode::select_machine:
        return enter_regions(reader, 1);
      case Opcode::select_state:
        return check_conditions(reader);
      case Opcode::select_share:
        return use_unit(reader);
      default:
        return nullptr;
    }
  }

  const char* close(UnitReader& reader) {
    if (reader.opcode() != Opcode::select_machine) return nullptr;
    --machine_depth_;
    const std::uint32_t* machine = reader.node();
    const std::uint32_t state_count = child_count(machine);
    for (const std::uint32_t* state : children_of(machine)) {
      if (!leads_below(reader.asset, state, state_count)) return "a transition leads to no state";
    }
    const std::uint32_t leaf_count = reader.leaf_count - operand<OperandKind::leaf, Opcode::select_machine>(machine);
    return operand<OperandKind::leaf_count, Opcode::select_machine>(machine) == leaf_count
               ? nullptr
               : "a machine's leaf count is wrong";
  }

 private:
  const char* enter_regions(UnitReader& reader, std::uint32_t count) {
    const std::uint32_t regions = machine_depth_ + count;
    if (reader.opcode() == Opcode::select_machine) ++machine_depth_;
    if (regions > reader.region_count) reader.region_count = regions;
    return regions <= layout::kMaxRegions ? nullptr : "regions are nested too deeply";
  }

  static const char* check_conditions(UnitReader& reader) {
    const layout::Transition* transitions = transitions_of(reader.asset, reader.node());
    const std::uint32_t count = operand<OperandKind::transition_count, Opcode::select_state>(reader.node());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const char* reason = reader.check_condition(transitions[i].condition)) return reason;
    }
    return nullptr;
  }

  // What the unit has, the units that use it have too.
  const char* use_unit(UnitReader& reader) {
    const layout::Unit& unit =
        unit_record(reader.asset, operand<OperandKind::unit, Opcode::select_share>(reader.node()));
    reader.node_count += unit.node_count - 1;  // the share itself is none
    reader.leaf_count += unit.leaf_count;
    reader.state_bytes += unit.state_bytes;
    if (unit.variable_count > reader.variable_count) reader.variable_count = unit.variable_count;
    return enter_regions(reader, 1 + unit.region_count);
  }

  static const layout::Transition* transitions_of(const Asset& asset, const std::uint32_t* state) {
    return array<layout::Transition>(asset, layout::SectionId::transitions) +
           operand<OperandKind::transition, Opcode::select_state>(state);
  }

  // Are the targets of a state's transitions below this number?
  static bool leads_below(const Asset& asset, const std::uint32_t* state, std::uint32_t state_count) {
    const layout::Transition* transitions = transitions_of(asset, state);
    const std::uint32_t count = operand<OperandKind::transition_count, Opcode::select_state>(state);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (transitions[i].state >= state_count) return false;
    }
    return true;
  }

  std::uint32_t machine_depth_ = 0;  // machines around the present node
};

// Are bits [first, first + count) free of bit `bit`?
bool is_outside(std::uint32_t bit, std::uint32_t first, std::uint32_t count) {
  return bit < first || bit - first >= count;
}

}  // namespace

const char* Verifier::check_selecting_unit(std::uint32_t unit, std::uint32_t* word) {
  return read_unit(*this, unit, SelectHooks(), word);
}

// The parts of an agent's block lie inside it and apart from one another.
bool Verifier::check_selecting_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const std::uint32_t state_bytes = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit].state_bytes;
  const std::uint32_t bit_total = tree.agent_bytes * 8;
  const std::uint32_t variable_bytes = tree.variable_count / 8 + (tree.variable_count % 8 != 0 ? 1 : 0);
  const bool inside = variable_bytes <= tree.leaf_offset && tree.leaf_offset <= tree.agent_bytes - 2 &&
                      variable_bytes <= tree.state_offset && tree.state_offset <= tree.agent_bytes &&
                      state_bytes <= tree.agent_bytes - tree.state_offset;
  if (!inside) return fail(&tree, "an agent's parts do not lie in its block");
  if (tree.state_offset < tree.leaf_offset + 2 && tree.leaf_offset < tree.state_offset + state_bytes) {
    return fail(&tree, "an agent's parts overlap");
  }
  if (tree.shared_bytes != 0) return fail(&tree, "a tree that selects shares nothing");
  if (tree.dirty_bit != layout::kNone) {
    const std::uint32_t leaf_bit = tree.leaf_offset * 8;
    const bool in_leaf = tree.dirty_bit == leaf_bit + 15;
    const bool in_state = !is_outside(tree.dirty_bit, tree.state_offset * 8, state_bytes * 8);
    if (tree.dirty_bit >= bit_total || tree.dirty_bit < tree.variable_count ||
        !is_outside(tree.dirty_bit, leaf_bit, 15) || (in_leaf && tree.leaf_count > 0x7FFF) ||
        (in_state && tree.dirty_bit % 8 != 7)) {
      return fail(&tree, "the dirty bit is not free");
    }
  }
  const unsigned char* image = array<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  if (load_leaf(tree, image) != leaf_mask(tree)) return fail(image, "an agent begins with a leaf");
  return true;
}

}  // namespace espalier

// Agents of trees that select, as text. See core/print.h.
#include "core/print.h"
#include "core/condition.h"
#include "format/node.h"
#include "format/opcodes/select.h"

namespace espalier {
namespace {

// PrintPlace::context: the leaves, and the bytes of node state, before the unit that contains the node.
constexpr std::size_t kLeafBase = 0;
constexpr std::size_t kStateBase = 1;

std::uint32_t current_in(const Printing& printing, const PrintPlace& place) {
  return current_leaf(printing.view, printing.block) - place.context[kLeafBase];  // large: it is not in this unit
}

// Is the current leaf this node or inside it?
bool contains_current(const Printing& printing, const PrintPlace& place) {
  const std::uint32_t current = current_in(printing, place);
  for (const std::uint32_t* node = place.node; node != end_of(place.node); node = next_node(node)) {
    switch (opcode_of(node)) {
      case opcode::select_leaf:
        if (leaf_of(node) == current) return true;
        break;
      case opcode::select_share: {
        const layout::Unit& unit =
            unit_record(printing.asset, entered_unit<opcode::select_share>(printing.asset, node));
        if (current - operand<OperandKind::leaf, opcode::select_share>(node) < unit.leaf_count) return true;
        break;
      }
      default:
        break;
    }
  }
  return false;
}

void write_agent(const Printing& printing) {
  const std::uint32_t behavior = current_behavior(printing.view, printing.block);
  if (behavior == kNoBehavior) {
    printing.out << ", no behavior\n";
  } else {
    (printing.out << ", behavior ").name(behavior_name(printing.asset, behavior)) << "\n";
  }
  printing.variables("variables");
}

void look_at(const Printing& printing, PrintPlace* place) {
  place->is_active = place->is_active && contains_current(printing, *place);
  place->is_hidden = opcode_of(place->node) == opcode::select_share;  // the root of its unit has the name
}

const std::uint32_t* enter_unit(const Printing& printing, const PrintPlace& place, PrintPlace* inside) {
  if (opcode_of(place.node) != opcode::select_share) return nullptr;
  inside->context[kLeafBase] += operand<OperandKind::leaf, opcode::select_share>(place.node);
  inside->context[kStateBase] += state_offset_of(place.node);
  return unit_root(printing.asset, entered_unit<opcode::select_share>(printing.asset, place.node));
}

// The state that a machine has stored: that of its node's number, or the first.
void write_present(const Printing& printing, const PrintPlace& place) {
  const layout::Part& part = part_of<EngineId::select, PartKind::states>(printing.view);
  const std::uint32_t stored =
      printing.bytes()[offset_bytes(part) + place.context[kStateBase] + state_offset_of(place.node)] & kStateMask;
  std::uint32_t number = 0;
  const std::uint32_t* present = first_child(place.node);
  for (const std::uint32_t* state : children_of(place.node)) {
    if (number++ == stored) present = state;
  }
  const char* name = node_debug_name(printing.asset, printing.word_of(present));
  printing.out << ", state ";
  if (name[0] == '\0') {
    printing.out << std::uint64_t{flags_of(present)};
  } else {
    printing.name(name);
  }
}

void write_name(const Printing& printing, const PrintPlace& place) {
  printing.name_and_kind(place.node);
  if (opcode_of(place.node) != opcode::select_leaf) return;
  const std::uint32_t leaf = place.context[kLeafBase] + leaf_of(place.node);
  const std::string_view behavior = behavior_name(printing.asset, leaf_behavior(printing.view, leaf));
  if (behavior != node_debug_name(printing.asset, printing.word_of(place.node))) {
    (printing.out << ", behavior ").name(behavior);
  }
}

void write_state(const Printing& printing, const PrintPlace& place) {
  const Opcode opcode = opcode_of(place.node);
  if (opcode == opcode::select_leaf && place.is_active) {
    const std::uint32_t behavior = current_behavior(printing.view, printing.block);
    printing.active_for(times_of_current(printing.view, const_cast<void*>(printing.block), behavior));
  }
  if (opcode == opcode::select_machine) write_present(printing, place);
  if (opcode == opcode::select_state) return;
  const std::uint32_t condition = operand<OperandKind::condition, EngineId::select>(place.node);
  if (condition == 0) return;
  printing.out << (holds(printing.asset, condition, printing.bytes()) ? ", condition true" : ", condition false");
}

}  // namespace

const PrintRow kSelectPrint = {write_agent, look_at, enter_unit, write_name, write_state, nullptr};

}  // namespace espalier

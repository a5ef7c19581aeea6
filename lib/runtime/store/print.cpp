// Agents of trees that store their results, as text. See core/print.h.
#include "core/print.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/path.h"

namespace espalier {
namespace {

// PrintPlace::context: the tree of the instance that contains the node, and the instance's offset in the block.
constexpr std::size_t kTree = 0;
constexpr std::size_t kOffset = 1;

unsigned char* bytes_of(const void* block) { return static_cast<unsigned char*>(const_cast<void*>(block)); }

StoreInstance instance_of(const Printing& printing, const PrintPlace& place) {
  return {printing.asset, place.context[kTree], bytes_of(printing.block), place.context[kOffset]};
}

void write_agent(const Printing& printing) {
  const StoreInstance own = StoreInstance::of(printing.view, bytes_of(printing.block));
  const StoreHeader header(bytes_of(printing.block));
  printing.out << (own.stored(own.root()) == Stored::none ? ", begins at the next update" : ", running");
  if (header.restarts()) printing.out << ", is reset at the next update";
  printing.out << "\n";
}

void look_at(const Printing& printing, PrintPlace* place) {
  if (place->depth == 0) {
    const StoreInstance own = StoreInstance::of(printing.view, bytes_of(printing.block));
    place->context[kTree] = own.tree();
    place->context[kOffset] = own.offset();
  }
  place->is_active = place->is_active && instance_of(printing, *place).stored(place->node) == Stored::running;
}

const std::uint32_t* enter_child(const Printing& printing, const PrintPlace& place, PrintPlace* inside) {
  const StoreInstance around = instance_of(printing, place);
  if (!around.has_child(place.node)) return nullptr;
  const StoreInstance child = around.child(place.node);
  inside->context[kTree] = child.tree();
  inside->context[kOffset] = child.offset();
  return child.root();
}

// ---- What a node holds

void write_gate(const Printing& printing, const std::uint32_t* gate) {
  const std::uint64_t maximum = operand<OperandKind::maximum, EngineId::store>(gate);
  if (printing.host == nullptr || printing.host->shared == nullptr) {
    printing.out << ", at most " << maximum << " inside";
    return;
  }
  const std::uint32_t inside = inside_count(printing.asset, printing.host->shared, printing.word_of(gate));
  printing.out << ", " << std::uint64_t{inside} << " of " << maximum << " inside";
}

void write_group(const Printing& printing, const StoreInstance& instance, const std::uint32_t* node) {
  const layout::Group& record = instance.group(node);
  if (printing.host == nullptr || printing.host->shared == nullptr) {
    printing.out << ", " << std::uint64_t{record.role_count} << " roles";
    return;
  }
  StoreGroup group(record, printing.host->shared);
  printing.out << ", " << std::uint64_t{group.inside_count()} << " of " << std::uint64_t{record.role_count}
               << (group.is_bound() ? " inside, bound" : " inside");
  const std::uint32_t seat = instance.byte(kept_at(node));
  if (seat == 0) return;
  const GroupView view = group.look(seat - 1, false);
  switch (view.state) {
    case GroupState::waits:
      printing.out << ", waits";
      if (record.timeout_us != layout::kNoTimeout) {
        printing.left(instance.time(operand<OperandKind::time, EngineId::store>(node)) + record.timeout_us);
      }
      return;
    case GroupState::works:
    case GroupState::done: {
      printing.out << ", role ";
      const char* name = node_debug_name(printing.asset, printing.word_of(child_at(node, view.role)));
      if (name[0] == '\0') {
        printing.out << std::uint64_t{view.role};
      } else {
        printing.name(name);
      }
      if (view.state == GroupState::done) printing.out << " is done";
      return;
    }
    case GroupState::left:
    case GroupState::broken:
    case GroupState::restarts:
      printing.out << ", another agent has left";
      return;
    case GroupState::completed:
      printing.out << ", completed";
      return;
  }
}

void write_cooldown(const Printing& printing, std::uint64_t opens_us) {
  if (!printing.has_clock()) return;
  if (opens_us <= printing.host->clock_us) {
    printing.out << ", open";
    return;
  }
  printing.out << ", closed";
  printing.left(opens_us);
}

void write_cooldown_all(const Printing& printing, const std::uint32_t* node) {
  if (printing.host == nullptr || printing.host->shared == nullptr) return;
  const auto* values = static_cast<const SharedValue*>(printing.host->shared);
  write_cooldown(printing, values[shared_value_of(node)].load(std::memory_order_relaxed));
}

void write_slot(const Printing& printing, const StoreInstance& instance, const std::uint32_t* node) {
  const std::uint32_t otherwise = operand<OperandKind::tree, EngineId::store>(node);
  const std::uint32_t injected = StoreHeader(instance.agent()).slot(slot_of(node));
  if (instance.has_child(node)) {
    (printing.out << ", runs ").name(tree_name(tree(printing.asset, instance.child(node).tree())));
  }
  if (injected != 0) {
    (printing.out << ", holds ").name(tree_name(tree(printing.asset, injected - 1)));
  } else if (otherwise != 0) {
    (printing.out << ", default ").name(tree_name(tree(printing.asset, otherwise - 1)));
  }
}

void write_barrier(const Printing& printing, const StoreInstance& instance, const std::uint32_t* node) {
  const std::uint32_t* role = node;
  while (opcode_of(role) != opcode::store_role) role = parent_of(role);
  const std::uint32_t first = instance.group(parent_of(role)).first_barrier;
  const auto barriers = records<layout::Barrier>(printing.asset, layout::SectionId::barriers);
  (printing.out << " ")
      .name(name_at(printing.asset, barriers[first + operand<OperandKind::barrier, EngineId::store>(node)].name));
}

void write_kept(const Printing& printing, const StoreInstance& instance, const std::uint32_t* node) {
  switch (opcode_of(node)) {
    case opcode::store_repeat: {
      const std::uint64_t maximum = operand<OperandKind::maximum, EngineId::store>(node);
      if (maximum != 0)
        printing.out << ", " << std::uint64_t{instance.word(kept_at(node))} << " of " << maximum << " done";
      return;
    }
    case opcode::store_monitor:
      // One that was reset can still be in the list.
      if (instance.stored(node) != Stored::none && instance.word(kept_at(node)) != 0) printing.out << ", watched";
      return;
    case opcode::store_gate:
      return write_gate(printing, node);
    case opcode::store_cooldown:
      return write_cooldown(printing, instance.time(kept_at(node)));
    case opcode::store_cooldown_all:
      return write_cooldown_all(printing, node);
    case opcode::store_group:
      return write_group(printing, instance, node);
    case opcode::store_child:
      return write_slot(printing, instance, node);
    default:
      return;
  }
}

void write_name(const Printing& printing, const PrintPlace& place) {
  const StoreInstance instance = instance_of(printing, place);
  printing.name_and_kind(place.node);
  printing.behavior(place.node);
  if (has_operand<OperandKind::slot, EngineId::store>(place.node)) {
    (printing.out << " ").name(slot_name(printing.asset, slot_of(place.node)));
  } else if (has_operand<OperandKind::barrier, EngineId::store>(place.node)) {
    write_barrier(printing, instance, place.node);
  }
}

void write_state(const Printing& printing, const PrintPlace& place) {
  const StoreInstance instance = instance_of(printing, place);
  const Stored stored = instance.stored(place.node);
  if (stored != Stored::none) {
    printing.out << ", ";
    printing.result(to_result(stored));
  }
  if (stored == Stored::running && opcode_of(place.node) == opcode::store_action) {
    printing.active_for(instance.times(place.node));
  }
  write_kept(printing, instance, place.node);
}

bool stored_result(const Tree& view, const void* block, std::uint32_t node_word, Result* result) {
  const std::uint32_t* wanted = nodes_of(*view.asset) + node_word;
  StorePath path(StoreInstance::of(view, bytes_of(block)));
  const std::uint32_t* found = path.find([&](const std::uint32_t* node) { return node == wanted; });
  if (found == nullptr) return false;
  *result = to_result(path.instance().stored(found));
  return true;
}

}  // namespace

const PrintRow kStorePrint = {write_agent, look_at, enter_child, write_name, write_state, stored_result};

}  // namespace espalier

// Verifies trees that tick: nodes and their overlapping state, agents' blocks, small records.
#include <cstring>

#include "asset/verify_unit.h"
#include "core/random.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/agent.h"

namespace espalier {
namespace {

// Checks the offsets of the nodes' state. On the way up, the offset for a node is computed from that of its children.
class TickHooks {
 public:
  TickHooks(const Asset& asset, const layout::Tree& tree)
      : tree_(tree),
        ticking_(records<layout::Ticking>(asset, layout::SectionId::ticking)[tree.record]),
        parts_(parts_of(asset, tree)),
        sizes_{part<PartKind::cursor>().bits / 8u, offset_bytes(part<PartKind::states>()),
               array<std::uint32_t>(asset, layout::SectionId::memory_sizes)} {}

  const char* open(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    const std::uint32_t state_bytes = node_agent_bytes(node, sizes_);
    const std::uint32_t begin = state_bytes > 0 ? begin_of_state(node, state_, sizes_) : state_;
    if (state_offset_of(node) != (state_bytes > 0 ? begin : 0)) return "a node's state has the wrong offset";
    const OpcodeInfo& info = info_of(node);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (const char* reason = check_draw(reader.asset, node)) return reason;
    if (reader.opcode() == opcode::tick_state) {
      if (const char* reason = check_signals(reader.asset, node)) return reason;
    }
    if (reader.opcode() == opcode::tick_parallel) {
      static_assert(layout::kMaxRegions <= UnitReader::kMaxKept);
      if (reader.kept_count() == layout::kMaxRegions) return "regions are nested too deeply";
      reader.keep(state_end_);
      state_end_ = 0;
    }
    if (begin + state_bytes > state_end_) state_end_ = begin + state_bytes;
    if (has_children(node)) state_ += state_bytes;
    return nullptr;
  }

  // The state of all siblings begins at the same offset, except for branches: each begins where the previous one ends.
  const char* close(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    if (has_children(node)) {
      if (reader.opcode() == opcode::tick_parallel) {
        state_ = state_offset_of(node);
        const std::uint32_t end_around = reader.give_back();
        if (end_around > state_end_) state_end_ = end_around;
      } else {
        state_ = reader.opcode() == opcode::tick_branch ? state_end_ : state_ - node_agent_bytes(node, sizes_);
      }
    }
    reader.state_bytes = state_end_;
    if (reader.parent() == nullptr && limit_count_ != ticking_.limit_count) {
      return "the totals of a unit do not match its nodes";
    }
    return reader.opcode() == opcode::tick_machine ? check_transitions(reader.asset, node) : nullptr;
  }

 private:
  template <PartKind kind>
  const layout::Part& part() const {
    return part_of<EngineId::tick, kind>(parts_);
  }

  struct Transitions {
    const layout::EventTransition* first;
    std::uint32_t count;
  };
  static Transitions transitions_of(const Asset& asset, const std::uint32_t* state) {
    return {array<layout::EventTransition>(asset, layout::SectionId::event_transitions) +
                operand<OperandKind::event_transition, opcode::tick_state>(state),
            operand<OperandKind::event_transition_count, opcode::tick_state>(state)};
  }

  // Are the targets of a machine's transitions among its states?
  static const char* check_transitions(const Asset& asset, const std::uint32_t* machine) {
    const std::uint32_t state_count = child_count(machine);
    for (const std::uint32_t* state : children_of(machine)) {
      const Transitions transitions = transitions_of(asset, state);
      for (std::uint32_t i = 0; i < transitions.count; ++i) {
        if (transitions.first[i].state >= state_count) return "a transition leads to no state";
      }
    }
    return nullptr;
  }

  const char* check_signals(const Asset& asset, const std::uint32_t* state) const {
    const Transitions transitions = transitions_of(asset, state);
    for (std::uint32_t i = 0; i < transitions.count; ++i) {
      if (signal_of(transitions.first[i]) >= tree_.signal_count) return "event index out of range";
    }
    return nullptr;
  }

  const char* check_operand(OperandKind kind, std::uint32_t value) {
    switch (kind) {
      case OperandKind::signal:
        return value < tree_.signal_count ? nullptr : "event index out of range";
      case OperandKind::timestamp:
        return value == layout::kNone || value < part<PartKind::timestamps>().count ? nullptr
                                                                                    : "timestamp index out of range";
      case OperandKind::limit:
        return value == limit_count_++ ? nullptr : "limits are not consecutive";
      case OperandKind::scope:
        return value < part<PartKind::held>().count ? nullptr : "an agent has no room for its scopes";
      default:
        return nullptr;
    }
  }

  // Nodes that draw random numbers need a generator.
  const char* check_draw(const Asset& asset, const std::uint32_t* node) const {
    if (part<PartKind::generator>().count > 0) return nullptr;
    const std::uint64_t* numbers = array<std::uint64_t>(asset, layout::SectionId::numbers);
    const Opcode opcode = opcode_of(node);
    const bool draws =
        (opcode == opcode::tick_chance_guard &&
         draws_chance(numbers[operand<OperandKind::number, opcode::tick_chance_guard>(node)])) ||
        (opcode == opcode::tick_wait && numbers[operand<OperandKind::number, opcode::tick_wait>(node, 1)] != 0);
    return draws ? "a node draws random numbers, and the agent has no generator" : nullptr;
  }

  const layout::Tree& tree_;
  const layout::Ticking& ticking_;
  const layout::Part* parts_;
  const StateSizes sizes_;
  std::uint32_t state_ = 0;      // the offset of the state of the next node
  std::uint32_t state_end_ = 0;  // the end of all state so far in the parallel that contains it, or in the unit
  std::uint32_t limit_count_ = 0;
};

}  // namespace

const char* Verifier::check_ticking_unit(std::uint32_t unit, std::uint32_t* word) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[unit_record(asset_, unit).tree];
  return read_unit(*this, unit, TickHooks(asset_, tree), word);
}

bool Verifier::check_ticking_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record];
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const layout::Part* parts = parts_of(asset_, tree);
  const layout::Part& cursor = part_of<EngineId::tick, PartKind::cursor>(parts);
  if (cursor.bits == 16 && unit.word_count >= 0xFFFF) return fail(&cursor, "the cursor is too narrow for the nodes");
  const layout::Part& generator = part_of<EngineId::tick, PartKind::generator>(parts);
  if (generator.count > 1) return fail(&generator, "an agent has more than one generator");
  const layout::Part& states = part_of<EngineId::tick, PartKind::states>(parts);
  if (states.count != unit.state_bytes) return fail(&states, "the size of the nodes' state is wrong");
  const std::uint64_t shared_bytes = (std::uint64_t{ticking.limit_count} * 2 + 7) / 8 * 8;
  if (ticking.flags > layout::kStaysStopped || tree.leaf_count != 0 || tree.shared_bytes != shared_bytes ||
      ticking.limit_count > layout::kMaxLimits) {
    return fail(&ticking, "the flags of a tree that ticks do not match its nodes");
  }
  const layout::Part& part = part_of<EngineId::tick, PartKind::timestamps>(parts);
  const auto timestamps = records<layout::Timestamp>(asset_, layout::SectionId::timestamps) + part.first_name;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const layout::Timestamp& timestamp = timestamps[i];
    const bool is_right = is_name(timestamp.name) && timestamp.signal < tree.signal_count &&
                          (timestamp.exclusive_to == layout::kNone || timestamp.exclusive_to < part.count);
    if (!is_right) return fail(&timestamp, "a timestamp is wrong");
  }
  return true;
}

}  // namespace espalier

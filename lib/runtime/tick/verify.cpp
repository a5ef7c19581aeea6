// Verifying what trees that tick have: nodes with the state they lay over one another, agents' blocks, small records.
#include <cstring>

#include "asset/verify_unit.h"
#include "core/random.h"
#include "tick/agent.h"

namespace espalier {
namespace {

// Where the state of a node's children begins follows on the way up from where theirs did.
class TickHooks {
 public:
  TickHooks(const layout::Tree& tree, const layout::Ticking& ticking) : tree_(tree), ticking_(ticking) {}

  const char* open(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    const std::uint32_t state_bytes = measure_state(node);
    if (state_offset_of(node) != (state_bytes > 0 ? state_ : 0)) return "a node's state lies elsewhere than it must";
    const OpcodeInfo& info = info_of(node);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (const char* reason = check_draw(reader.asset, node)) return reason;
    if (reader.opcode() == Opcode::tick_state) {
      if (const char* reason = check_signals(reader.asset, node)) return reason;
    }
    if (reader.opcode() == Opcode::tick_parallel) {
      static_assert(layout::kMaxRegions <= UnitReader::kMaxKept);
      if (reader.kept_count() == layout::kMaxRegions) return "regions are nested too deeply";
      reader.keep(state_end_);
      state_end_ = 0;
    }
    if (state_ + state_bytes > state_end_) state_end_ = state_ + state_bytes;
    if (has_children(node)) state_ += state_bytes;
    return nullptr;
  }

  // State of siblings begins at one place; but of branches where that of the one before ends.
  const char* close(UnitReader& reader) {
    const std::uint32_t* node = reader.node();
    if (has_children(node)) {
      if (reader.opcode() == Opcode::tick_parallel) {
        state_ = state_offset_of(node);
        const std::uint32_t end_around = reader.give_back();
        if (end_around > state_end_) state_end_ = end_around;
      } else {
        state_ = reader.opcode() == Opcode::tick_branch ? state_end_ : state_ - measure_state(node);
      }
    }
    reader.state_bytes = state_end_;
    if (reader.parent() == nullptr && limit_count_ != ticking_.limit_count) {
      return "a unit's sums do not agree with its nodes";
    }
    return reader.opcode() == Opcode::tick_machine ? check_transitions(reader.asset, node) : nullptr;
  }

 private:
  struct Transitions {
    const layout::EventTransition* first;
    std::uint32_t count;
  };
  static Transitions transitions_of(const Asset& asset, const std::uint32_t* state) {
    return {array<layout::EventTransition>(asset, layout::SectionId::event_transitions) +
                operand<OperandKind::event_transition, Opcode::tick_state>(state),
            operand<OperandKind::event_transition_count, Opcode::tick_state>(state)};
  }

  // Do the transitions of a machine's states lead to its states?
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
      if (transitions.first[i].signal >= tree_.signal_count) return "there is no such event";
    }
    return nullptr;
  }

  // Bytes of the node's own state.
  std::uint32_t measure_state(const std::uint32_t* node) const {
    const Opcode opcode = opcode_of(node);
    StateShape shape;
    shape.cursor_bytes = ticking_.cursor_bytes;
    if (opcode == Opcode::tick_loop) shape.count = operand<OperandKind::count, Opcode::tick_loop>(node);
    if (opcode == Opcode::tick_branch) shape.child = opcode_of(first_child(node));
    if (opcode == Opcode::tick_parallel) shape.branch_count = child_count(node);
    return node_agent_bytes(opcode, shape);
  }

  const char* check_operand(OperandKind kind, std::uint32_t value) {
    switch (kind) {
      case OperandKind::signal:
        return value < tree_.signal_count ? nullptr : "there is no such event";
      case OperandKind::timestamp:
        return value == layout::kNone || value < ticking_.timestamp_count ? nullptr : "there is no such timestamp";
      case OperandKind::limit:
        return value == limit_count_++ ? nullptr : "a limit's place does not follow those before it";
      case OperandKind::scope:
        return ticking_.held_offset == layout::kNone ? "an agent has no room for its scopes" : nullptr;
      default:
        return nullptr;
    }
  }

  // Whoever draws needs a generator.
  const char* check_draw(const Asset& asset, const std::uint32_t* node) const {
    if (ticking_.generator_offset != layout::kNone) return nullptr;
    const std::uint64_t* numbers = array<std::uint64_t>(asset, layout::SectionId::numbers);
    const Opcode opcode = opcode_of(node);
    const bool draws =
        (opcode == Opcode::tick_chance_gate &&
         draws_chance(numbers[operand<OperandKind::number, Opcode::tick_chance_gate>(node)])) ||
        (opcode == Opcode::tick_wait && numbers[operand<OperandKind::number, Opcode::tick_wait>(node, 1)] != 0);
    return draws ? "an agent has no generator, and a node draws" : nullptr;
  }

  const layout::Tree& tree_;
  const layout::Ticking& ticking_;
  std::uint32_t state_ = 0;      // where the state of the node begins that is opened next
  std::uint32_t state_end_ = 0;  // behind all state so far of the parallel around it, or of the unit
  std::uint32_t limit_count_ = 0;
};

bool is_filled(const unsigned char* bytes, std::uint64_t count, unsigned char value) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes[i] != value) return false;
  }
  return true;
}

}  // namespace

const char* Verifier::check_ticking_unit(std::uint32_t unit, std::uint32_t* word) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[unit_record(asset_, unit).tree];
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record];
  return read_unit(*this, unit, TickHooks(tree, ticking), word);
}

// The parts of an agent's block lie in it one behind the other, and its image is an agent that is idle.
bool Verifier::check_ticking_agent(const layout::Tree& tree) {
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record];
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const bool is_narrow = ticking.cursor_bytes == 2 && unit.word_count < 0xFFFF;
  if (!is_narrow && ticking.cursor_bytes != 4) return fail(&ticking, "a cursor cannot tell every node");
  const std::uint32_t scope_count = record_count(asset_, layout::SectionId::scopes);
  const struct {
    std::uint32_t offset;
    std::uint64_t bytes;
  } parts[] = {
      {0, (std::uint64_t{tree.variable_count} + 7) / 8},
      {ticking.status_offset, 1},
      {ticking.cursor_offset, ticking.cursor_bytes},
      {ticking.held_offset, (std::uint64_t{scope_count} + 7) / 8},
      {ticking.generator_offset, 8},
      {ticking.times_offset, std::uint64_t{ticking.timestamp_count} * 8},
      {tree.state_offset, unit.state_bytes},
  };
  std::uint64_t end = 0;
  for (const auto& part : parts) {
    if (part.offset == layout::kNone) continue;  // held_offset, generator_offset; any other would not fit
    if (part.offset < end) return fail(&ticking, "an agent's parts overlap");
    end = part.offset + part.bytes;
  }
  const bool has_all = ticking.status_offset != layout::kNone && ticking.cursor_offset != layout::kNone &&
                       ticking.times_offset != layout::kNone && tree.state_offset != layout::kNone;
  if (!has_all || end > tree.agent_bytes) return fail(&ticking, "an agent's parts do not lie in its block");
  const std::uint64_t shared_bytes = (std::uint64_t{ticking.limit_count} * 2 + 7) / 8 * 8;
  if (tree.dirty_bit != ticking.status_offset * 8 || tree.leaf_offset != 0 || ticking.flags > layout::kStaysStopped ||
      tree.shared_bytes != shared_bytes || ticking.limit_count > layout::kMaxLimits) {
    return fail(&ticking, "a tree that ticks says what it is not");
  }
  const unsigned char* image = array<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  const std::uint32_t held_bytes = ticking.held_offset == layout::kNone ? 0 : (scope_count + 7) / 8;
  if (image[ticking.status_offset] != 0 || !is_filled(image + ticking.cursor_offset, ticking.cursor_bytes, 0xFF) ||
      (held_bytes > 0 && !is_filled(image + ticking.held_offset, held_bytes, 0))) {
    return fail(image, "an agent begins with something that runs");
  }
  return true;
}

bool Verifier::check_timestamps(const layout::Tree& tree) {
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record];
  if (!take(layout::SectionId::timestamps, ticking.first_timestamp, ticking.timestamp_count)) {
    return fail(&ticking, "timestamps do not follow one another");
  }
  const auto timestamps = records<layout::Timestamp>(asset_, layout::SectionId::timestamps) + ticking.first_timestamp;
  for (std::uint32_t i = 0; i < ticking.timestamp_count; ++i) {
    const layout::Timestamp& timestamp = timestamps[i];
    const bool is_right = is_name(timestamp.name) && timestamp.signal < tree.signal_count &&
                          (timestamp.exclusive_to == layout::kNone || timestamp.exclusive_to < ticking.timestamp_count);
    if (!is_right) return fail(&timestamp, "a timestamp is wrong");
  }
  return true;
}

bool Verifier::check_ticking_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  return check_ticking_agent(tree) && check_timestamps(tree);
}

}  // namespace espalier

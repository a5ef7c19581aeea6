// Verifying units: every node's words against the opcode table, and the sums that units state about themselves.
#include "opcode.h"
#include "verify.h"

namespace espalier {
namespace {

// A node whose children are being read.
struct Frame {
  std::uint32_t word;
  std::uint32_t end;
  std::uint32_t child_count;
  std::uint32_t first_leaf;
  std::uint32_t max_state;  // the largest state that transitions below name, plus 1
  Opcode opcode;
};

// Reads one unit, front to back.
class UnitReader {
 public:
  UnitReader(const Asset& asset, std::uint32_t unit, std::uint32_t* next_transition)
      : asset_(asset),
        units_(records<layout::Unit>(asset, layout::SectionId::units)),
        unit_(unit),
        nodes_(records<std::uint32_t>(asset, layout::SectionId::nodes)),
        next_transition_(next_transition) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    const layout::Unit& unit = units_[unit_];
    const std::uint32_t end = unit.first_word + unit.word_count;
    for (word_ = unit.first_word; word_ < end;) {
      if (const char* reason = open_node(end)) return reason;
      while (depth_ > 0 && word_ == frames_[depth_ - 1].end) {
        if (const char* reason = close_node()) return reason;
      }
    }
    const bool sums_hold = depth_ == 0 && node_count_ == unit.node_count && leaf_count_ == unit.leaf_count &&
                           state_bytes_ == unit.state_bytes && max_regions_ == unit.region_count &&
                           variable_count_ == unit.variable_count && unit.record == 0;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return word_; }

 private:
  const char* open_node(std::uint32_t unit_end) {
    const std::uint32_t end = depth_ > 0 ? frames_[depth_ - 1].end : unit_end;
    if (end - word_ < kNodeHeaderWords) return "a node is cut off";
    const std::uint32_t head = nodes_[word_];
    const std::uint32_t extent = nodes_[word_ + 1];
    if ((head & 0xFF) >= static_cast<std::uint32_t>(Opcode::count)) return "there is no such opcode";
    const Opcode opcode = static_cast<Opcode>(head & 0xFF);
    const OpcodeInfo& info = opcode_info(opcode);
    if (info.family != Family::select) return "a node is of another family than its unit";
    const std::uint32_t own_words = kNodeHeaderWords + info.operand_count;
    if (extent < own_words || extent > end - word_) return "a node's extent is not that of its children";
    if (depth_ == 0 && extent != unit_end - word_) return "a unit has more than one root";
    if (info.children == Children::none && extent != own_words) return "a node has children that it cannot have";
    if (const char* reason = check_place(opcode, head)) return reason;
    if (const char* reason = check_operands(info)) return reason;
    if (opcode != Opcode::select_share) ++node_count_;
    if (node_count_ > layout::kMaxNodes) return "a unit has too many nodes";
    if (opcode == Opcode::select_leaf) ++leaf_count_;
    state_bytes_ += info.agent_bytes;
    if (info.children != Children::none) {
      if (depth_ == layout::kMaxDepth) return "nodes are nested too deeply";
      frames_[depth_++] = {word_, word_ + extent, 0, opened_leaf_, 0, opcode};
      if (opcode == Opcode::select_machine && !enter_regions(1)) return "regions are nested too deeply";
      if (opcode == Opcode::select_machine) ++machine_depth_;
    }
    word_ += own_words;
    return nullptr;
  }

  // Does the node stand where it may, with the number and the state offset that follow from the nodes before it?
  const char* check_place(Opcode opcode, std::uint32_t head) {
    const OpcodeInfo& info = opcode_info(opcode);
    const bool below_states = depth_ > 0 && opcode_info(frames_[depth_ - 1].opcode).children == Children::states;
    if (below_states != (opcode == Opcode::select_state)) return "a node stands below one that cannot have it";
    const std::uint32_t ordinal = depth_ > 0 ? frames_[depth_ - 1].child_count++ : 0;
    const std::uint32_t flags = info.flags == FlagsKind::number ? ordinal : 0;
    if ((head >> 8 & 0xFF) != flags) return "a node's flags are wrong";
    const bool has_state = info.agent_bytes > 0 || opcode == Opcode::select_share;
    if (head >> 16 != (has_state ? state_bytes_ : 0)) return "a node's state offset does not follow those before it";
    return nullptr;
  }

  const char* check_operands(const OpcodeInfo& info) {
    opened_leaf_ = leaf_count_;
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const std::uint32_t operand = nodes_[word_ + kNodeHeaderWords + i];
      if (const char* reason = check_operand(info.operands[i], operand)) return reason;
    }
    return nullptr;
  }

  const char* check_operand(OperandKind kind, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::none:
        return nullptr;
      case OperandKind::condition:
        return use_condition(operand);
      case OperandKind::leaf:
        return operand == opened_leaf_ ? nullptr : "a leaf's number does not follow those before it";
      case OperandKind::leaf_count:
        return nullptr;  // known when the machine is closed
      case OperandKind::transition:
        return operand == *next_transition_ ? nullptr : "transitions do not follow one another";
      case OperandKind::transition_count:
        return use_transitions(operand);
      case OperandKind::unit:
        return use_unit(operand);
      default:
        return "an operand is of another family";
    }
  }

  const char* use_condition(std::uint32_t condition) {
    if (condition > record_count<layout::Condition>(asset_, layout::SectionId::conditions))
      return "there is no such condition";
    if (condition == 0) return nullptr;
    const std::uint32_t count =
        records<layout::Condition>(asset_, layout::SectionId::conditions)[condition - 1].variable_count;
    if (count > variable_count_) variable_count_ = count;
    return nullptr;
  }

  const char* use_transitions(std::uint32_t count) {
    const std::uint32_t total = record_count<layout::Transition>(asset_, layout::SectionId::transitions);
    if (count > total - *next_transition_) return "there are no such transitions";
    Frame& machine = frames_[depth_ - 1];  // check_place saw that a state stands in a machine
    const layout::Transition* transition =
        records<layout::Transition>(asset_, layout::SectionId::transitions) + *next_transition_;
    for (std::uint32_t i = 0; i < count; ++i, ++transition) {
      if (transition->state >= layout::kMaxStates) return "a transition leads to no state";
      if (transition->state >= machine.max_state) machine.max_state = transition->state + 1;
      if (const char* reason = use_condition(transition->condition)) return reason;
    }
    *next_transition_ += count;
    return nullptr;
  }

  const char* use_unit(std::uint32_t shared) {
    if (shared >= unit_) return "a unit may only use units before it";
    const layout::Unit& unit = units_[shared];
    const std::uint32_t root = nodes_[unit.first_word] & 0xFF;
    if (opcode_info(static_cast<Opcode>(root)).family != Family::select) {
      return "a unit may only use units of its family";
    }
    if (!enter_regions(1 + unit.region_count)) return "regions are nested too deeply";
    node_count_ += unit.node_count;
    leaf_count_ += unit.leaf_count;
    state_bytes_ += unit.state_bytes;
    if (unit.variable_count > variable_count_) variable_count_ = unit.variable_count;
    return node_count_ <= layout::kMaxNodes ? nullptr : "a unit has too many nodes";
  }

  bool enter_regions(std::uint32_t count) {
    const std::uint32_t regions = machine_depth_ + count;
    if (regions > max_regions_) max_regions_ = regions;
    return regions <= layout::kMaxRegions;
  }

  const char* close_node() {
    const Frame& frame = frames_[--depth_];
    const OpcodeInfo& info = opcode_info(frame.opcode);
    if (info.children == Children::one && frame.child_count != 1) return "a node has not exactly one child";
    if (info.children != Children::states) return nullptr;
    --machine_depth_;
    if (frame.child_count == 0 || frame.child_count > layout::kMaxStates) return "a machine has no state, or too many";
    if (frame.max_state > frame.child_count) return "a transition leads to no state";
    const std::uint32_t leaf_count = nodes_[frame.word + kNodeHeaderWords + 2];
    return leaf_count == leaf_count_ - frame.first_leaf ? nullptr : "a machine's leaf count is wrong";
  }

  const Asset& asset_;
  const layout::Unit* units_;
  std::uint32_t unit_;
  const std::uint32_t* nodes_;
  std::uint32_t* next_transition_;
  std::uint32_t word_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t machine_depth_ = 0;
  std::uint32_t max_regions_ = 0;
  std::uint32_t node_count_ = 0;
  std::uint32_t leaf_count_ = 0;
  std::uint32_t opened_leaf_ = 0;
  std::uint32_t state_bytes_ = 0;
  std::uint32_t variable_count_ = 0;
  Frame frames_[layout::kMaxDepth];
};

}  // namespace

bool Verifier::check_units() {
  const layout::Unit* units = records<layout::Unit>(asset_, layout::SectionId::units);
  const std::uint32_t* nodes = records<std::uint32_t>(asset_, layout::SectionId::nodes);
  const std::uint32_t word_count = record_count<std::uint32_t>(asset_, layout::SectionId::nodes);
  std::uint32_t next_word = 0;
  std::uint32_t next_transition = 0;
  std::uint32_t next_event_transition = 0;
  std::uint32_t next_use = 0;
  std::uint32_t next_decider = 0;
  for (std::uint32_t i = 0; i < record_count<layout::Unit>(asset_, layout::SectionId::units); ++i) {
    const layout::Unit& unit = units[i];
    if (unit.first_word != next_word || unit.word_count == 0 || unit.word_count > word_count - next_word) {
      return fail(&unit, "units do not follow one another");
    }
    std::uint32_t word = next_word;
    const char* reason = nullptr;
    switch (family_of_unit(i)) {
      case Family::select: {
        UnitReader reader(asset_, i, &next_transition);
        reason = reader.read();
        word = reader.word();
        break;
      }
      case Family::tick:
        reason = check_ticking_unit(i, &next_event_transition, &word);
        break;
      case Family::rule:
        reason = check_rule_unit(i, &next_use, &word);
        break;
      case Family::decide:
        reason = check_decider_unit(i, &next_decider, &word);
        break;
      case Family::store:
        reason = check_store_unit(i, &word);
        break;
    }
    if (reason != nullptr) return fail(nodes + word, reason);
    next_word += unit.word_count;
  }
  if (next_use != record_count<layout::Use>(asset_, layout::SectionId::uses)) {
    return fail(records<layout::Use>(asset_, layout::SectionId::uses) + next_use, "uses belong to no rule");
  }
  if (next_decider != record_count<layout::Decider>(asset_, layout::SectionId::deciders)) {
    return fail(records<layout::Decider>(asset_, layout::SectionId::deciders) + next_decider,
                "deciders belong to no node");
  }
  if (next_word != word_count) return fail(nodes + next_word, "nodes belong to no unit");
  if (next_transition != record_count<layout::Transition>(asset_, layout::SectionId::transitions)) {
    return fail(records<layout::Transition>(asset_, layout::SectionId::transitions) + next_transition,
                "transitions belong to no state");
  }
  const layout::SectionId event_transitions = layout::SectionId::event_transitions;
  if (next_event_transition != record_count<layout::EventTransition>(asset_, event_transitions)) {
    return fail(records<layout::EventTransition>(asset_, event_transitions) + next_event_transition,
                "transitions belong to no state");
  }
  return true;
}

}  // namespace espalier

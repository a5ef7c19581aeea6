// Verifying units of trees that select: every node's words against the opcode table, and the sums that units state
// about themselves.
#include "asset/verify.h"
#include "asset/verify_node.h"
#include "format/opcode.h"

namespace espalier {
namespace {

// Reads one unit, front to back. Of the nodes around the present one only their words are kept, since this lies on the
// stack: what depends on all children of a node is checked when it ends.
class UnitReader {
 public:
  UnitReader(const Asset& asset, std::uint32_t unit, std::uint32_t* next_transition)
      : asset_(asset),
        units_(records<layout::Unit>(asset, layout::SectionId::units)),
        unit_(unit),
        nodes_(array<std::uint32_t>(asset, layout::SectionId::nodes)),
        next_transition_(next_transition) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    const layout::Unit& unit = units_[unit_];
    const std::uint32_t end = unit.first_word + unit.word_count;
    for (word_ = unit.first_word; word_ < end;) {
      if (const char* reason = open_node(end)) return reason;
      while (depth_ > 0 && word_ == end_of(around_[depth_ - 1])) {
        if (const char* reason = close_node(around_[--depth_])) return reason;
      }
    }
    const bool sums_hold = depth_ == 0 && node_count_ == unit.node_count && leaf_count_ == unit.leaf_count &&
                           state_bytes_ == unit.state_bytes && max_regions_ == unit.region_count &&
                           variable_count_ == unit.variable_count;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return word_; }

 private:
  Opcode opcode_at(std::uint32_t word) const { return static_cast<Opcode>(nodes_[word] & 0xFF); }
  std::uint32_t end_of(std::uint32_t word) const { return word + nodes_[word + 1]; }
  const char* open_node(std::uint32_t unit_end) {
    const std::uint32_t end = depth_ > 0 ? end_of(around_[depth_ - 1]) : unit_end;
    const std::uint32_t* node = nodes_ + word_;
    if (const char* reason = check_node(node, end - word_, EngineId::select)) return reason;
    if (depth_ == 0 && node[1] != unit_end - word_) return "a unit has more than one root";
    if (const char* reason = depth_ == 0 ? check_root(node) : nullptr) return reason;
    const Opcode opcode = opcode_of(node);
    const OpcodeInfo& info = opcode_info(opcode);
    const bool has_state = info.agent_bytes > 0 || opcode == Opcode::select_share;
    if (node[0] >> 16 != (has_state ? state_bytes_ : 0)) return "a node's state lies elsewhere than it must";
    opened_leaf_ = leaf_count_;
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_own_operand(info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (opcode != Opcode::select_share) ++node_count_;
    if (node_count_ > layout::kMaxNodes) return "a unit has too many nodes";
    if (opcode == Opcode::select_leaf) ++leaf_count_;
    state_bytes_ += info.agent_bytes;
    if (info.children != Children::none) {
      if (depth_ == layout::kMaxDepth) return "nodes are nested too deeply";
      around_[depth_++] = word_;
      if (opcode == Opcode::select_machine && !enter_regions(1)) return "regions are nested too deeply";
      if (opcode == Opcode::select_machine) ++machine_depth_;
    }
    word_ += own_words(node);
    return nullptr;
  }

  const char* check_own_operand(OperandKind kind, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::condition:
        return check_condition_operand(asset_, operand, &variable_count_);
      case OperandKind::leaf:
        return operand == opened_leaf_ ? nullptr : "a leaf's number does not follow those before it";
      case OperandKind::transition:
        return operand == *next_transition_ ? nullptr : "transitions do not follow one another";
      case OperandKind::transition_count:
        return use_transitions(operand);
      case OperandKind::unit:
        return use_unit(operand);
      default:
        return nullptr;  // leaf_count: known when the machine is closed
    }
  }

  const char* use_transitions(std::uint32_t count) {
    const std::uint32_t total = record_count(asset_, layout::SectionId::transitions);
    if (count > total - *next_transition_) return "there are no such transitions";
    const layout::Transition* transition =
        array<layout::Transition>(asset_, layout::SectionId::transitions) + *next_transition_;
    for (std::uint32_t i = 0; i < count; ++i, ++transition) {
      if (const char* reason = check_condition_operand(asset_, transition->condition, &variable_count_)) return reason;
    }
    *next_transition_ += count;
    return nullptr;
  }

  const char* use_unit(std::uint32_t shared) {
    if (shared >= unit_) return "a unit may only use units before it";
    const layout::Unit& unit = units_[shared];
    const std::uint32_t root = nodes_[unit.first_word] & 0xFF;
    if (opcode_info(static_cast<Opcode>(root)).engine != EngineId::select) {
      return "a unit may only use units of its engine";
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

  // All below the node is right.
  const char* close_node(std::uint32_t word) {
    if (opcode_at(word) != Opcode::select_machine) return nullptr;
    --machine_depth_;
    const std::uint32_t first = word + own_words(nodes_ + word);
    std::uint32_t state_count = 0;
    for (std::uint32_t state = first; state != word_; state = end_of(state)) ++state_count;
    for (std::uint32_t state = first; state != word_; state = end_of(state)) {
      if (!leads_below(state, state_count)) return "a transition leads to no state";
    }
    const std::uint32_t* operands = nodes_ + word + kNodeHeaderWords;  // it begins with its leaf
    return operands[2] == leaf_count_ - operands[1] ? nullptr : "a machine's leaf count is wrong";
  }

  // Are the targets of a state's transitions below this number?
  bool leads_below(std::uint32_t state, std::uint32_t state_count) const {
    const std::uint32_t* operands = nodes_ + state + kNodeHeaderWords;
    const layout::Transition* transition =
        array<layout::Transition>(asset_, layout::SectionId::transitions) + operands[0];
    for (std::uint32_t i = 0; i < operands[1]; ++i) {
      if (transition[i].state >= state_count) return false;
    }
    return true;
  }

  const Asset& asset_;
  Records<layout::Unit> units_;
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
  std::uint32_t around_[layout::kMaxDepth];  // words of the nodes around the present one
};

}  // namespace

const char* Verifier::check_selecting_unit(std::uint32_t unit, std::uint32_t* word) {
  UnitReader reader(asset_, unit, &next_[static_cast<std::size_t>(layout::SectionId::transitions)]);
  const char* reason = reader.read();
  *word = reader.word();
  return reason;
}

bool Verifier::check_selecting_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const layout::Part* parts = parts_of(asset_, tree);
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const layout::Part& leaf = part_of<EngineId::select, PartKind::leaf>(parts);
  if (tree.leaf_count >= 1u << leaf.bits) return fail(&leaf, "a leaf's number does not fit");
  const layout::Part& states = part_of<EngineId::select, PartKind::states>(parts);
  if (states.count != unit.state_bytes) return fail(&states, "an agent has not the state of its nodes");
  return tree.shared_bytes == 0 || fail(&tree, "a tree that selects shares nothing");
}

}  // namespace espalier

// Verifying what trees that tick have: nodes with the state they lay over one another, agents' blocks, small records.
#include <cstring>

#include "asset/verify.h"
#include "asset/verify_node.h"
#include "core/random.h"
#include "tick/agent.h"

namespace espalier {
namespace {

// Reads one unit, front to back. Nodes know their parents, so that no list of those around the present one is kept:
// this lies on the stack. Where the state of a node's children begins follows on the way up from where theirs did.
class TickReader {
 public:
  TickReader(const Asset& asset, const layout::Unit& unit, std::uint32_t* next_event_transition)
      : asset_(asset),
        unit_(unit),
        tree_(array<layout::Tree>(asset, layout::SectionId::trees)[unit.tree]),
        ticking_(records<layout::Ticking>(asset, layout::SectionId::ticking)[tree_.record]),
        parts_(parts_of(asset, tree_)),
        nodes_(array<std::uint32_t>(asset, layout::SectionId::nodes)),
        next_event_transition_(next_event_transition) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    const std::uint32_t end = unit_.first_word + unit_.word_count;
    for (word_ = unit_.first_word; word_ < end;) {
      const std::uint32_t read = word_;
      if (const char* reason = open_node(end)) return reason;
      word_ += own_words(opcode_at(read));
      if (has_children(nodes_ + read)) continue;
      if (const char* reason = go_up(read)) return reason;
    }
    const bool sums_hold = node_count_ == unit_.node_count && unit_.leaf_count == 0 &&
                           state_end_ == unit_.state_bytes && max_parallels_ == unit_.region_count &&
                           variable_count_ == unit_.variable_count && limit_count_ == ticking_.limit_count;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return word_; }

 private:
  template <PartKind kind>
  const layout::Part& part() const {
    return part_of<EngineId::tick, kind>(parts_);
  }
  Opcode opcode_at(std::uint32_t word) const { return espalier::opcode_of(nodes_ + word); }
  std::uint32_t end_of(std::uint32_t word) const { return word + extent_of(nodes_ + word); }

  const char* open_node(std::uint32_t unit_end) {
    const std::uint32_t end = parent_ != kNoWord ? end_of(parent_) : unit_end;
    const std::uint32_t* node = nodes_ + word_;
    if (const char* reason = check_node(node, end - word_, EngineId::tick)) return reason;
    const Opcode opcode = opcode_of(node);
    const OpcodeInfo& info = opcode_info(opcode);
    if (++node_count_ > layout::kMaxNodes) return "a unit has too many nodes";
    if (const char* reason = check_place(node)) return reason;
    const std::uint32_t state_bytes = measure_state(word_);
    if (node[0] >> 16 != (state_bytes > 0 ? state_ : 0)) return "a node's state lies elsewhere than it must";
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(asset_, node, i)) return reason;
      if (const char* reason = check_own_operand(info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (const char* reason = check_generator(node)) return reason;
    if (depth_ == layout::kMaxTickDepth) return "nodes are nested too deeply";
    if (opcode == Opcode::tick_parallel) {
      if (parallel_depth_ == layout::kMaxRegions) return "regions are nested too deeply";
      ends_around_[parallel_depth_++] = to_16(state_end_);
      if (parallel_depth_ > max_parallels_) max_parallels_ = parallel_depth_;
      state_end_ = 0;
    }
    if (state_ + state_bytes > state_end_) state_end_ = state_ + state_bytes;
    if (info.children == Children::none) return nullptr;
    state_ += state_bytes;
    parent_ = word_;
    sibling_ = kNoWord;
    ++depth_;
    return nullptr;
  }

  // A node has been read with all below it, and those around it that end with it too.
  const char* go_up(std::uint32_t word) {
    for (;;) {
      if (has_children(nodes_ + word)) {
        if (const char* reason = close_node(word)) {
          word_ = word;
          return reason;
        }
      }
      if (words_to_parent(nodes_ + word) == 0) return nullptr;
      sibling_ = word;
      parent_ = word - words_to_parent(nodes_ + word);
      if (end_of(parent_) != word_) return nullptr;
      word = parent_;
      --depth_;
    }
  }

  // State of siblings begins at one place; but of branches where that of the one before ends.
  const char* close_node(std::uint32_t word) {
    const Opcode opcode = opcode_at(word);
    if (opcode == Opcode::tick_parallel) {
      state_ = nodes_[word] >> 16;
      const std::uint32_t end_around = ends_around_[--parallel_depth_];
      if (end_around > state_end_) state_end_ = end_around;
      return nullptr;
    }
    const std::uint32_t state_bytes = measure_state(word);
    state_ = opcode == Opcode::tick_branch ? state_end_ : state_ - state_bytes;
    if (opcode != Opcode::tick_machine) return nullptr;
    const std::uint32_t state_count = flags_of(nodes_ + sibling_) + 1;
    for (std::uint32_t state = word + own_words(opcode); state != word_; state = end_of(state)) {
      if (!leads_below(state, state_count)) return "a transition leads to no state";
    }
    return nullptr;
  }

  // Are the targets of a state's transitions below this number?
  bool leads_below(std::uint32_t state, std::uint32_t state_count) const {
    const layout::EventTransition* transition =
        array<layout::EventTransition>(asset_, layout::SectionId::event_transitions) +
        operand<OperandKind::event_transition, Opcode::tick_state>(nodes_ + state);
    for (std::uint32_t i = 0; i < operand<OperandKind::event_transition_count, Opcode::tick_state>(nodes_ + state);
         ++i) {
      if (transition[i].state >= state_count) return false;
    }
    return true;
  }

  // Ends that do not fit in 16 bits are refused with the agent's size.
  static std::uint16_t to_16(std::uint32_t state_end) {
    return static_cast<std::uint16_t>(state_end < 0xFFFF ? state_end : 0xFFFF);
  }

  // Does the node know its parent?
  const char* check_place(const std::uint32_t* node) const {
    if (parent_ != kNoWord)
      return words_to_parent(node) == word_ - parent_ ? nullptr : "a node does not know its parent";
    if (extent_of(node) != unit_.word_count) return "a unit has more than one root";
    if (words_to_parent(node) != 0) return "a node does not know its parent";
    return check_root(node);
  }

  // Bytes of the node's own state.
  std::uint32_t measure_state(std::uint32_t word) const {
    const std::uint32_t* node = nodes_ + word;
    const Opcode opcode = opcode_of(node);
    const std::uint32_t first = word + own_words(opcode);
    StateShape shape;
    shape.cursor_bytes = part<PartKind::cursor>().bits / 8u;
    if (opcode == Opcode::tick_loop) shape.count = operand<OperandKind::count, Opcode::tick_loop>(node);
    if (opcode == Opcode::tick_branch) shape.child = opcode_at(first);
    if (opcode == Opcode::tick_parallel) {
      for (std::uint32_t child = first; child < end_of(word); child = end_of(child)) ++shape.branch_count;
    }
    return node_agent_bytes(opcode, shape);
  }

  const char* check_own_operand(OperandKind kind, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::condition:
        return check_condition_operand(asset_, operand, &variable_count_);
      case OperandKind::signal:
        return operand < tree_.signal_count ? nullptr : "there is no such event";
      case OperandKind::timestamp:
        return operand == layout::kNone || operand < part<PartKind::timestamps>().count ? nullptr
                                                                                        : "there is no such timestamp";
      case OperandKind::limit:
        return operand == limit_count_++ ? nullptr : "a limit's place does not follow those before it";
      case OperandKind::scope:
        return operand < part<PartKind::held>().count ? nullptr : "an agent has no room for its scopes";
      case OperandKind::event_transition:
        return operand == *next_event_transition_ ? nullptr : "transitions do not follow one another";
      case OperandKind::event_transition_count:
        return use_transitions(operand);
      default:
        return nullptr;
    }
  }

  const char* use_transitions(std::uint32_t count) {
    const std::uint32_t total = record_count(asset_, layout::SectionId::event_transitions);
    if (count > total - *next_event_transition_) return "there are no such transitions";
    const layout::EventTransition* transition =
        array<layout::EventTransition>(asset_, layout::SectionId::event_transitions) + *next_event_transition_;
    for (std::uint32_t i = 0; i < count; ++i, ++transition) {
      if (transition->signal >= tree_.signal_count) return "there is no such event";
    }
    *next_event_transition_ += count;
    return nullptr;
  }

  // Whoever draws needs a generator.
  const char* check_generator(const std::uint32_t* node) const {
    if (part<PartKind::generator>().count > 0) return nullptr;
    const std::uint64_t* numbers = array<std::uint64_t>(asset_, layout::SectionId::numbers);
    const Opcode opcode = opcode_of(node);
    const bool draws =
        (opcode == Opcode::tick_chance_gate &&
         draws_chance(numbers[operand<OperandKind::number, Opcode::tick_chance_gate>(node)])) ||
        (opcode == Opcode::tick_wait && numbers[operand<OperandKind::number, Opcode::tick_wait>(node, 1)] != 0);
    return draws ? "an agent has no generator, and a node draws" : nullptr;
  }

  const Asset& asset_;
  const layout::Unit& unit_;
  const layout::Tree& tree_;
  const layout::Ticking& ticking_;
  const layout::Part* parts_;
  const std::uint32_t* nodes_;
  std::uint32_t* next_event_transition_;
  std::uint32_t word_ = 0;
  std::uint32_t parent_ = kNoWord;   // of the node that is read
  std::uint32_t sibling_ = kNoWord;  // the one before it below that parent
  std::uint32_t depth_ = 0;          // nodes around it
  std::uint32_t parallel_depth_ = 0;
  std::uint32_t max_parallels_ = 0;
  std::uint32_t node_count_ = 0;
  std::uint32_t state_ = 0;      // where its state begins
  std::uint32_t state_end_ = 0;  // behind all state so far of the parallel around it, or of the unit
  std::uint32_t variable_count_ = 0;
  std::uint32_t limit_count_ = 0;
  std::uint16_t ends_around_[layout::kMaxRegions];  // state_end_ of those around the parallels around it
};

}  // namespace

const char* Verifier::check_ticking_unit(std::uint32_t unit, std::uint32_t* word) {
  const layout::Unit& record = records<layout::Unit>(asset_, layout::SectionId::units)[unit];
  TickReader reader(asset_, record, &next_[static_cast<std::size_t>(layout::SectionId::event_transitions)]);
  const char* reason = reader.read();
  *word = reader.word();
  return reason;
}

bool Verifier::check_ticking_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record];
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const layout::Part* parts = parts_of(asset_, tree);
  const layout::Part& cursor = part_of<EngineId::tick, PartKind::cursor>(parts);
  if (cursor.bits == 16 && unit.word_count >= 0xFFFF) return fail(&cursor, "a cursor cannot tell every node");
  const layout::Part& generator = part_of<EngineId::tick, PartKind::generator>(parts);
  if (generator.count > 1) return fail(&generator, "an agent has more than one generator");
  const layout::Part& states = part_of<EngineId::tick, PartKind::states>(parts);
  if (states.count != unit.state_bytes) return fail(&states, "an agent has not the state of its nodes");
  const std::uint64_t shared_bytes = (std::uint64_t{ticking.limit_count} * 2 + 7) / 8 * 8;
  if (ticking.flags > layout::kStaysStopped || tree.leaf_count != 0 || tree.shared_bytes != shared_bytes ||
      ticking.limit_count > layout::kMaxLimits) {
    return fail(&ticking, "a tree that ticks says what it is not");
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

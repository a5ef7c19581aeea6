// Verifying what trees that tick have: nodes with the state they lay over one another, agents' blocks, small records.
#include <cstring>

#include "random.h"
#include "tick_agent.h"
#include "verify.h"

namespace espalier {
namespace {

// A node whose children are being read.
struct Frame {
  std::uint32_t word;
  std::uint32_t end;
  std::uint32_t child_state;  // where the state of the next child begins
  std::uint32_t state_end;    // behind all state of the node and what is below it
  std::uint16_t child_count;
  std::uint16_t max_target;  // the largest state that transitions below name, plus 1
};

// The opcode that stands below nodes of this kind and nowhere else; `count`: any other.
constexpr Opcode only_child(Children children) {
  switch (children) {
    case Children::event_states:
      return Opcode::tick_state;
    case Children::cases:
      return Opcode::tick_case;
    case Children::branches:
      return Opcode::tick_branch;
    default:
      return Opcode::count;
  }
}

constexpr bool has_own_parent(Opcode opcode) {
  return opcode == Opcode::tick_state || opcode == Opcode::tick_case || opcode == Opcode::tick_branch;
}

// Reads one unit, front to back.
class TickReader {
 public:
  TickReader(const Asset& asset, const layout::Unit& unit, std::uint32_t* next_event_transition)
      : asset_(asset),
        unit_(unit),
        ticking_(records<layout::Ticking>(asset, layout::SectionId::ticking)[unit.record - 1]),
        tree_(records<layout::Tree>(asset, layout::SectionId::trees)[ticking_.tree]),
        nodes_(records<std::uint32_t>(asset, layout::SectionId::nodes)),
        next_event_transition_(next_event_transition) {}

  // Null when all is well; else why not, with the word at fault in word().
  const char* read() {
    const std::uint32_t end = unit_.first_word + unit_.word_count;
    for (word_ = unit_.first_word; word_ < end;) {
      if (const char* reason = open_node(end)) return reason;
      while (depth_ > 0 && word_ == frames_[depth_ - 1].end) {
        if (const char* reason = close_node()) return reason;
      }
    }
    const bool sums_hold = depth_ == 0 && node_count_ == unit_.node_count && unit_.leaf_count == 0 &&
                           state_end_ == unit_.state_bytes && max_parallels_ == unit_.region_count &&
                           variable_count_ == unit_.variable_count && limit_count_ == ticking_.limit_count;
    return sums_hold ? nullptr : "a unit's sums do not agree with its nodes";
  }

  std::uint32_t word() const { return word_; }

 private:
  const char* open_node(std::uint32_t unit_end) {
    const std::uint32_t end = depth_ > 0 ? frames_[depth_ - 1].end : unit_end;
    if (end - word_ < kNodeHeaderWords) return "a node is cut off";
    const std::uint32_t* node = nodes_ + word_;
    if ((node[0] & 0xFF) >= static_cast<std::uint32_t>(Opcode::count)) return "there is no such opcode";
    const Opcode opcode = TickAgent::opcode(node);
    const OpcodeInfo& info = opcode_info(opcode);
    if (info.family != Family::tick) return "a node is of another family than its unit";
    const std::uint32_t own = own_words(opcode);
    if (node[1] < own || node[1] > end - word_) return "a node's extent is not that of its children";
    if (depth_ == 0 && node[1] != unit_end - word_) return "a unit has more than one root";
    if ((info.children == Children::none) != (node[1] == own)) return "a node has not the children it must have";
    if (++node_count_ > layout::kMaxNodes) return "a unit has too many nodes";
    if (const char* reason = check_place(node)) return reason;
    if (const char* reason = check_flags(node)) return reason;
    std::uint32_t state_bytes = 0;
    if (const char* reason = measure_state(node, &state_bytes)) return reason;
    const std::uint32_t state = depth_ > 0 ? frames_[depth_ - 1].child_state : 0;
    if (node[0] >> 16 != (state_bytes > 0 ? state : 0)) return "a node's state lies elsewhere than it must";
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (const char* reason = check_operand(info.operands[i], node[kNodeHeaderWords + i])) return reason;
    }
    if (const char* reason = check_generator(node)) return reason;
    if (depth_ == layout::kMaxTickDepth) return "nodes are nested too deeply";
    if (opcode == Opcode::tick_parallel && ++parallel_depth_ > max_parallels_) max_parallels_ = parallel_depth_;
    if (max_parallels_ > layout::kMaxRegions) return "regions are nested too deeply";
    frames_[depth_++] = {word_, word_ + node[1], state + state_bytes, state + state_bytes, 0, 0};
    word_ += own;
    return nullptr;
  }

  // Does the node stand where it may, and know its parent?
  const char* check_place(const std::uint32_t* node) {
    const Opcode opcode = TickAgent::opcode(node);
    if (depth_ == 0) return node[kParent] == 0 && !has_own_parent(opcode) ? nullptr : "a unit's root cannot be one";
    Frame& frame = frames_[depth_ - 1];
    if (node[kParent] != word_ - frame.word) return "a node does not know its parent";
    const Children children = opcode_info(TickAgent::opcode(nodes_ + frame.word)).children;
    const Opcode only = only_child(children);
    if (only == Opcode::count ? has_own_parent(opcode) : opcode != only) {
      return "a node stands below one that cannot have it";
    }
    if (children == Children::one && frame.child_count == 1) return "a node has not exactly one child";
    const std::uint32_t maximum = children == Children::branches ? layout::kMaxBranches : layout::kMaxEventStates;
    if (only != Opcode::count && frame.child_count == maximum) return "a node has too many children";
    if (opcode_info(opcode).flags == FlagsKind::number && TickAgent::flags(node) != frame.child_count) {
      return "a node's number is not its place";
    }
    if (frame.child_count < 0xFFFF) ++frame.child_count;
    return nullptr;
  }

  const char* check_flags(const std::uint32_t* node) {
    const FlagsKind kind = opcode_info(TickAgent::opcode(node)).flags;
    const std::uint32_t flags = TickAgent::flags(node);
    if ((flags & ~flags_mask(kind)) != 0) return "a node's flags are wrong";
    const bool has_result = kind == FlagsKind::result || kind == FlagsKind::time || kind == FlagsKind::queue;
    if (has_result && TickAgent::result_flag(node) > Result::success) return "there is no such result";
    if (kind == FlagsKind::queue && flags >> kReceiversShift > static_cast<std::uint32_t>(Receivers::others)) {
      return "there are no such receivers";
    }
    return nullptr;
  }

  // Bytes of the node's own state. Its children are looked at before they are checked.
  const char* measure_state(const std::uint32_t* node, std::uint32_t* bytes) {
    const Opcode opcode = TickAgent::opcode(node);
    const std::uint32_t end = word_ + node[1];
    const std::uint32_t first = word_ + own_words(opcode);
    StateShape shape;
    shape.cursor_bytes = ticking_.cursor_bytes;
    if (opcode == Opcode::tick_loop) shape.count = node[kOperandB];
    if (opcode == Opcode::tick_branch) {
      if ((nodes_[first] & 0xFF) >= static_cast<std::uint32_t>(Opcode::count)) return "there is no such opcode";
      shape.child = TickAgent::opcode(nodes_ + first);
    }
    if (opcode == Opcode::tick_parallel) {
      for (std::uint32_t child = first; child < end; ++shape.branch_count) {
        const bool is_whole = end - child >= kNodeHeaderWords && nodes_[child + 1] >= kNodeHeaderWords &&
                              nodes_[child + 1] <= end - child;
        if (!is_whole || shape.branch_count == layout::kMaxBranches) return "a parallel's branches cannot be counted";
        child += nodes_[child + 1];
      }
    }
    *bytes = node_agent_bytes(opcode, shape);
    return nullptr;
  }

  const char* check_operand(OperandKind kind, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::parent:
      case OperandKind::parameter:  // with its count
        return nullptr;
      case OperandKind::condition:
        return use_condition(operand);
      case OperandKind::number:
        return has<std::uint64_t>(layout::SectionId::numbers, operand) ? nullptr : "there is no such number";
      case OperandKind::count:
        return operand <= 0xFF ? nullptr : "a count is too large";
      case OperandKind::maximum:
        return operand <= 0xFFFF ? nullptr : "a maximum is too large";
      case OperandKind::signal:
        return operand < tree_.signal_count ? nullptr : "there is no such event";
      case OperandKind::timestamp:
        return operand == layout::kNone || operand < ticking_.timestamp_count ? nullptr : "there is no such timestamp";
      case OperandKind::limit:
        return operand == limit_count_++ ? nullptr : "a limit's place does not follow those before it";
      case OperandKind::scope:
        if (ticking_.held_offset == layout::kNone) return "an agent has no room for its scopes";
        return has<layout::Scope>(layout::SectionId::scopes, operand) ? nullptr : "there is no such scope";
      case OperandKind::script:
        return operand == 0 || has<layout::Script>(layout::SectionId::scripts, operand - 1) ? nullptr
                                                                                            : "there is no such script";
      case OperandKind::text:
        return has<char>(layout::SectionId::names, operand) ? nullptr : "there is no such name";
      case OperandKind::behavior:
        return operand < behavior_count(asset_) ? nullptr : "there is no such behaviour";
      case OperandKind::parameter_count:
        return use_parameters(operand);
      case OperandKind::event_transition:
        return operand == *next_event_transition_ ? nullptr : "transitions do not follow one another";
      case OperandKind::event_transition_count:
        return use_transitions(operand);
      default:
        return "an operand is of another family";
    }
  }

  template <typename Record>
  bool has(layout::SectionId id, std::uint32_t index) const {
    return index < record_count<Record>(asset_, id);
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

  const char* use_parameters(std::uint32_t count) {
    const std::uint32_t total = record_count<layout::Parameter>(asset_, layout::SectionId::parameters);
    const std::uint32_t first = nodes_[word_ + kOperandC];
    return first <= total && count <= total - first ? nullptr : "there are no such parameters";
  }

  const char* use_transitions(std::uint32_t count) {
    const std::uint32_t total = record_count<layout::EventTransition>(asset_, layout::SectionId::event_transitions);
    if (count > total - *next_event_transition_) return "there are no such transitions";
    Frame& machine = frames_[depth_ - 1];  // check_place saw that a state stands in a machine
    const layout::EventTransition* transition =
        records<layout::EventTransition>(asset_, layout::SectionId::event_transitions) + *next_event_transition_;
    for (std::uint32_t i = 0; i < count; ++i, ++transition) {
      if (transition->signal >= tree_.signal_count) return "there is no such event";
      if (transition->state >= layout::kMaxEventStates) return "a transition leads to no state";
      if (transition->state >= machine.max_target) {
        machine.max_target = static_cast<std::uint16_t>(transition->state + 1);
      }
    }
    *next_event_transition_ += count;
    return nullptr;
  }

  // Whoever draws needs a generator.
  const char* check_generator(const std::uint32_t* node) const {
    if (ticking_.generator_offset != layout::kNone) return nullptr;
    const std::uint64_t* numbers = records<std::uint64_t>(asset_, layout::SectionId::numbers);
    const Opcode opcode = TickAgent::opcode(node);
    const bool draws = (opcode == Opcode::tick_chance_gate && draws_chance(numbers[node[kOperandB]])) ||
                       (opcode == Opcode::tick_wait && numbers[node[kOperandC]] != 0);
    return draws ? "an agent has no generator, and a node draws" : nullptr;
  }

  const char* close_node() {
    const Frame& frame = frames_[--depth_];
    const Opcode opcode = TickAgent::opcode(nodes_ + frame.word);
    if (opcode == Opcode::tick_parallel) --parallel_depth_;
    if (frame.max_target > frame.child_count) return "a transition leads to no state";
    if (depth_ == 0) {
      state_end_ = frame.state_end;
      return nullptr;
    }
    Frame& around = frames_[depth_ - 1];
    if (frame.state_end > around.state_end) around.state_end = frame.state_end;
    if (opcode == Opcode::tick_branch) around.child_state = frame.state_end;
    return nullptr;
  }

  const Asset& asset_;
  const layout::Unit& unit_;
  const layout::Ticking& ticking_;
  const layout::Tree& tree_;
  const std::uint32_t* nodes_;
  std::uint32_t* next_event_transition_;
  std::uint32_t word_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t parallel_depth_ = 0;
  std::uint32_t max_parallels_ = 0;
  std::uint32_t node_count_ = 0;
  std::uint32_t state_end_ = 0;
  std::uint32_t variable_count_ = 0;
  std::uint32_t limit_count_ = 0;
  Frame frames_[layout::kMaxTickDepth];
};

bool is_filled(const unsigned char* bytes, std::uint64_t count, unsigned char value) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes[i] != value) return false;
  }
  return true;
}

}  // namespace

const char* Verifier::check_ticking_unit(std::uint32_t unit, std::uint32_t* next_event_transition,
                                         std::uint32_t* word) {
  const layout::Unit& record = records<layout::Unit>(asset_, layout::SectionId::units)[unit];
  if (record.record == 0 || record.record > record_count<layout::Ticking>(asset_, layout::SectionId::ticking)) {
    return "a unit belongs to no tree";
  }
  TickReader reader(asset_, record, next_event_transition);
  const char* reason = reader.read();
  *word = reader.word();
  return reason;
}

// The records that nodes and trees lead to. Each TICKING belongs to the tree that it names, in order.
bool Verifier::check_ticking_records() {
  const layout::Tree* trees = records<layout::Tree>(asset_, layout::SectionId::trees);
  const layout::Ticking* ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
    if (family_of_tree(trees[i]) != Family::tick) continue;
    if (trees[i].record != next + 1 || !has_records<layout::Ticking>(layout::SectionId::ticking, next, 1) ||
        ticking[next].tree != i) {
      return fail(&trees[i], "trees that tick do not follow one another");
    }
    ++next;
  }
  if (next != record_count<layout::Ticking>(asset_, layout::SectionId::ticking)) {
    return fail(ticking + next, "records belong to no tree");
  }
  const layout::Parameter* parameters = records<layout::Parameter>(asset_, layout::SectionId::parameters);
  for (std::uint32_t i = 0; i < record_count<layout::Parameter>(asset_, layout::SectionId::parameters); ++i) {
    if (!is_parameter(parameters[i])) return fail(&parameters[i], "a parameter is wrong");
  }
  const layout::Script* scripts = records<layout::Script>(asset_, layout::SectionId::scripts);
  for (std::uint32_t i = 0; i < script_count(asset_); ++i) {
    if (!is_name(scripts[i].text)) return fail(&scripts[i], "there is no such name");
  }
  const layout::Scope* scopes = records<layout::Scope>(asset_, layout::SectionId::scopes);
  for (std::uint32_t i = 0; i < record_count<layout::Scope>(asset_, layout::SectionId::scopes); ++i) {
    if (!is_name(scopes[i].name)) return fail(&scopes[i], "there is no such name");
  }
  return true;
}

bool Verifier::is_parameter(const layout::Parameter& parameter) const {
  if (!is_name(parameter.name) || parameter.type > static_cast<std::uint32_t>(ParameterType::script)) return false;
  switch (static_cast<ParameterType>(parameter.type)) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return is_name(parameter.value) && parameter.extra == 0;
    case ParameterType::whole:
      return true;
    case ParameterType::boolean:
      return parameter.value <= 1 && parameter.extra == 0;
    case ParameterType::choice:
      return is_name(parameter.extra);
    case ParameterType::number:
      return has_records<std::uint64_t>(layout::SectionId::numbers, parameter.value, 1) && parameter.extra == 0;
    case ParameterType::vector:
      return has_records<std::uint64_t>(layout::SectionId::numbers, parameter.value, 3) && parameter.extra == 0;
  }
  return false;
}

// The parts of an agent's block lie in it one behind the other, and its image is an agent that is idle.
bool Verifier::check_ticking_agent(std::uint32_t index) {
  const layout::Tree& tree = records<layout::Tree>(asset_, layout::SectionId::trees)[index];
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record - 1];
  const layout::Unit& unit = records<layout::Unit>(asset_, layout::SectionId::units)[tree.unit];
  const bool is_narrow = ticking.cursor_bytes == 2 && unit.word_count < 0xFFFF;
  if (!is_narrow && ticking.cursor_bytes != 4) return fail(&ticking, "a cursor cannot tell every node");
  const std::uint32_t scope_count = record_count<layout::Scope>(asset_, layout::SectionId::scopes);
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
      {tree.state_offset, tree.state_bytes},
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
  const unsigned char* image = records<unsigned char>(asset_, layout::SectionId::images) + tree.image;
  const std::uint32_t held_bytes = ticking.held_offset == layout::kNone ? 0 : (scope_count + 7) / 8;
  if (image[ticking.status_offset] != 0 || !is_filled(image + ticking.cursor_offset, ticking.cursor_bytes, 0xFF) ||
      (held_bytes > 0 && !is_filled(image + ticking.held_offset, held_bytes, 0))) {
    return fail(image, "an agent begins with something that runs");
  }
  return true;
}

bool Verifier::check_timestamps(const layout::Tree& tree, std::uint32_t* next_timestamp) {
  if (family_of_tree(tree) != Family::tick) return true;
  const layout::Ticking& ticking = records<layout::Ticking>(asset_, layout::SectionId::ticking)[tree.record - 1];
  if (ticking.first_timestamp != *next_timestamp ||
      !has_records<layout::Timestamp>(layout::SectionId::timestamps, *next_timestamp, ticking.timestamp_count)) {
    return fail(&ticking, "timestamps do not follow one another");
  }
  const layout::Timestamp* timestamp =
      records<layout::Timestamp>(asset_, layout::SectionId::timestamps) + *next_timestamp;
  for (std::uint32_t i = 0; i < ticking.timestamp_count; ++i, ++timestamp) {
    const bool is_right =
        is_name(timestamp->name) && timestamp->signal < tree.signal_count &&
        (timestamp->exclusive_to == layout::kNone || timestamp->exclusive_to < ticking.timestamp_count);
    if (!is_right) return fail(timestamp, "a timestamp is wrong");
  }
  *next_timestamp += ticking.timestamp_count;
  return true;
}

}  // namespace espalier

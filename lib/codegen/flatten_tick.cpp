// Trees that tick to units. See flatten_tick.h.
#include "codegen/flatten_tick.h"

#include <algorithm>
#include <bit>

#include "runtime/tick/layout.h"
#include "text/names.h"

namespace espalier::codegen {
namespace {

constexpr std::uint64_t kAlwaysOpen = std::uint64_t{1} << 53;  // the number of a tick_chance_gate
constexpr std::uint32_t kNoShortCursor = 0xFFFF;

std::uint32_t child_count(const ir::Node& node) { return static_cast<std::uint32_t>(node.children.size()); }

bool draws(const ir::Node& node) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number > 0 && chance->number < kAlwaysOpen;
  return node.opcode == Opcode::tick_wait && node.as<ir::Duration>().random_us > 0;
}

// `which`: the first operand of the kind `number`, or the second.
std::uint64_t number_of(const ir::Node& node, std::uint32_t which) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number;
  if (const auto* test = node.as_if<ir::TimeTest>()) return test->threshold_us;
  const ir::Duration& wait = node.as<ir::Duration>();
  return which == 0 ? wait.time_us : wait.random_us;
}

}  // namespace

// ---- Pools --------------------------------------------------------------------------------------

std::uint32_t TickFlattener::add_number(std::uint64_t number) {
  const auto [place, is_new] = numbers_.emplace(number, static_cast<std::uint32_t>(sections_.numbers.size()));
  if (is_new) sections_.numbers.push_back(number);
  return place->second;
}

std::uint32_t TickFlattener::add_vector(const double* numbers) {
  const auto [place, is_new] =
      vectors_.emplace(std::string(reinterpret_cast<const char*>(numbers), 3 * sizeof *numbers),
                       static_cast<std::uint32_t>(sections_.numbers.size()));
  if (is_new) {
    for (int i = 0; i < 3; ++i) sections_.numbers.push_back(std::bit_cast<std::uint64_t>(numbers[i]));
  }
  return place->second;
}

std::uint32_t TickFlattener::add_script(const std::string& source) {
  if (source.empty()) return 0;
  const auto [place, is_new] = scripts_.emplace(source, static_cast<std::uint32_t>(sections_.scripts.size()));
  if (is_new) sections_.scripts.push_back({sections_.names.add(source)});
  return 1 + place->second;
}

std::uint32_t TickFlattener::add_scope(const std::string& name) {
  const auto [place, is_new] =
      scopes_.emplace(text::lower_case(name), static_cast<std::uint32_t>(sections_.scopes.size()));
  if (is_new) sections_.scopes.push_back({sections_.names.add(name)});
  return place->second;
}

void TickFlattener::add_parameter(const ir::Parameter& parameter) {
  layout::Parameter record = {sections_.names.add(parameter.name), static_cast<std::uint32_t>(parameter.type), 0, 0};
  switch (parameter.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      record.value = sections_.names.add(parameter.text);
      break;
    case ParameterType::whole:
      record.value = static_cast<std::uint32_t>(parameter.whole);
      record.extra = static_cast<std::uint32_t>(static_cast<std::uint64_t>(parameter.whole) >> 32);
      break;
    case ParameterType::boolean:
      record.value = parameter.whole != 0 ? 1 : 0;
      break;
    case ParameterType::choice:
      record.value = static_cast<std::uint32_t>(parameter.whole);
      record.extra = sections_.names.add(parameter.text);
      break;
    case ParameterType::number:
      record.value = add_number(std::bit_cast<std::uint64_t>(parameter.numbers[0]));
      break;
    case ParameterType::vector:
      record.value = add_vector(parameter.numbers);
      break;
  }
  sections_.parameters.push_back(record);
}

// ---- Units --------------------------------------------------------------------------------------

// Writes the nodes of one tree, and then goes over them again to lay out their state: how much that is follows from
// the number of words.
class TickFlattener::UnitWriter {
 public:
  UnitWriter(TickFlattener& flattener, const ir::Tree& tree)
      : flattener_(flattener), sections_(flattener.sections_), conditions_(flattener.conditions_.add_all(tree)) {}

  TickingUnit write(const ir::Node& root, std::uint32_t tree) {
    unit_ = sections_.begin_unit(tree);
    write_node(root, 0, unit_.first_word);
    unit_.word_count = next_word() - unit_.first_word;
    if (unit_.word_count >= kNoShortCursor) needs_.cursor_bytes = 4;
    lay_out_state();
    needs_.unit = static_cast<std::uint32_t>(sections_.units.size());
    sections_.units.push_back(unit_);
    return needs_;
  }

 private:
  std::uint32_t next_word() const { return static_cast<std::uint32_t>(sections_.nodes.size()); }

  void write_node(const ir::Node& node, std::uint32_t number, std::uint32_t parent) {
    const OpcodeInfo& info = opcode_info(node.opcode);
    const std::uint32_t word = next_word();
    const std::uint32_t flags = info.flags == FlagsKind::number ? number : node.flags;
    sections_.origins.push_back({word, &node.name, node.span});
    sections_.nodes.push_back(static_cast<std::uint32_t>(node.opcode) | flags << 8);
    sections_.nodes.push_back(0);  // the extent, when it is known
    write_operands(node, word - parent);
    ++unit_.node_count;
    needs_.draws = needs_.draws || draws(node);
    for (std::uint32_t i = 0; i < child_count(node); ++i) write_node(node.children[i], i, word);
    sections_.nodes[word + 1] = next_word() - word;
  }

  void write_operands(const ir::Node& node, std::uint32_t parent) {
    const OpcodeInfo& info = opcode_info(node.opcode);
    std::uint32_t seen[kMaxOperands] = {};  // of the same kind before
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) seen[i] += info.operands[j] == info.operands[i] ? 1 : 0;
      const OperandKind kind = info.operands[i];
      sections_.nodes.push_back(kind == OperandKind::parent ? parent : operand(kind, seen[i], node));
    }
    if (const auto* behavior = node.as_if<ir::Behavior>()) {
      for (const ir::Parameter& parameter : behavior->parameters) flattener_.add_parameter(parameter);
    } else if (const auto* state = node.as_if<ir::EventTransitions>()) {
      for (const ir::EventTransition& transition : state->transitions) {
        sections_.event_transitions.push_back({transition.signal, transition.target});
      }
    }
  }

  // `which`: the first operand of its kind, or the second, ...
  std::uint32_t operand(OperandKind kind, std::uint32_t which, const ir::Node& node) {
    switch (kind) {
      case OperandKind::condition:
        return read_condition(node.as<ir::Guard>());
      case OperandKind::number:
        return flattener_.add_number(number_of(node, which));
      case OperandKind::count:
      case OperandKind::maximum:
        return node.as<ir::Limit>().maximum;
      case OperandKind::signal:
        return node.as<ir::Event>().signal;
      case OperandKind::timestamp:
        return node.as<ir::TimeTest>().timestamp.value_or(layout::kNone);
      case OperandKind::limit:
        return needs_.limit_count++;
      case OperandKind::scope:
        needs_.uses_scopes = true;
        return flattener_.add_scope(node.as<ir::Limit>().scope);
      case OperandKind::script:
        return flattener_.add_script(node.as<ir::Scripts>().sources[which]);
      case OperandKind::text:
        return sections_.names.add(node.opcode == Opcode::tick_state ? node.label : node.as<ir::Texts>().texts[which]);
      case OperandKind::behavior:
        return flattener_.behaviors_.at(node.as<ir::Behavior>().name);
      case OperandKind::parameter:
        return static_cast<std::uint32_t>(sections_.parameters.size());
      case OperandKind::parameter_count:
        return static_cast<std::uint32_t>(node.as<ir::Behavior>().parameters.size());
      case OperandKind::event_transition:
        return static_cast<std::uint32_t>(sections_.event_transitions.size());
      case OperandKind::event_transition_count:
        return static_cast<std::uint32_t>(node.as<ir::EventTransitions>().transitions.size());
      default:  // `parent` is written above, all else is of other engines
        return 0;
    }
  }

  std::uint32_t read_condition(const ir::Guard& guard) {
    const std::uint32_t condition = guard.condition ? conditions_[*guard.condition] : 0;
    if (condition == 0) return 0;
    unit_.variable_count = std::max(unit_.variable_count, sections_.conditions[condition - 1].variable_count);
    return condition;
  }

  // A node whose children are not all laid out.
  struct Frame {
    std::uint32_t end_word;
    std::uint32_t next_state;  // where the next child's state begins
    std::uint32_t end_state;   // of the furthest one so far
    bool is_parallel;
  };

  void lay_out_state() {
    std::vector<Frame> frames = {{next_word(), 0, 0, false}};
    std::uint32_t word = unit_.first_word;
    while (word < next_word()) {
      const Opcode opcode = opcode_at(word);
      const bool is_parallel = opcode_info(opcode).children == Children::branches;
      const std::uint32_t begin = frames.back().next_state;
      const std::uint32_t own_bytes = state_bytes(word);
      if (own_bytes > 0) sections_.nodes[word] |= begin << 16;
      frames.push_back({word + sections_.nodes[word + 1], begin + own_bytes, begin + own_bytes, is_parallel});
      word += kNodeHeaderWords + opcode_info(opcode).operand_count;
      for (; frames.size() > 1 && frames.back().end_word == word; frames.pop_back()) {
        const std::uint32_t end_state = frames.back().end_state;
        Frame& parent = frames[frames.size() - 2];
        parent.end_state = std::max(parent.end_state, end_state);
        if (parent.is_parallel) parent.next_state = end_state;
      }
    }
    unit_.state_bytes = frames.back().end_state;
  }

  Opcode opcode_at(std::uint32_t word) const { return static_cast<Opcode>(sections_.nodes[word] & 0xFF); }

  std::uint32_t state_bytes(std::uint32_t word) const {
    const OpcodeInfo& info = opcode_info(opcode_at(word));
    const std::uint32_t first_child = word + kNodeHeaderWords + info.operand_count;
    const std::uint32_t end = word + sections_.nodes[word + 1];
    StateShape shape;
    shape.cursor_bytes = needs_.cursor_bytes;
    if (first_child < end) shape.child = opcode_at(first_child);
    for (std::uint32_t child = first_child; child < end; child += sections_.nodes[child + 1]) ++shape.branch_count;
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      if (info.operands[i] == OperandKind::count) shape.count = sections_.nodes[word + kNodeHeaderWords + i];
    }
    return node_agent_bytes(opcode_at(word), shape);
  }

  TickFlattener& flattener_;
  Sections& sections_;
  std::vector<std::uint32_t> conditions_;  // operands
  layout::Unit unit_ = {};
  TickingUnit needs_;
};

TickingUnit TickFlattener::add(const ir::Tree& source, std::uint32_t tree) {
  return UnitWriter(*this, source).write(source.root, tree);
}

}  // namespace espalier::codegen

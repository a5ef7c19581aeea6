// Writes nodes as words. See node_writer.h.
#include "codegen/node_writer.h"

#include <algorithm>

#include "runtime/format/node.h"
#include "runtime/format/short_condition.h"

namespace espalier::codegen {
namespace {

bool has_hooks(const ir::Node& node) {
  const auto& hooks = node.as<ir::PolledNode>().hooks;
  return std::any_of(std::begin(hooks), std::end(hooks), [](const auto& hook) { return hook.has_value(); });
}

std::uint32_t flags_byte_of(const ir::Node& node, const OpcodeInfo& info, std::uint32_t number) {
  if (info.flags == FlagsKind::number) return number;
  if (info.flags == FlagsKind::group) {
    const ir::Decider& decider = ir::decider_of(node);
    const bool decides_again = decider.decides_again && !decider.decide.empty();
    return (decider.delegates ? kDelegates : 0) | (decides_again ? kDecidesAgain : 0);
  }
  const std::uint32_t flags = node.flags & flags_mask(info.flags);
  return info.engine == EngineId::poll && has_hooks(node) ? flags | kHasHooks : flags;
}

// `which`: the first operand of the kind `number`, or the second.
std::uint64_t number_of(const ir::Node& node, std::uint32_t which) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number;
  if (const auto* test = node.as_if<ir::TimeTest>()) return test->threshold_us;
  const ir::Duration& duration = node.as<ir::Duration>();
  return which == 0 ? duration.time_us : duration.random_us;
}

std::uint32_t weight_of(const ir::Node& node) {
  const auto* share = node.as_if<ir::DeciderShare>();
  return share != nullptr ? share->weight : node.as<ir::PlacedDecider>().weight;
}

// Debug data has the label of a node that stores, if it has one.
const std::string* debug_name(const ir::Node& node, EngineId engine_id) {
  return engine_id == EngineId::store && !node.label.empty() ? &node.label : &node.name;
}

}  // namespace

NodeWriter::NodeWriter(Pools& pools, std::uint32_t tree) : pools_(pools), sections_(pools.sections) {
  unit_.first_word = next_word();
  unit_.tree = tree;
  unit_.first_reference = count32(sections_.references.size());
  unit_.first_node_word = count32(sections_.node_words.size());
  open_.reserve(16);
}

std::uint32_t NodeWriter::open(const ir::Node& node, Opcode opcode, const EngineOperand& engine_operand) {
  const OpcodeInfo& info = opcode_info(opcode);
  const std::uint32_t word = open_head(node, opcode);
  std::uint32_t which = 0;
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    const OperandKind kind = info.operands[i];
    which = i > 0 && info.operands[i - 1] == kind ? which + 1 : 0;
    const std::optional<std::uint32_t> known = operand(node, kind, which);
    sections_.nodes[word + kNodeHeaderWords + i] = known ? *known : engine_operand(kind);
  }
  return word;
}

std::uint32_t NodeWriter::open_head(const ir::Node& node, Opcode opcode) {
  const OpcodeInfo& info = opcode_info(opcode);
  const std::uint32_t word = next_word();
  const std::uint32_t number = open_.empty() ? 0 : open_.back().child_count++;
  sections_.origins.push_back({word, debug_name(node, info.engine), node.span});
  const std::uint32_t node_number = numbers_nodes(info.engine) ? unit_.node_count : 0;
  if (has_node_words(info.engine)) sections_.node_words.push_back(word - unit_.first_word);
  sections_.nodes.resize(word + own_words(opcode));
  sections_.nodes[word] =
      static_cast<std::uint32_t>(opcode) | flags_byte_of(node, info, number) << 8 | node_number << 16;
  ++unit_.node_count;
  open_.push_back({word, 0});
  return word;
}

void NodeWriter::close() {
  const std::uint32_t word = open_.back().word;
  std::uint32_t* const node = sections_.nodes.data() + word;
  if (has_extent(node)) node[own_words(node) - 1] = next_word() - word;
  open_.pop_back();
}

std::uint32_t NodeWriter::use_condition(std::uint32_t operand) {
  const std::uint32_t count = is_short(operand) ? short_variable_count(operand)
                              : operand > 0     ? sections_.conditions[operand - 1].variable_count
                                                : 0;
  unit_.variable_count = std::max(unit_.variable_count, count);
  return operand;
}

std::uint32_t NodeWriter::finish() {
  unit_.word_count = next_word() - unit_.first_word;
  unit_.reference_count = count32(sections_.references.size()) - unit_.first_reference;
  sections_.units.push_back(unit_);
  return count32(sections_.units.size()) - 1;
}

std::optional<std::uint32_t> NodeWriter::operand(const ir::Node& node, OperandKind kind, std::uint32_t which) {
  switch (kind) {
    case OperandKind::parent:
      return open_.size() < 2 ? 0 : open_.back().word - open_[open_.size() - 2].word;
    case OperandKind::extent:
      return 0;  // it is not known yet
    case OperandKind::number:
      return pools_.add_number(number_of(node, which));
    case OperandKind::count:
    case OperandKind::maximum:
      return node.as<ir::Limit>().maximum;
    case OperandKind::signal:
      return node.as<ir::Event>().signal;
    case OperandKind::timestamp:
      return node.as<ir::TimeTest>().timestamp.value_or(layout::kNone);
    case OperandKind::scope:
      return pools_.add_scope(node.as<ir::Limit>().scope);
    case OperandKind::script:
      return pools_.add_script(node.as<ir::Scripts>().sources[which]);
    case OperandKind::text: {
      const auto* texts = node.as_if<ir::Texts>();
      return pools_.names.add(texts != nullptr ? texts->texts[which].string() : node.label);
    }
    case OperandKind::behavior:
      return pools_.behavior(ir::behavior_of(node));
    case OperandKind::host_condition:
      return pools_.host_condition(node.as<ir::Behavior>().name);
    case OperandKind::parameter:
      if (node.as<ir::Behavior>().parameters.empty()) return 0;
      return 1 + pools_.add_parameters(node.as<ir::Behavior>().parameters);
    case OperandKind::event_transition: {
      const std::uint32_t first = count32(sections_.event_transitions.size());
      for (const ir::EventTransition& transition : node.as<ir::EventTransitions>().transitions) {
        sections_.event_transition_spans.push_back(transition.span);
        sections_.event_transitions.push_back(
            {{static_cast<std::uint8_t>(transition.signal), static_cast<std::uint8_t>(transition.signal >> 8),
              static_cast<std::uint8_t>(transition.signal >> 16)},
             static_cast<std::uint8_t>(transition.target)});
      }
      return first;
    }
    case OperandKind::event_transition_count:
      return count32(node.as<ir::EventTransitions>().transitions.size());
    case OperandKind::weight:
      return open_.size() < 2 ? 1 : weight_of(node);  // a root has no siblings
    case OperandKind::query:
      return pools_.add_query(node.as<ir::Rule>());
    default:
      return std::nullopt;
  }
}

}  // namespace espalier::codegen

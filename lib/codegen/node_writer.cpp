// Nodes to words. See node_writer.h.
#include "codegen/node_writer.h"

#include <algorithm>

namespace espalier::codegen {
namespace {

std::uint32_t flags_of(const ir::Node& node, const OpcodeInfo& info, std::uint32_t number) {
  if (info.flags == FlagsKind::number) return number;
  if (info.flags == FlagsKind::group) {
    const ir::Decider& decider = ir::decider_of(node);
    const bool decides_again = decider.decides_again && !decider.decide.empty();
    return (decider.delegates ? kDelegates : 0) | (decides_again ? kDecidesAgain : 0);
  }
  return node.flags & flags_mask(info.flags);
}

// `which`: the first operand of the kind `number`, or the second.
std::uint64_t number_of(const ir::Node& node, std::uint32_t which) {
  if (const auto* chance = node.as_if<ir::Chance>()) return chance->number;
  if (const auto* test = node.as_if<ir::TimeTest>()) return test->threshold_us;
  const ir::Duration& duration = node.as<ir::Duration>();
  return which == 0 ? duration.time_us : duration.random_us;
}

// Nodes that store are known by the names that they are given, where they have one.
const std::string* debug_name(const ir::Node& node, EngineId engine_id) {
  return engine_id == EngineId::store && !node.label.empty() ? &node.label : &node.name;
}

}  // namespace

NodeWriter::NodeWriter(Pools& pools, std::uint32_t tree) : pools_(pools), sections_(pools.sections) {
  unit_.first_word = next_word();
  unit_.tree = tree;
  unit_.first_use = count32(sections_.uses.size());
}

std::uint32_t NodeWriter::open(const ir::Node& node, Opcode opcode, const EngineOperand& engine_operand) {
  const OpcodeInfo& info = opcode_info(opcode);
  const std::uint32_t word = next_word();
  const std::uint32_t parent = open_.empty() ? word : open_.back().word;
  const std::uint32_t number = open_.empty() ? 0 : open_.back().child_count++;
  sections_.origins.push_back({word, debug_name(node, info.engine), node.span});
  sections_.nodes.push_back(static_cast<std::uint32_t>(opcode) | flags_of(node, info, number) << 8);
  sections_.nodes.push_back(0);  // the extent, when it is known
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    const OperandKind kind = info.operands[i];
    std::uint32_t which = 0;  // of the same kind before
    for (std::uint32_t j = 0; j < i; ++j) which += info.operands[j] == kind ? 1 : 0;
    sections_.nodes.push_back(kind == OperandKind::parent ? word - parent : operand(node, kind, which, engine_operand));
  }
  ++unit_.node_count;
  open_.push_back({word, 0});
  return word;
}

void NodeWriter::close() {
  const std::uint32_t word = open_.back().word;
  sections_.nodes[word + 1] = next_word() - word;
  open_.pop_back();
}

std::uint32_t NodeWriter::use_condition(std::uint32_t operand) {
  if (operand > 0) {
    unit_.variable_count = std::max(unit_.variable_count, sections_.conditions[operand - 1].variable_count);
  }
  return operand;
}

std::uint32_t NodeWriter::finish() {
  unit_.word_count = next_word() - unit_.first_word;
  unit_.use_count = count32(sections_.uses.size()) - unit_.first_use;
  sections_.units.push_back(unit_);
  return count32(sections_.units.size()) - 1;
}

// `which`: the first operand of its kind, or the second, ...
std::uint32_t NodeWriter::operand(const ir::Node& node, OperandKind kind, std::uint32_t which,
                                  const EngineOperand& engine_operand) {
  switch (kind) {
    case OperandKind::unused:
      return 0;
    case OperandKind::number: {
      const std::uint64_t number = number_of(node, which);
      return pools_.add_numbers({&number, 1});
    }
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
      return sections_.names.add(texts != nullptr ? texts->texts[which] : node.label);
    }
    case OperandKind::behavior:
      return pools_.behavior(behavior_of(node));
    case OperandKind::host_condition:
      return pools_.host_condition(node.as<ir::Behavior>().name);
    case OperandKind::parameter:
      return pools_.add_parameters(node.as<ir::Behavior>().parameters);
    case OperandKind::parameter_count:
      return count32(node.as<ir::Behavior>().parameters.size());
    case OperandKind::event_transition: {
      const std::uint32_t first = count32(sections_.event_transitions.size());
      for (const ir::EventTransition& transition : node.as<ir::EventTransitions>().transitions) {
        sections_.event_transitions.push_back({transition.signal, transition.target});
      }
      return first;
    }
    case OperandKind::event_transition_count:
      return count32(node.as<ir::EventTransitions>().transitions.size());
    case OperandKind::asking:
      return pools_.add_asking(node.as<ir::Rule>());
    default:
      return engine_operand(kind);
  }
}

}  // namespace espalier::codegen

// Parameters of the nodes of behaviours, and of rules.
#include <cstring>

#include "core/check.h"
#include "rule/tree.h"
#include "tick/agent.h"

namespace espalier {
namespace {

double number_at(const Asset& asset, std::uint32_t index) {
  double number = 0;
  std::memcpy(&number, array<std::uint64_t>(asset, layout::SectionId::numbers) + index, sizeof number);
  return number;
}

std::uint64_t whole_at(const Asset& asset, std::uint32_t index) {
  return array<std::uint64_t>(asset, layout::SectionId::numbers)[index];
}

// The parameters of the node that is called.
ParameterList parameters_of(const Call& call) {
  const Asset& asset = *call.tree.asset;
  const std::uint32_t* node = array<std::uint32_t>(asset, layout::SectionId::nodes) + call.node_word;
  switch (engine_id_of(call.tree)) {
    case EngineId::rule: {
      if (!has_operand<OperandKind::query, EngineId::rule>(node)) return {};
      const std::uint32_t stored = operand<OperandKind::query, EngineId::rule>(node);
      if (stored == 0) return {};
      const layout::Query& query = records<layout::Query>(asset, layout::SectionId::queries)[stored - 1];
      return {query.first_parameter, query.parameter_count};
    }
    case EngineId::tick:     // the operands for parameters are the same words in both engines
    case EngineId::store: {  // nodes without parameters also call the host, for scripts and logs
      if (!has_operand<OperandKind::parameter, EngineId::store>(node)) return {};
      return parameter_list(asset, operand<OperandKind::parameter, EngineId::store>(node));
    }
    case EngineId::select:
    case EngineId::decide:
    case EngineId::poll:  // see espalier/polling.h: ports
      break;
  }
  return {};
}

}  // namespace

}  // namespace espalier

using namespace espalier;

uint32_t espalier_parameter_count(const espalier_call* call) {
  if (!Check(__func__).call(call)) return 0;
  return parameters_of(*call).count;
}

espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index) {
  if (!Check(__func__).call(call)) return {};
  if (!Check(__func__).below(index, parameters_of(*call).count, "the node has no such parameter")) return {};
  const Asset& asset = *call->tree.asset;
  const layout::Parameter& record =
      array<layout::Parameter>(asset, layout::SectionId::parameters)[parameters_of(*call).first + index];
  Parameter result = {};
  result.text = "";
  result.name = name_at(asset, name_of(record));
  const bool is_long = type_of(record) == layout::kLongParameter;
  result.type = is_long ? ParameterType::whole : static_cast<espalier_parameter_type>(type_of(record));
  switch (result.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      result.text = name_at(asset, record.value);
      break;
    case ParameterType::whole:
      result.whole = is_long ? static_cast<std::int64_t>(whole_at(asset, record.value))
                             : std::int64_t{static_cast<std::int32_t>(record.value)};
      break;
    case ParameterType::boolean:
      result.whole = record.value;
      break;
    case ParameterType::choice:
      result.whole = static_cast<std::uint32_t>(whole_at(asset, record.value));
      result.text = name_at(asset, static_cast<std::uint32_t>(whole_at(asset, record.value) >> 32));
      break;
    case ParameterType::number:
      result.numbers[0] = number_at(asset, record.value);
      break;
    case ParameterType::vector:
      for (std::uint32_t i = 0; i < 3; ++i) result.numbers[i] = number_at(asset, record.value + i);
      break;
  }
  return result;
}

espalier_status espalier_find_parameter(const espalier_call* call, const char* name, espalier_parameter* parameter) {
  if (!Check(__func__).call(call).given(name, "the name is null")) return ESPALIER_NOT_FOUND;
  const bool is_exact = is_rule_tree(call->tree);
  for (std::uint32_t i = 0; i < parameter_count(call); ++i) {
    const Parameter each = espalier_parameter_at(call, i);
    if (!is_same_name(name, std::strlen(name), each.name, is_exact)) continue;
    *parameter = each;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

// Parameters of the nodes of behaviours, and of rules.
#include <algorithm>
#include <cstring>

#include "core/check.h"
#include "format/node.h"
#include "format/opcodes/rule.h"
#include "format/opcodes/store.h"
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

// The operand that names the parameters of a node; 0: it has none. It is the same word in the engines tick and store.
std::uint32_t parameter_operand(const std::uint32_t* node) {
  // Nodes without parameters also call the host, for scripts and logs.
  if (!has_operand<OperandKind::parameter, EngineId::store>(node)) return 0;
  return operand<OperandKind::parameter, EngineId::store>(node);
}

const std::uint32_t* called_node(const Call& call) {
  return array<std::uint32_t>(*call.tree.asset, layout::SectionId::nodes) + call.node_word;
}

// Null: a rule without a query.
const layout::Query* query_of(const Call& call) {
  const std::uint32_t* node = called_node(call);
  if (!has_operand<OperandKind::query, EngineId::rule>(node)) return nullptr;
  const std::uint32_t stored = operand<OperandKind::query, EngineId::rule>(node);
  return stored == 0 ? nullptr : &records<layout::Query>(*call.tree.asset, layout::SectionId::queries)[stored - 1];
}

bool has_operand_list(const Call& call) {
  const EngineId engine = engine_id_of(call.tree);
  return engine == EngineId::tick || engine == EngineId::store;  // for ports, see espalier/polling.h
}

// The first of the parameters of the node that is called; 0 if it has none.
std::uint32_t first_parameter(const Call& call) {
  if (has_operand_list(call)) return std::max<std::uint32_t>(parameter_operand(called_node(call)), 1) - 1;
  const layout::Query* const query = engine_id_of(call.tree) == EngineId::rule ? query_of(call) : nullptr;
  return query == nullptr ? 0 : query->first_parameter;
}

// Linear in their number: a list says only of each whether it is the last one.
std::uint32_t count_of_parameters(const Call& call) {
  if (has_operand_list(call)) return parameter_list(*call.tree.asset, parameter_operand(called_node(call))).count;
  const layout::Query* const query = engine_id_of(call.tree) == EngineId::rule ? query_of(call) : nullptr;
  return query == nullptr ? 0 : query->parameter_count;
}

}  // namespace

}  // namespace espalier

using namespace espalier;

uint32_t espalier_parameter_count(const espalier_call* call) {
  if (!Check(__func__).call(call)) return 0;
  return count_of_parameters(*call);
}

espalier_parameter espalier_parameter_at(const espalier_call* call, uint32_t index) {
  if (!Check(__func__).call(call)) return {};
  if constexpr (kChecks) {
    if (!Check(__func__).below(index, count_of_parameters(*call), "the node has no such parameter")) return {};
  }
  const Asset& asset = *call->tree.asset;
  const layout::Parameter& record =
      array<layout::Parameter>(asset, layout::SectionId::parameters)[first_parameter(*call) + index];
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
  const std::uint32_t count = count_of_parameters(*call);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Parameter each = espalier_parameter_at(call, i);
    if (!is_same_name(name, std::strlen(name), each.name, is_exact)) continue;
    *parameter = each;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

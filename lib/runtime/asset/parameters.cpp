// What a tree that ticks, or one of rules, has beside nodes: parameters of behaviours' nodes, names of timestamps,
// scripts.
#include <cstring>

#include "rule/tree.h"
#include "tick/agent.h"

namespace espalier {
namespace {

double number_at(const Asset& asset, std::uint32_t index) {
  double number = 0;
  std::memcpy(&number, array<std::uint64_t>(asset, layout::SectionId::numbers) + index, sizeof number);
  return number;
}

// The parameters of the node that is called: the first one's index, and how many.
struct ParameterList {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

ParameterList parameters_of(const Call& call) {
  const Asset& asset = *call.tree.asset;
  const std::uint32_t* node = array<std::uint32_t>(asset, layout::SectionId::nodes) + call.node_word;
  switch (family_of(call.tree)) {
    case Family::tick:
      return {node[kOperandC], node[kOperandD]};
    case Family::rule: {
      if (node[kRuleAsking] == 0) return {};
      const layout::Asking& asking = records<layout::Asking>(asset, layout::SectionId::askings)[node[kRuleAsking] - 1];
      return {asking.first_parameter, asking.parameter_count};
    }
    case Family::store:
      return {node[kOperandC], node[kOperandD]};
    case Family::select:
    case Family::decide:
      break;
  }
  return {};
}

}  // namespace

std::uint32_t parameter_count(const Call& call) { return parameters_of(call).count; }

Parameter parameter(const Call& call, std::uint32_t index) {
  const Asset& asset = *call.tree.asset;
  const layout::Parameter& record =
      array<layout::Parameter>(asset, layout::SectionId::parameters)[parameters_of(call).first + index];
  Parameter result;
  result.name = name_at(asset, record.name);
  result.type = static_cast<ParameterType>(record.type);
  switch (result.type) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      result.text = name_at(asset, record.value);
      break;
    case ParameterType::whole:
      result.whole = static_cast<std::int64_t>(std::uint64_t{record.extra} << 32 | record.value);
      break;
    case ParameterType::boolean:
      result.whole = record.value;
      break;
    case ParameterType::choice:
      result.whole = record.value;
      result.text = name_at(asset, record.extra);
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

Status find_parameter(const Call& call, std::string_view name, Parameter* parameter) {
  const bool is_exact = is_rule_tree(call.tree);
  for (std::uint32_t i = 0; i < parameter_count(call); ++i) {
    const Parameter each = espalier::parameter(call, i);
    if (!(is_exact ? each.name == name : equal_any_case(each.name, name))) continue;
    *parameter = each;
    return Status::ok;
  }
  return Status::not_found;
}

std::uint32_t timestamp_count(const Tree& tree) { return is_ticking(tree) ? ticking_record(tree).timestamp_count : 0; }

std::string_view timestamp_name(const Tree& tree, std::uint32_t timestamp) {
  const auto timestamps = records<layout::Timestamp>(*tree.asset, layout::SectionId::timestamps);
  return name_at(*tree.asset, timestamps[ticking_record(tree).first_timestamp + timestamp].name);
}

Status find_timestamp(const Tree& tree, std::string_view name, std::uint32_t* timestamp) {
  for (std::uint32_t i = 0; i < timestamp_count(tree); ++i) {
    if (timestamp_name(tree, i) != name) continue;
    *timestamp = i;
    return Status::ok;
  }
  return Status::not_found;
}

std::uint32_t script_count(const Asset& asset) { return record_count(asset, layout::SectionId::scripts); }

std::string_view script_text(const Asset& asset, std::uint32_t script) {
  return name_at(asset, records<layout::Script>(asset, layout::SectionId::scripts)[script].text);
}

}  // namespace espalier

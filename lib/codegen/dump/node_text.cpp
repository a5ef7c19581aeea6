// Flags and operands as words. See node_text.h.
#include "codegen/dump/node_text.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "codegen/dump/store_text.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

// A part of a flags byte. Values past the last word are written as numbers.
struct FlagField {
  FlagsKind kind;
  std::uint32_t shift;
  std::uint32_t mask;  // behind the shift
  std::string_view name;
  std::string_view words[3];
};

constexpr FlagField kFlagFields[] = {
    {FlagsKind::number, 0, 0xFF, "number", {}},
    {FlagsKind::parallel, 0, 1, "success", {"all", "any"}},
    {FlagsKind::parallel, 1, 1, "failure", {"any", "all"}},
    {FlagsKind::loop, 0, 1, "until", {"failure", "success"}},
    {FlagsKind::result, 0, 3, "result", {"running", "failure", "success"}},
    {FlagsKind::time, 0, 3, "result", {"running", "failure", "success"}},
    {FlagsKind::time, 2, 1, "compares", {"more", "less"}},
    {FlagsKind::time, 3, 1, "never_set", {"false", "true"}},
    {FlagsKind::queue, 0, 3, "result", {"running", "failure", "success"}},
    {FlagsKind::queue, 2, 3, "receivers", {"sender", "group", "others"}},
    {FlagsKind::script, 0, 1, "decides", {"false", "true"}},
    {FlagsKind::wrapper, 0, 1, "keeps", {"false", "true"}},
    {FlagsKind::unfailing, 0, 1, "does_not_fail", {"false", "true"}},
    {FlagsKind::list, 0, 1, "does_not_fail", {"false", "true"}},
    {FlagsKind::list, 1, 1, "begins_anew", {"false", "true"}},
    {FlagsKind::group, 0, 1, "delegates", {"false", "true"}},
    {FlagsKind::group, 1, 1, "decides_again", {"false", "true"}},
    {FlagsKind::until, 0, 1, "until_failure", {"false", "true"}},
};

constexpr std::string_view kParameterTypes[] = {"text",   "whole",  "number", "boolean",
                                                "choice", "vector", "event",  "script"};

constexpr std::string_view kAskModes[] = {"all_true", "any_true", "any_false", "all_false"};

// 15 digits: as many as every decimal keeps that was written with so many.
std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 15).ptr};
}

std::string_view record_name(const Asset& asset, std::uint32_t name) { return name_at(asset, name); }

}  // namespace

std::vector<FlagWord> flag_words(const NodeView& node) {
  const OpcodeInfo& info = opcode_info(node.opcode);
  std::vector<FlagWord> words;
  for (const FlagField& field : kFlagFields) {
    const bool is_gate_result = field.name == "result" && info.children != Children::none;
    if (field.kind != info.flags || is_gate_result) continue;
    const std::uint32_t value = node.flags >> field.shift & field.mask;
    const bool has_word = value < std::size(field.words) && !field.words[value].empty();
    words.push_back({field.name, has_word ? std::string(field.words[value]) : std::to_string(value),
                     field.kind == FlagsKind::number});
  }
  return words;
}

std::string operand_key(const NodeView& node, std::uint32_t index) {
  const OpcodeInfo& info = opcode_info(node.opcode);
  std::uint32_t ordinal = 1;
  for (std::uint32_t i = 0; i < index; ++i) ordinal += info.operands[i] == info.operands[index] ? 1 : 0;
  return std::string(operand_name(node.opcode, index)) + (ordinal == 1 ? "" : std::to_string(ordinal));
}

NodeNames node_names(const Asset& asset, std::uint32_t unit, VariableNames variables) {
  const Tree tree{&asset, unit_record(asset, unit).tree};
  return {std::move(variables), tree};
}

OperandValue operand_value(const NodeNames& names, const NodeView& node, std::uint32_t index) {
  const Asset& asset = *names.tree.asset;
  const std::uint32_t operand = node.operands[index];
  switch (opcode_info(node.opcode).operands[index]) {
    case OperandKind::number:
      return array<std::uint64_t>(asset, SectionId::numbers)[operand];
    case OperandKind::signal:
      return signal_name(names.tree, operand);
    case OperandKind::timestamp:
      if (operand == layout::kNone) return {};
      return timestamp_name(names.tree, operand);
    case OperandKind::scope:
      return scope_name(asset, operand);
    case OperandKind::script:
      if (operand == 0) return {};
      return script_text(asset, operand - 1);
    case OperandKind::text:
      return record_name(asset, operand);
    case OperandKind::behavior:
      return behavior_name(asset, operand);
    case OperandKind::host_condition:
      return host_condition_name(asset, operand);
    case OperandKind::barrier:
      return record_name(asset, barrier_of(asset, node).name);
    case OperandKind::slot:
      return slot_name(asset, operand);
    case OperandKind::tree:
      if (operand == 0) return {};
      return tree_name({&asset, operand - 1});
    case OperandKind::use:
      return array<layout::Use>(asset, SectionId::uses)[operand].unit;
    default:
      return {};
  }
}

std::string operand_text(const NodeNames& names, const NodeView& node, std::uint32_t index) {
  const std::uint32_t operand = node.operands[index];
  const OperandKind kind = opcode_info(node.opcode).operands[index];
  if (kind == OperandKind::parent) return {};  // the indentation tells the parent
  std::string text = std::string(operand_name(node.opcode, index)) + "=";
  if (kind == OperandKind::condition) return text + quoted_text(condition_text(names.variables, operand));
  if (const layout::Asking* asking = asking_of(*names.tree.asset, node);
      asking != nullptr && kind == OperandKind::asking) {
    return text + std::to_string(operand - 1) + " mode=" + std::string(ask_mode_name(asking->mode));
  }
  const OperandValue value = operand_value(names, node, index);
  if (kind == OperandKind::use) {
    return text + std::to_string(operand) + " unit=" + std::to_string(std::get<std::uint64_t>(value));
  }
  if (const std::uint64_t* number = std::get_if<std::uint64_t>(&value)) {
    const bool is_chance = node.opcode == Opcode::tick_chance_gate;
    return text + (is_chance ? number_text(std::ldexp(static_cast<double>(*number), -53)) : seconds_text(*number));
  }
  const std::string_view* name = std::get_if<std::string_view>(&value);
  if (kind == OperandKind::text) return text + quoted_text(*name);
  if (name != nullptr) {
    const bool counts_from_one = kind == OperandKind::script || kind == OperandKind::tree;
    return text + std::to_string(counts_from_one ? operand - 1 : operand) + " " + quoted_text(*name);
  }
  const bool is_none = kind == OperandKind::script || kind == OperandKind::timestamp || kind == OperandKind::asking ||
                       kind == OperandKind::tree || (kind == OperandKind::time && operand == layout::kNone);
  return text + (is_none ? "none" : std::to_string(operand));
}

const layout::Asking* asking_of(const Asset& asset, const NodeView& node) {
  const std::uint32_t* asking = operand(node, OperandKind::asking);
  if (asking == nullptr || *asking == 0) return nullptr;
  return &records<layout::Asking>(asset, SectionId::askings)[*asking - 1];
}

std::string_view ask_mode_name(std::uint32_t mode) { return kAskModes[mode]; }

std::span<const std::uint32_t> questions_of(const Asset& asset, const layout::Asking& asking) {
  return {array<std::uint32_t>(asset, SectionId::questions) + asking.first_question, asking.question_count};
}

std::span<const layout::Parameter> parameters_of(const Asset& asset, const NodeView& node) {
  const auto parameters = array<layout::Parameter>(asset, SectionId::parameters);
  if (const std::uint32_t* count = operand(node, OperandKind::parameter_count)) {
    return {parameters + *operand(node, OperandKind::parameter), *count};
  }
  const layout::Asking* asking = asking_of(asset, node);
  if (asking == nullptr) return {};
  return {parameters + asking->first_parameter, asking->parameter_count};
}

std::string_view parameter_type_name(std::uint32_t type) { return kParameterTypes[type]; }

std::string seconds_text(std::uint64_t microseconds) {
  const bool is_negative = microseconds >> 63 != 0;
  const std::uint64_t size = is_negative ? 0 - microseconds : microseconds;
  std::string text = (is_negative ? "-" : "") + std::to_string(size / 1000000);
  if (std::string part = std::to_string(size % 1000000 + 1000000); part != "1000000") {
    part.erase(part.find_last_not_of('0') + 1);
    text += part.replace(0, 1, ".");
  }
  return text + 's';
}

double number_at(const Asset& asset, std::uint32_t index) {
  return std::bit_cast<double>(array<std::uint64_t>(asset, SectionId::numbers)[index]);
}

std::string parameter_text(const Asset& asset, const layout::Parameter& parameter) {
  std::string text = quoted_text(record_name(asset, parameter.name));
  text.append(" ").append(parameter_type_name(parameter.type)).append(" = ");
  switch (static_cast<ParameterType>(parameter.type)) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script:
      return text + quoted_text(record_name(asset, parameter.value));
    case ParameterType::whole:
      return text + std::to_string(static_cast<std::int64_t>(std::uint64_t{parameter.extra} << 32 | parameter.value));
    case ParameterType::number:
      return text + number_text(number_at(asset, parameter.value));
    case ParameterType::boolean:
      return text + (parameter.value != 0 ? "true" : "false");
    case ParameterType::choice:
      return text + std::to_string(parameter.value) + " " + quoted_text(record_name(asset, parameter.extra));
    case ParameterType::vector:
      for (std::uint32_t i = 0; i < 3; ++i) {
        text += (i == 0 ? "" : ", ") + number_text(number_at(asset, parameter.value + i));
      }
      return text;
  }
  return text;
}

}  // namespace espalier::codegen

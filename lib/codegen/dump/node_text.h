// Flags and operands of a node as words, made from the opcode table: what dump and its JSON say of them.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codegen/dump/listing.h"

namespace espalier::codegen {

// A part of the flags byte: "result" and "failure".
struct FlagWord {
  std::string_view name;
  std::string text;
  bool is_number = false;  // the byte itself
};
std::vector<FlagWord> flag_words(const NodeView& node);

// The table's word for an operand, with a number from the second of its kind on: "text", "text2".
std::string operand_key(const NodeView& node, std::uint32_t index);

// What an operand leads to: a name or text, a number of NUMBERS, a unit, or nothing.
using OperandValue = std::variant<std::monostate, std::string_view, std::uint64_t>;

// How nodes of one unit see their asset. `tree` is that of a unit of the engines tick and decide.
struct NodeNames {
  VariableNames variables;
  Tree tree;
};
NodeNames node_names(const Asset& asset, std::uint32_t unit, VariableNames variables);

OperandValue operand_value(const NodeNames& names, const NodeView& node, std::uint32_t index);
// As dump writes it: 'number=2.5s', 'signal=3 "OnSeen"'. Empty: it says nothing new.
std::string operand_text(const NodeNames& names, const NodeView& node, std::uint32_t index);

// What a rule asks of the host and gives to it; null: nothing.
const layout::Asking* asking_of(const Asset& asset, const NodeView& node);
std::string_view ask_mode_name(std::uint32_t mode);
// Host conditions.
std::span<const std::uint32_t> questions_of(const Asset& asset, const layout::Asking& asking);

// The parameters that a node gives to the host.
std::span<const layout::Parameter> parameters_of(const Asset& asset, const NodeView& node);
// 'NAME TYPE = VALUE', as dump writes it.
std::string parameter_text(const Asset& asset, const layout::Parameter& parameter);
std::string_view parameter_type_name(std::uint32_t type);
// Whole microseconds, in two's complement, as seconds: "2.5s", "-0.000001s".
std::string seconds_text(std::uint64_t microseconds);
double number_at(const Asset& asset, std::uint32_t index);

}  // namespace espalier::codegen

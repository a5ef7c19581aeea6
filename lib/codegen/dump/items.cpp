// Values as text. See items.h.
#include "codegen/dump/items.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "codegen/dump/disassemble.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/parts.h"
#include "runtime/format/short_condition.h"
#include "text/json.h"

namespace espalier::codegen {
namespace {

using Json = nlohmann::json;
using layout::SectionId;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

// 15 digits: decimals with at most 15 digits are printed as they were written.
std::string real_text(double number) {
  if (std::isnan(number)) return "nan";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 15).ptr};
}

// Whole microseconds, in two's complement, as seconds: "2.5s", "-0.000001s".
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

std::string hex_text(std::uint64_t number) {
  char text[24] = "0x";
  return {text, std::to_chars(text + 2, text + sizeof text, number, 16).ptr};
}

std::uint64_t number_at(const Asset& asset, std::uint64_t index) {
  return array<std::uint64_t>(asset, SectionId::numbers)[index];
}

// Index of the first record of a tree in a section, from one of its parts, its fields or its engine's fields.
std::uint32_t first_of_tree(const Tree& tree, SectionId section) {
  const layout::Tree& record = tree_record(tree);
  const EngineParts rows(espalier::engine_id_of(tree));
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (static_cast<SectionId>(rows[i].names) == section) return parts_of(*tree.asset, record)[i].first_name;
  }
  for (const SectionId holder : {SectionId::trees, layout::engine_section(espalier::engine_id_of(tree))}) {
    for (const Field& field : fields_of(holder)) {
      if (field.kind != FieldKind::first || field.target != section) continue;
      const std::uint32_t index = holder == SectionId::trees ? tree.index : record.record;
      return static_cast<std::uint32_t>(field_value(field, record_at(*tree.asset, holder, index)));
    }
  }
  return 0;
}

// The group of the nearest store_role above a node.
const layout::Group& group_around(const Asset& asset, NodeView node) {
  while (node.opcode != opcode::store_role) node = node_at(asset, node.word - *operand(node, OperandKind::parent));
  node = node_at(asset, node.word - *operand(node, OperandKind::parent));
  return records<layout::Group>(asset, SectionId::groups)[*operand(node, OperandKind::group)];
}

std::string quoted_or_empty(std::string_view name) { return name.empty() ? "" : " " + quoted_text(name); }

Item named_item(std::string_view key, std::uint64_t number, std::string_view name) {
  const std::string digits = std::to_string(number);
  return {key, digits + quoted_or_empty(name), digits, name.empty() ? "" : "Name", std::string(name)};
}

// The bits of a mask: "Carnivore !Dead". Names are words of a list, or names of the tree's records in the target.
std::string bit_names(const Context& context, const Field& field, std::uint64_t mask, std::uint64_t value) {
  const bool has_words = field.target == SectionId::none;
  const std::uint32_t first = has_words ? 0 : first_of_tree(context.tree, field.target);
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((mask >> i & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    if ((value >> i & 1) == 0) text += '!';
    text += has_words ? word_at(field.words, i) : name_of(*context.tree.asset, field.target, first + i);
  }
  return text;
}

Item bits_item(const Context& context, const Field& field, std::uint64_t value) {
  if (field.target == SectionId::none && field.words.empty()) {
    return {field.name, hex_text(value), std::to_string(value)};
  }
  std::string names = bit_names(context, field, value, value);
  return {field.name, quoted_text(names), std::to_string(value), "Text", names};
}

Item mask_item(const Context& context, const Field& field, const unsigned char* record) {
  const auto& test = *reinterpret_cast<const layout::MaskTest*>(record + field.offset_bytes);
  const std::string names = bit_names(context, field, test.mask, test.value);
  const std::string numbers = "{\"mask\": " + std::to_string(test.mask) + ", \"value\": " + std::to_string(test.value);
  return {field.name, test.mask == 0 ? "" : quoted_text(names),
          numbers + ", \"text\": " + text::json_string(names) + "}"};
}

Item condition_item(const Context& context, std::string_view key, std::uint64_t operand) {
  std::string text = condition_text(*context.variables, static_cast<std::uint32_t>(operand));
  std::string quoted = quoted_text(text);
  const std::uint64_t number = is_short(static_cast<std::uint32_t>(operand)) ? operand : operand - 1;
  return {key, std::move(quoted), operand == 0 ? "null" : std::to_string(number), "Text", std::move(text)};
}

Item number_at_item(const Context& context, std::uint64_t index) {
  const std::uint64_t number = number_at(*context.tree.asset, index);
  const bool is_chance = context.node->opcode == opcode::tick_chance_guard;
  return {"number", is_chance ? real_text(std::ldexp(static_cast<double>(number), -53)) : seconds_text(number),
          std::to_string(number)};
}

Item parameter_item(const Asset& asset, const layout::Parameter& parameter) {
  const auto real = [&](std::uint32_t index) { return std::bit_cast<double>(number_at(asset, index)); };
  const auto item = [](std::string text, const Json& json) {
    return Item{"value", std::move(text), json.dump(-1, ' ', false, Json::error_handler_t::replace)};
  };
  const auto number = [&] { return array<std::uint64_t>(asset, SectionId::numbers)[parameter.value]; };
  if (type_of(parameter) == layout::kLongParameter) {
    const auto whole = static_cast<std::int64_t>(number());
    return item(std::to_string(whole), whole);
  }
  switch (static_cast<ParameterType>(type_of(parameter))) {
    case ParameterType::text:
    case ParameterType::event:
    case ParameterType::script: {
      const std::string_view text = name_at(asset, parameter.value);
      return item(quoted_text(text), text);
    }
    case ParameterType::whole: {
      const auto whole = static_cast<std::int32_t>(parameter.value);
      return item(std::to_string(whole), whole);
    }
    case ParameterType::number:
      return item(real_text(real(parameter.value)), real(parameter.value));
    case ParameterType::boolean:
      return item(parameter.value != 0 ? "true" : "false", parameter.value != 0);
    case ParameterType::choice: {
      const std::string_view word = name_at(asset, static_cast<std::uint32_t>(number() >> 32));
      const auto index = static_cast<std::uint32_t>(number());
      return item(std::to_string(index) + " " + quoted_text(word), {{"index", index}, {"word", word}});
    }
    case ParameterType::vector: {
      const double numbers[] = {real(parameter.value), real(parameter.value + 1), real(parameter.value + 2)};
      return item(real_text(numbers[0]) + ", " + real_text(numbers[1]) + ", " + real_text(numbers[2]), numbers);
    }
  }
  return {};
}

// The index from which of_tree and of_group count.
Item relative_item(const Context& context, const Field& field, std::uint64_t value) {
  const Asset& asset = *context.tree.asset;
  const bool is_decider = espalier::engine_id_of(context.tree) == EngineId::decide;
  // Signals of deciders set stimuli.
  const SectionId target = is_decider && field.target == SectionId::variables ? SectionId::stimuli : field.target;
  const std::uint32_t first = field.kind == FieldKind::of_group ? group_around(asset, *context.node).first_barrier
                                                                : first_of_tree(context.tree, target);
  return named_item(field.name, value, name_of(asset, target, first + static_cast<std::uint32_t>(value)));
}

// All kinds that need only one number.
Item value_item(const Context& context, const Field& field, std::uint64_t value) {
  const Asset& asset = *context.tree.asset;
  switch (field.kind) {
    case FieldKind::boolean:
      return {field.name, value != 0 ? "true" : "false", value != 0 ? "true" : "false"};
    case FieldKind::microseconds:
      return {field.name, seconds_text(value), std::to_string(value)};
    case FieldKind::word:
      return string_item(field.name, std::string(word_at(field.words, value)), word_at(field.words, value));
    case FieldKind::parameter_type: {
      const std::string_view word = word_at(field.words, value & ~std::uint64_t{layout::kLastParameter});
      return string_item(field.name, std::string(word), word);
    }
    case FieldKind::bits:
      return bits_item(context, field, value);
    case FieldKind::name:
    case FieldKind::debug_name: {
      const std::string_view text = text_at(asset, field.kind, value);
      return string_item(field.name, quoted_text(text), text);
    }
    case FieldKind::index: {
      const std::uint64_t index = field.absent == Absent::zero ? value - 1 : value;
      return named_item(field.name, index, name_of(asset, field.target, static_cast<std::uint32_t>(index)));
    }
    case FieldKind::of_tree:
    case FieldKind::of_group:
      return relative_item(context, field, value);
    case FieldKind::condition:
      return condition_item(context, field.name, value);
    case FieldKind::number_at:
      return number_at_item(context, value);
    case FieldKind::first:
    case FieldKind::parameters:
    case FieldKind::bytes:
    case FieldKind::part_names:
      return {field.name, {}, std::to_string(value)};
    case FieldKind::record:
    case FieldKind::engine_record:
    case FieldKind::reserved:
      return {field.name};
    case FieldKind::number:
    case FieldKind::mask_and_value:
    case FieldKind::parameter_value:
      break;
  }
  return number_item(field.name, value);
}

// For an absent value JSON has null, or the number itself.
Item absent_item(const Context& context, const Field& field, std::uint64_t value) {
  Item item = {field.name, {}, "null"};
  if (field.kind == FieldKind::record) item.json.clear();
  if (field.absent == Absent::zero && field.kind != FieldKind::index && field.kind != FieldKind::record) {
    item = value_item(context, field, value);
    item.text.clear();
    item.told_as = {};
  }
  return item;
}

}  // namespace

std::uint64_t field_value(const Field& field, const unsigned char* record) {
  std::uint64_t value = 0;
  if (field.kind == FieldKind::mask_and_value) return value;
  std::memcpy(&value, record + field.offset_bytes, field.size_bytes);
  const bool is_ones = field.absent == Absent::ones && value == kAllOnes >> (64 - 8 * field.size_bytes);
  return is_ones ? kAllOnes : value;
}

bool is_absent(const Field& field, std::uint64_t value) {
  return (field.absent == Absent::zero && value == 0) || (field.absent == Absent::ones && value == kAllOnes);
}

const unsigned char* record_at(const Asset& asset, SectionId section, std::uint32_t index) {
  const AssetSection all = section_of(asset, section);
  return static_cast<const unsigned char*>(all.records) + std::size_t{index} * all.record_bytes;
}

Item field_item(const Context& context, const Field& field, const unsigned char* record) {
  if (field.kind == FieldKind::mask_and_value) return mask_item(context, field, record);
  if (field.kind == FieldKind::parameter_value) {
    return parameter_item(*context.tree.asset, *reinterpret_cast<const layout::Parameter*>(record));
  }
  const std::uint64_t value = field_value(field, record);
  return is_absent(field, value) ? absent_item(context, field, value) : value_item(context, field, value);
}

Item operand_item(const Context& context, std::uint32_t index) {
  const OpcodeInfo& info = opcode_info(context.node->opcode);
  const Field& kind = operand_field(info.operands[index]);
  const std::uint64_t word = context.node->operands[index];
  Field field = kind;
  field.name = operand_name(context.node->opcode, index);
  const std::uint64_t value = field.absent == Absent::ones && word == layout::kNone ? kAllOnes : word;
  Item item = is_absent(field, value) ? absent_item(context, field, value) : value_item(context, field, value);
  if (is_absent(field, value) && field.kind != FieldKind::record) item.text = "none";
  for (std::uint32_t i = 0; i < index; ++i) item.ordinal += info.operands[i] == info.operands[index] ? 1 : 0;
  return item;
}

std::vector<Item> flag_items(const NodeView& node) {
  const OpcodeInfo& info = opcode_info(node.opcode);
  std::vector<Item> items;
  for (const FlagField& field : flag_fields()) {
    const bool is_gate_result = field.name == "result" && info.children != Children::none;
    if (field.kind != info.flags || is_gate_result) continue;
    const std::uint32_t value = node.flags >> field.shift & ((1u << field.bit_count) - 1);
    const std::string_view word = word_at(field.words, value);
    if (word.empty()) {
      items.push_back(number_item(field.name, value));
    } else if (field.words == "false true") {
      items.push_back({field.name, std::string(word), std::string(word)});
    } else {
      items.push_back(string_item(field.name, std::string(word), word));
    }
  }
  return items;
}

Item string_item(std::string_view key, std::string text, std::string_view string) {
  return {.key = key, .text = std::move(text), .told = std::string(string), .is_string = true};
}

Item number_item(std::string_view key, std::uint64_t number) {
  return {key, std::to_string(number), std::to_string(number)};
}

std::string_view name_of(const Asset& asset, SectionId section, std::uint32_t index) {
  for (const Field& field : fields_of(section)) {
    if (field.kind != FieldKind::name && field.kind != FieldKind::debug_name) continue;
    return text_at(asset, field.kind, field_value(field, record_at(asset, section, index)));
  }
  return {};
}

std::string_view text_at(const Asset& asset, FieldKind kind, std::uint64_t offset_bytes) {
  const SectionId section = kind == FieldKind::debug_name ? SectionId::debug_names : SectionId::names;
  return array<char>(asset, section) + offset_bytes;
}

std::uint32_t record_index(const Field& field, std::uint64_t value) {
  return static_cast<std::uint32_t>(field.absent == Absent::zero ? value - 1 : value);
}

}  // namespace espalier::codegen

// Values of fields, operands and flags as text. See rows.h.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/fields.h"
#include "codegen/dump/listing.h"
#include "codegen/dump/rows.h"

namespace espalier::codegen {

// The context of a record or node.
struct Context {
  Tree tree;                                 // the tree that it belongs to; its index is kNone if there may be several
  const VariableNames* variables = nullptr;  // names of variables in conditions
  const NodeView* node = nullptr;
};

// A field's number in a record. Of all ones it is 64 ones, whatever its size; nothing is taken from `mask_and_value`.
std::uint64_t field_value(const Field& field, const unsigned char* record);
bool is_absent(const Field& field, std::uint64_t value);
// The record's first byte.
const unsigned char* record_at(const Asset& asset, layout::SectionId section, std::uint32_t index);

Item field_item(const Context& context, const Field& field, const unsigned char* record);
Item operand_item(const Context& context, std::uint32_t index);
std::vector<Item> flag_items(const NodeView& node);
// In the text as `text`, in JSON as a string.
Item string_item(std::string_view key, std::string text, std::string_view string);
Item number_item(std::string_view key, std::uint64_t number);

// The name of a record: its first field that is a name. Empty: it has none.
std::string_view name_of(const Asset& asset, layout::SectionId section, std::uint32_t index);
std::string_view text_at(const Asset& asset, FieldKind kind, std::uint64_t offset_bytes);

// The index that a field of the kind `record` or `engine_record` has; kNone: none.
std::uint32_t record_index(const Field& field, std::uint64_t value);

}  // namespace espalier::codegen

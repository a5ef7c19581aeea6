// The fields of all records, as dump prints them, and the operands of nodes. Rows are in fields.def.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/format/kinds.h"
#include "runtime/format/section.h"

namespace espalier::codegen {

enum class FieldKind : std::uint8_t {
  number,
  boolean,
  microseconds,
  word,            // one of a list
  bits,            // named by a list of words, by the tree's records in the target, or not at all
  mask_and_value,  // two numbers: bits named by the tree's records in the target, and their expected values
  name,            // offset into NAMES: of the record, where it is its first
  debug_name,      // offset into DEBUG_NAMES
  index,           // into the target; where 0 is none, 1 + that
  of_tree,         // counted from the first record of the tree in the target
  of_group,        // counted from the first of the group of the nearest store_role above the node
  condition,       // operand: 0 is always true, else 1 + index into CONDITIONS
  number_at,       // index into NUMBERS
  record,          // an index like the above, of a record without a name: it is printed below
  engine_record,   // the same, into the section of the tree's engine
  first,           // index of the first of some records of the target, which are printed below where `words` counts
  bytes,           // offset of an agent's initial block
  part_names,      // index of the first name of a part, which are printed below the first part that has them
  parameters,      // operand: 0 is none, else 1 + index of the first of a node's parameters, which are printed below
  parameter_type,
  parameter_value,
  reserved,  // not printed
};

// The value that means "none".
enum class Absent : std::uint8_t { never, zero, ones };

struct Field {
  std::string_view name;
  std::uint16_t offset_bytes = 0;
  std::uint8_t size_bytes = 4;
  FieldKind kind = FieldKind::number;
  Absent absent = Absent::never;
  layout::SectionId target = layout::SectionId::none;
  std::string_view words = {};
};

// Empty where a section has no records.
std::span<const Field> fields_of(layout::SectionId section);

// How an operand is printed; the field itself has no name.
const Field& operand_field(OperandKind kind);

// A part of a flags byte.
struct FlagField {
  FlagsKind kind;
  std::uint32_t shift;
  std::uint32_t bit_count;
  std::string_view name;
  std::string_view words;
};
std::span<const FlagField> flag_fields();

// Word `index` of a list; empty: the list is shorter.
std::string_view word_at(std::string_view words, std::uint64_t index);

// The names of a part of an agent's block; none: it has none, or another part has them.
layout::SectionId names_of_part(EngineId engine, const layout::Part& part);

// Is the section printed as a separate list, because its records are printed neither below other records nor below
// nodes?
bool is_listed(layout::SectionId section);

// As in the file: "leaves"; of one record: "leaf".
std::string_view section_name(std::uint32_t id);  // "unknown" when this version knows none
std::string_view record_name(layout::SectionId section);

}  // namespace espalier::codegen

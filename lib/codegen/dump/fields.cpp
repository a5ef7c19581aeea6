// The table of fields, and the checks that it is complete. See fields.h.
#include "codegen/dump/fields.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "runtime/format/parts.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

// Records, with names for those that are one number.
namespace asset_records {
using namespace layout;
struct Leaf {
  std::uint16_t behavior;
};
struct Number {
  std::uint64_t number;
};
struct QueryCondition {
  std::uint32_t condition;
};
struct RuleId {
  std::uint32_t name;
};
struct Accept {
  std::uint32_t tree;
};
struct TreeNeed {
  std::uint32_t bytes;
};
struct SlotRoom {
  std::uint32_t bytes;
};
struct NodeWord {
  std::uint32_t word;
};
struct Monitor {
  std::uint32_t word;
};
struct PollTimer {
  std::uint32_t node;
};
struct MemorySize {
  std::uint32_t bytes;
};
struct TimedBehavior {
  std::uint32_t has_times;
};
}  // namespace asset_records

// The names of dialects, as words of a field.
constexpr std::string_view kDialectWords =
#define DIALECT(name) #name " "
#include "runtime/format/dialects.def"
    ;

constexpr Field kFields[] = {
#define FIELD(section, record, member, kind, absent, target, words) \
  {#member,                                                         \
   offsetof(asset_records::record, member),                         \
   sizeof(asset_records::record::member),                           \
   FieldKind::kind,                                                 \
   Absent::absent,                                                  \
   SectionId::target,                                               \
   words},
#define OPERAND(kind, field_kind, absent, target, words)
#define FLAG(kind, shift, bits, name, words)
#include "codegen/dump/fields.def"
#undef FIELD
};

constexpr SectionId kSectionOfField[] = {
#define FIELD(section, record, member, kind, absent, target, words) SectionId::section,
#include "codegen/dump/fields.def"
#undef FIELD
#undef OPERAND
};

struct OperandRow {
  OperandKind kind;
  Field field;
};

constexpr OperandRow kOperands[] = {
#define FIELD(section, record, member, kind, absent, target, words)
#define OPERAND(kind, field_kind, absent, target, words) \
  {OperandKind::kind, {#kind, 0, 4, FieldKind::field_kind, Absent::absent, SectionId::target, words}},
#include "codegen/dump/fields.def"
#undef OPERAND
#undef FLAG
};

constexpr FlagField kFlagFields[] = {
#define OPERAND(kind, field_kind, absent, target, words)
#define FLAG(kind, shift, bits, name, words) {FlagsKind::kind, shift, bits, name, words},
#include "codegen/dump/fields.def"
#undef FIELD
#undef OPERAND
#undef FLAG
};

constexpr Field kNumberOperand = {};

constexpr std::string_view kSectionNames[] = {
    "unknown",
#define ASSET_SECTION(id, name, record, growth, presence, owner) #name,
#include "runtime/format/sections.def"
#undef ASSET_SECTION
};

constexpr bool has_records(SectionId id) {
  return id != SectionId::none && id != SectionId::nodes && layout::section_info(id).record_bytes > 1;
}

struct Extent {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct Extents {
  std::array<Extent, static_cast<std::size_t>(SectionId::count)> of = {};  // in kFields, by section
};

constexpr Extents extents() {
  Extents result;
  for (std::size_t i = 0; i < std::size(kFields); ++i) {
    Extent& extent = result.of[static_cast<std::size_t>(kSectionOfField[i])];
    if (extent.count == 0) extent.first = i;
    ++extent.count;
  }
  return result;
}

constexpr Extents kExtents = extents();

// Fields follow one another, from a record's first byte to its last.
constexpr bool covers_all_records() {
  for (std::size_t id = 0; id < kExtents.of.size(); ++id) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < kExtents.of[id].count; ++i) {
      const Field& field = kFields[kExtents.of[id].first + i];
      if (field.offset_bytes != end) return false;
      end += field.size_bytes;
    }
    const auto section = static_cast<SectionId>(id);
    if (end != (has_records(section) ? layout::section_info(section).record_bytes : 0)) return false;
  }
  return true;
}
static_assert(covers_all_records(), "a record has a field that fields.def does not have, or in another place");

// Of the tree, not of the asset.
constexpr bool are_owned_names(const PartInfo& row) {
  const auto names = static_cast<SectionId>(row.names);
  return names != SectionId::none && layout::section_info(names).owner == layout::Owner::owned;
}

constexpr bool leads_below(const Field& field) {
  return (field.kind == FieldKind::first && !field.words.empty()) || field.kind == FieldKind::record;
}

// Has it a record for each tree of an engine?
bool is_of_engine(SectionId section) {
  for (unsigned i = 0; i < kEngineIds; ++i) {
    if (layout::engine_section(static_cast<EngineId>(i)) == section) return true;
  }
  return false;
}

}  // namespace

std::span<const Field> fields_of(SectionId section) {
  const Extent extent = kExtents.of[static_cast<std::size_t>(section)];
  return {kFields + extent.first, extent.count};
}

const Field& operand_field(OperandKind kind) {
  const OperandRow* row = std::find_if(std::begin(kOperands), std::end(kOperands),
                                       [kind](const OperandRow& candidate) { return candidate.kind == kind; });
  return row == std::end(kOperands) ? kNumberOperand : row->field;
}

std::span<const FlagField> flag_fields() { return kFlagFields; }

std::string_view word_at(std::string_view words, std::uint64_t index) {
  for (; index > 0 && !words.empty(); --index) {
    const std::size_t space = words.find(' ');
    words.remove_prefix(space == words.npos ? words.size() : space + 1);
  }
  return words.substr(0, words.find(' '));
}

SectionId names_of_part(EngineId engine, const layout::Part& part) {
  const EngineParts parts(engine);
  const PartInfo& row = parts[parts.find(static_cast<PartKind>(part.kind))];
  const bool has_them =
      std::all_of(parts.begin(), &row, [&](const PartInfo& other) { return other.names != row.names; });
  return has_them && are_owned_names(row) ? static_cast<SectionId>(row.names) : SectionId::none;
}

bool is_listed(SectionId section) {
  constexpr SectionId kElsewhere[] = {SectionId::trees, SectionId::units, SectionId::node_locations};
  const auto is_here = [section](const Field& field) { return leads_below(field) && field.target == section; };
  const auto names_here = [section](const PartInfo& row) {
    return are_owned_names(row) && static_cast<SectionId>(row.names) == section;
  };
  return has_records(section) && std::none_of(std::begin(kParts), std::end(kParts), names_here) &&
         std::find(std::begin(kElsewhere), std::end(kElsewhere), section) == std::end(kElsewhere) &&
         !is_of_engine(section) && std::none_of(std::begin(kFields), std::end(kFields), is_here) &&
         std::none_of(std::begin(kOperands), std::end(kOperands),
                      [&](const OperandRow& row) { return is_here(row.field); });
}

std::string_view section_name(std::uint32_t id) {
  return kSectionNames[id < static_cast<std::uint32_t>(SectionId::count) ? id : 0];
}

std::string_view record_name(SectionId section) {
  if (section == SectionId::leaves) return "leaf";
  if (section == SectionId::stimuli) return "stimulus";
  if (section == SectionId::queries) return "query";
  if (section == SectionId::poll_entries) return "poll_entry";
  std::string_view name = section_name(static_cast<std::uint32_t>(section));
  if (name.ends_with('s')) name.remove_suffix(1);
  return name;
}

}  // namespace espalier::codegen

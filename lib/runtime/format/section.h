// The section table as types and a lookup. Rows are in sections.def.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/opcode.h"
#include "format/records.h"

namespace espalier::layout {

enum class SectionId : std::uint32_t {
  none,
#define ASSET_SECTION(id, name, record, growth, presence, owner) name = (id),
#include "format/sections.def"
#undef ASSET_SECTION
  count
};

enum class Growth : std::uint8_t { fixed, grows };
enum class Presence : std::uint8_t { always, used, debug, debug_used };
constexpr bool is_optional(Presence presence) { return presence >= Presence::debug; }
constexpr bool may_be_empty(Presence presence) { return presence == Presence::always || presence == Presence::debug; }
enum class Owner : std::uint8_t { free, owned };

struct SectionInfo {
  std::uint16_t record_bytes = 0;  // in this version
  std::uint8_t alignment = 1;      // of a record
  Growth growth = Growth::fixed;
  Presence presence = Presence::always;
  Owner owner = Owner::free;
};

inline constexpr SectionInfo kSections[] = {
    {},
#define ASSET_SECTION(id, name, record, growth, presence, owner) \
  {sizeof(record), alignof(record), Growth::growth, Presence::presence, Owner::owner},
#include "format/sections.def"
#undef ASSET_SECTION
};

constexpr const SectionInfo& section_info(SectionId id) { return kSections[static_cast<std::size_t>(id)]; }

// In the order of EngineId: the section with one record for each tree of the engine, in the order of TREES, in addition
// to Tree; none if there is no such section.
inline constexpr SectionId kEngineSections[] = {SectionId::none,        SectionId::ticking,
                                                SectionId::rule_trees,  SectionId::decider_trees,
                                                SectionId::store_trees, SectionId::poll_trees};
static_assert(sizeof kEngineSections / sizeof kEngineSections[0] == kEngineIds);

static_assert(sizeof kSections / sizeof kSections[0] == static_cast<std::size_t>(SectionId::count),
              "ids follow one another");

}  // namespace espalier::layout

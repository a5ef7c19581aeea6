// The section table as types and a lookup. Rows are in sections.def.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/kinds.h"
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
enum class Presence : std::uint8_t { always, used, debug, debug_used, shown };
constexpr bool is_optional(Presence presence) { return presence >= Presence::debug; }
constexpr bool is_debug(Presence presence) { return presence == Presence::debug || presence == Presence::debug_used; }
constexpr bool may_be_empty(Presence presence) { return presence == Presence::always || presence == Presence::debug; }
enum class Owner : std::uint8_t { free, owned };

struct SectionInfo {
  std::uint8_t record_bytes = 0;  // in this version
  std::uint8_t alignment = 1;     // of a record
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

// The section with one record for each tree of the engine, in the order of TREES, in addition to Tree; none if there is
// no such section.
constexpr SectionId engine_section(EngineId engine) {
  switch (engine) {
    case EngineId::select:
      return SectionId::none;
    case EngineId::tick:
      return SectionId::ticking;
    case EngineId::rule:
      return SectionId::rule_trees;
    case EngineId::decide:
      return SectionId::decider_trees;
    case EngineId::store:
      return SectionId::store_trees;
    case EngineId::poll:
      return SectionId::poll_trees;
  }
  return SectionId::none;
}

static_assert(sizeof kSections / sizeof kSections[0] == static_cast<std::size_t>(SectionId::count),
              "ids follow one another");

}  // namespace espalier::layout

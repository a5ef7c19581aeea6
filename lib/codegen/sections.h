// The sections of an asset under construction, and writing them as bytes.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codegen/agent_block.h"
#include "ir/tree.h"
#include "runtime/format/kinds.h"
#include "runtime/format/records.h"
#include "runtime/format/section.h"

namespace espalier::codegen {

// Where a node came from, for the debug sections.
struct Origin {
  std::uint32_t word = 0;             // first word of the node in NODES
  const std::string* name = nullptr;  // null: it has none
  text::Span span;
};

template <typename Records>
std::string_view bytes_of(const Records& records) {
  return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof *records.data()};
}

}  // namespace espalier::codegen

namespace espalier::layout {  // the namespace of the records in sections.def

template <typename Record>
using SectionContent = std::conditional_t<std::is_same_v<Record, char>, std::string, std::vector<Record>>;

// The records of each section.
struct Sections {
#define ASSET_SECTION(id, name, record, growth, presence, owner) SectionContent<record> name;
#include "runtime/format/sections.def"
#undef ASSET_SECTION
  std::vector<codegen::Origin> origins;               // of all nodes; not a section; points into the project
  std::vector<text::Span> transition_spans;           // one for each transition; not a section
  std::vector<text::Span> event_transition_spans;     // the same
  std::map<std::uint32_t, const std::string*> texts;  // of behaviours; not a section; points into the project
  bool has_far_parameters = false;                    // names of parameters beyond kMaxParameterName
  std::vector<codegen::AgentNeeds> agents;            // of the trees; not a section; laid out after everything else
};

}  // namespace espalier::layout

namespace espalier::codegen {

using layout::Sections;

// The bytes of the asset. Empty if it is too large for 32-bit offsets. The sections are empty afterwards.
std::vector<std::uint64_t> write_asset(Sections&& sections, bool strip, std::size_t* size_bytes);

}  // namespace espalier::codegen

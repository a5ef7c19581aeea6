// Typed access to a verified asset and to an agent's block. These functions check nothing: the verifier has done that.
#pragma once
#include <cstring>
#include <espalier/espalier.hpp>

#include "format/parts.h"
#include "format/records.h"
#include "format/section.h"

namespace espalier {

// The layout of an espalier_asset, with places to spare for later sections and engines. A section's id is its index:
// `internal` has the first record, null if the section is absent; `internal_numbers` has the number of records, and
// from kRecordBytesPlace on the size of one. After the sections, `internal` has the asset's first byte at kBytesPlace,
// and from kEnginesPlace on the engines that the asset was opened with, in the order of EngineId, null where one was
// not given.
inline constexpr std::uint32_t kBytesPlace = 68;
inline constexpr std::uint32_t kEnginesPlace = kBytesPlace + 1;
inline constexpr std::uint32_t kRecordBytesPlace = 68;
static_assert(static_cast<std::uint32_t>(layout::SectionId::count) <= kBytesPlace);
static_assert(kEnginesPlace + kEngineCount <= sizeof(Asset::internal) / sizeof(const void*));
static_assert(std::size_t{2} * kRecordBytesPlace == sizeof(Asset::internal_numbers) / sizeof(std::uint32_t));

// Null: the asset was opened without this engine.
inline const Engine* find_engine(const Asset& asset, EngineId engine_id) {
  return static_cast<const Engine*>(asset.internal[kEnginesPlace + static_cast<std::size_t>(engine_id)]);
}

inline const unsigned char* first_byte(const Asset& asset) {
  return static_cast<const unsigned char*>(asset.internal[kBytesPlace]);
}

struct AssetSection {
  const void* records;  // null when the section is absent
  std::uint32_t count;
  std::uint32_t record_bytes;
};

inline AssetSection section_of(const Asset& asset, layout::SectionId id) {
  const auto place = static_cast<std::size_t>(id);
  return {asset.internal[place], asset.internal_numbers[place], asset.internal_numbers[kRecordBytesPlace + place]};
}

inline std::uint32_t record_count(const Asset& asset, layout::SectionId id) { return section_of(asset, id).count; }

// Consecutive records of the size that the asset specifies. In a later version they may be larger than `Record`.
template <typename Record>
class Records {
 public:
  Records(const void* first, std::uint32_t record_bytes)
      : first_(static_cast<const unsigned char*>(first)), record_bytes_(record_bytes) {}

  const Record& operator[](std::size_t index) const {
    return *reinterpret_cast<const Record*>(first_ + index * record_bytes_);
  }
  Records operator+(std::size_t count) const { return {first_ + count * record_bytes_, record_bytes_}; }

 private:
  const unsigned char* first_;
  std::uint32_t record_bytes_;
};

// For a section whose records grow; `Record` is the type in sections.def.
template <typename Record>
Records<Record> records(const Asset& asset, layout::SectionId id) {
  const AssetSection section = section_of(asset, id);
  return {section.records, section.record_bytes};
}

// For a section whose records are fixed.
template <typename Record>
const Record* array(const Asset& asset, layout::SectionId id) {
  return static_cast<const Record*>(section_of(asset, id).records);
}

inline const layout::Tree& tree_record(const Tree& tree) {
  return array<layout::Tree>(*tree.asset, layout::SectionId::trees)[tree.index];
}

inline const layout::Unit& unit_record(const Asset& asset, std::uint32_t unit) {
  return records<layout::Unit>(asset, layout::SectionId::units)[unit];
}

// The unit of a tree's root.
inline const layout::Unit& unit_record(const Tree& tree) { return unit_record(*tree.asset, tree_record(tree).unit); }

// The engine of a tree.
inline EngineId engine_id_of(const Tree& tree) { return static_cast<EngineId>(tree_record(tree).engine); }

// The parts of the blocks of the tree's agents: one for each row of its engine.
inline const layout::Part* parts_of(const Asset& asset, const layout::Tree& tree) {
  return array<layout::Part>(asset, layout::SectionId::parts) + tree.first_part;
}

// The part of this kind of a tree of this engine.
template <EngineId engine, PartKind kind>
const layout::Part& part_of(const layout::Part* parts) {
  constexpr std::uint32_t kIndex = EngineParts(engine).find(kind);
  static_assert(kIndex < EngineParts(engine).size());
  return parts[kIndex];
}
template <EngineId engine, PartKind kind>
const layout::Part& part_of(const Tree& tree) {
  return part_of<engine, kind>(parts_of(*tree.asset, tree_record(tree)));
}

// The same for a tree of any engine; null if its engine has no such part.
const layout::Part* find_part(const Tree& tree, PartKind kind);

inline std::uint32_t offset_bytes(const layout::Part& part) { return part.offset_bits / 8; }
// The first bit after the part.
inline std::uint64_t end_bits(const layout::Part& part) {
  return part.offset_bits + std::uint64_t{part.bits} * part.count;
}

// Where the times of the current behaviour are in an agent's block: after its parts. 0: the tree keeps none.
inline std::uint32_t times_offset(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  const auto engine = static_cast<EngineId>(record.engine);
  const layout::Part& last = parts_of(*tree.asset, record)[EngineParts(engine).size() - 1];
  const bool has_times =
      has_one_behavior(engine) && (end_bits(last) + 7) / 8 + layout::kTimesBytes <= record.agent_bytes;
  return has_times ? record.agent_bytes - layout::kTimesBytes : 0;
}

inline const char* name_at(const Asset& asset, std::uint32_t offset_bytes) {
  return array<char>(asset, layout::SectionId::names) + offset_bytes;
}

// The parameters of a node, by its operand: 0: none; else 1 + index of the first.
struct ParameterList {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
inline ParameterList parameter_list(const Asset& asset, std::uint32_t operand) {
  if (operand == 0) return {};
  const layout::Parameter* first = array<layout::Parameter>(asset, layout::SectionId::parameters) + (operand - 1);
  std::uint32_t count = 1;
  for (; (first[count - 1].type & layout::kLastParameter) == 0; ++count) {
  }
  return {operand - 1, count};
}

// Does a behaviour keep times? See core/times.h.
inline bool keeps_times(const Asset& asset, std::uint32_t behavior) {
  const std::uint32_t* timed = array<std::uint32_t>(asset, layout::SectionId::timed_behaviors);
  return timed != nullptr && timed[behavior] != 0;
}

// Does the asset have no debug data?
inline bool is_stripped(const Asset& asset) {
  return section_of(asset, layout::SectionId::node_locations).records == nullptr;
}

// The location of a node, by its first word; null if there is no debug data.
const layout::NodeLocation* find_location(const Asset& asset, std::uint32_t node_word);

// The name of a node, by its first word; empty if there is no debug data.
const char* node_debug_name(const Asset& asset, std::uint32_t node_word);

// Converts ASCII letters to lower case.
inline char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
// Are two names equal? `other` ends in NUL. Case matters if `is_exact`.
bool is_same_name(const char* name, std::size_t name_bytes, const char* other, bool is_exact);
inline bool equal_any_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || is_same_name(a.data(), a.size(), b.data(), false));
}

// ---- Agents ---------------------------------------------------------------------------------------------------------

inline std::uint32_t load_word(const unsigned char* agent, std::uint32_t word) {
  std::uint32_t value = 0;
  std::memcpy(&value, agent + std::size_t{4} * word, sizeof value);
  return value;
}

inline void store_word(unsigned char* agent, std::uint32_t word, std::uint32_t value) {
  std::memcpy(agent + std::size_t{4} * word, &value, sizeof value);
}

inline bool load_bit(const unsigned char* agent, std::uint32_t bit) {
  return (load_word(agent, bit / 32) >> (bit % 32) & 1) != 0;
}

inline void store_bit(unsigned char* agent, std::uint32_t bit, bool value) {
  const std::uint32_t mask = std::uint32_t{1} << (bit % 32);
  const std::uint32_t word = load_word(agent, bit / 32);
  store_word(agent, bit / 32, value ? word | mask : word & ~mask);
}

// The parts of a selecting agent that an update reads first: the changed bit and the stored current leaf, which is a
// number less than the tree's leaf_count, or `none`.
struct SelectBlock {
  explicit SelectBlock(const Tree& tree)
      : SelectBlock(parts_of(*tree.asset, tree_record(tree)), tree_record(tree).leaf_count) {}
  SelectBlock(const layout::Part* parts, std::uint32_t tree_leaf_count)
      : changed_bit(part_of<EngineId::select, PartKind::status>(parts).offset_bits),
        leaf_offset(offset_bytes(part_of<EngineId::select, PartKind::leaf>(parts))),
        none((1u << part_of<EngineId::select, PartKind::leaf>(parts).bits) - 1),
        leaf_count(tree_leaf_count) {}
  SelectBlock(std::uint32_t changed, std::uint32_t leaf_byte, std::uint32_t no_leaf, std::uint32_t tree_leaf_count)
      : changed_bit(changed), leaf_offset(leaf_byte), none(no_leaf), leaf_count(tree_leaf_count) {}

  // Must the tree be evaluated? True if a variable has changed or nothing is selected.
  bool needs_evaluation(const unsigned char* agent) const {
    return load_bit(agent, changed_bit) || leaf(agent) >= leaf_count;
  }
  std::uint32_t leaf(const unsigned char* agent) const { return load(agent) & none; }
  void clear_changed(unsigned char* agent) const {
    unsigned char& byte = agent[changed_bit / 8];
    byte = static_cast<unsigned char>(byte & ~(1u << changed_bit % 8));
  }
  // Does not change other bits.
  void set_leaf(unsigned char* agent, std::uint32_t value) const {
    const auto stored = static_cast<std::uint16_t>((load(agent) & ~none) | (value & none));
    std::memcpy(agent + leaf_offset, &stored, sizeof stored);
  }

  std::uint32_t changed_bit;
  std::uint32_t leaf_offset;
  std::uint32_t none;
  std::uint32_t leaf_count;

 private:
  std::uint32_t load(const unsigned char* agent) const {
    std::uint16_t stored = 0;
    std::memcpy(&stored, agent + leaf_offset, sizeof stored);
    return stored;
  }
};

// A machine's state takes the low five bits of its byte (layout::kMaxStates).
inline constexpr unsigned kStateMask = 0x1F;

}  // namespace espalier

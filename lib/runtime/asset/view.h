// Typed looks into a verified asset and into an agent's block. Nothing is checked here: the verifier has done so.
#pragma once
#include <cstring>
#include <espalier/espalier.hpp>

#include "format/opcode.h"
#include "format/records.h"

namespace espalier {

// Where `internal` and `internal_bytes` of an espalier_asset have what. A section of the format is at its id, null when
// absent; then come those of debug data, null when stripped, and the asset's first byte. Engines are those that it was
// opened with, in the order of Family, null where one was not given.
inline constexpr std::uint32_t kDebugPlace = 48;
inline constexpr std::uint32_t kBytesPlace = 52;

// The same by name.
struct AssetView {
  explicit AssetView(const Asset& viewed)
      : asset(viewed),
        bytes(static_cast<const unsigned char*>(viewed.internal[kBytesPlace])),
        sections(viewed.internal),
        section_bytes(viewed.internal_bytes),
        debug_sections(viewed.internal + kDebugPlace),
        debug_section_bytes(viewed.internal_bytes + kDebugPlace),
        engines(viewed.internal_engines) {}
  operator const Asset&() const { return asset; }

  const Asset& asset;
  const unsigned char* const bytes;
  const void* const* const sections;
  const std::uint32_t* const section_bytes;
  const void* const* const debug_sections;
  const std::uint32_t* const debug_section_bytes;
  const Engine* const (&engines)[kEngineCount];
};

// The records of a section.
template <typename Record>
const Record* records(const Asset& asset, layout::SectionId id) {
  return static_cast<const Record*>(asset.internal[static_cast<std::uint32_t>(id)]);
}

template <typename Record>
std::uint32_t record_count(const Asset& asset, layout::SectionId id) {
  return asset.internal_bytes[static_cast<std::uint32_t>(id)] / static_cast<std::uint32_t>(sizeof(Record));
}

inline const layout::Tree& tree_record(const Tree& tree) {
  return records<layout::Tree>(*tree.asset, layout::SectionId::trees)[tree.index];
}

// What evaluates a tree. Only trees that select have no record beside the common one.
inline Family family_of(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  if (record.record == 0) return Family::select;
  const std::uint32_t word = records<layout::Unit>(*tree.asset, layout::SectionId::units)[record.unit].first_word;
  const std::uint32_t node = records<std::uint32_t>(*tree.asset, layout::SectionId::nodes)[word];
  return opcode_info(static_cast<Opcode>(node & 0xFF)).family;
}

// Agents of these begin as their image says, others with zeros.
inline bool has_image(Family family) { return family != Family::decide && family != Family::store; }

inline const char* name_at(const Asset& asset, std::uint32_t offset_bytes) {
  return records<char>(asset, layout::SectionId::names) + offset_bytes;
}

// Of a node, by its first word; empty where there is no debug data.
const char* node_debug_name(const Asset& asset, std::uint32_t node_word);

// ASCII letters without case.
inline char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
// Is a name the same as another one, which ends in NUL?
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

// A leaf's number takes 15 bits where the 16th is the dirty bit.
inline std::uint32_t leaf_mask(const layout::Tree& tree) {
  return tree.dirty_bit == tree.leaf_offset * 8 + 15 ? 0x7FFF : 0xFFFF;
}

// The leaf as it is stored: a number below the tree's leaf_count, or all ones under the mask.
inline std::uint32_t load_leaf(const layout::Tree& tree, const unsigned char* agent) {
  std::uint16_t leaf = 0;
  std::memcpy(&leaf, agent + tree.leaf_offset, sizeof leaf);
  return leaf & leaf_mask(tree);
}

inline void store_leaf(const layout::Tree& tree, unsigned char* agent, std::uint32_t leaf) {
  std::uint16_t stored = 0;
  std::memcpy(&stored, agent + tree.leaf_offset, sizeof stored);
  const std::uint32_t mask = leaf_mask(tree);
  stored = static_cast<std::uint16_t>((stored & ~mask) | (leaf & mask));
  std::memcpy(agent + tree.leaf_offset, &stored, sizeof stored);
}

// A machine's state takes the low five bits of its byte (layout::kMaxStates); the highest may be the dirty bit.
inline constexpr unsigned kStateMask = 0x1F;

}  // namespace espalier

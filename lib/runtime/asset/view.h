// Typed looks into a verified asset and into an agent's block. Nothing is checked here: the verifier has done so.
#pragma once
#include <cstring>
#include <espalier/espalier.hpp>

#include "format/opcode.h"
#include "format/records.h"

namespace espalier {

// What an espalier_asset holds, by its places in `internal` and `internal_bytes`: a section of the format at its id,
// null when absent; then those of debug data, null when stripped; then the asset's first byte, and the engines that it
// was opened with, in the order of Family, null where one was not given.
inline constexpr std::uint32_t kDebugPlace = 48;
inline constexpr std::uint32_t kBytesPlace = 52;
inline constexpr std::uint32_t kEnginesPlace = 53;
static_assert(kEnginesPlace + kEngineCount <= sizeof(Asset::internal) / sizeof(Asset::internal[0]));

// The same by name.
struct AssetView {
  explicit AssetView(const Asset& viewed)
      : asset(viewed),
        bytes(static_cast<const unsigned char*>(viewed.internal[kBytesPlace])),
        sections(viewed.internal),
        section_bytes(viewed.internal_bytes),
        debug_sections(viewed.internal + kDebugPlace),
        debug_section_bytes(viewed.internal_bytes + kDebugPlace) {
    for (std::size_t i = 0; i < kEngineCount; ++i) {
      engines[i] = static_cast<const Engine*>(viewed.internal[kEnginesPlace + i]);
    }
  }
  operator const Asset&() const { return asset; }

  const Asset& asset;
  const unsigned char* bytes;
  const void* const* sections;
  const std::uint32_t* section_bytes;
  const void* const* debug_sections;
  const std::uint32_t* debug_section_bytes;
  const Engine* engines[kEngineCount];
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
inline bool equal_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
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

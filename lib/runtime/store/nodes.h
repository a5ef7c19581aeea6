// The rows of nodes.def.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/opcodes/store.h"
#include "store/layout.h"

namespace espalier {

struct StoreRow {
  bool is_way = false;
  bool may_be_watched = false;
  std::uint8_t times = 0;
  std::uint8_t counts = 0;
  std::uint8_t seats = 0;
};

namespace detail {
// The opcodes of the engine follow one another.
constexpr std::size_t row_of(Opcode opcode) {
  return static_cast<std::size_t>(opcode) - static_cast<std::size_t>(opcode::store_sequence);
}
inline constexpr std::size_t kStoreOpcodes = row_of(opcode::store_child) + 1;

constexpr bool are_store_opcodes_in_a_row() {
  for (const OpcodeRow& row : OpcodesOf<EngineId::store>::rows) {
    if (row_of(row.opcode) >= kStoreOpcodes) return false;
  }
  return sizeof OpcodesOf<EngineId::store>::rows == kStoreOpcodes * sizeof(OpcodeRow);
}
static_assert(are_store_opcodes_in_a_row());

struct StoreNodes {
  constexpr StoreNodes() {
    constexpr bool yes = true;
    constexpr bool no = false;
#define STORE_NODE(name, way, watched, times, counts, seats) \
  of[row_of(opcode::store_##name)] = {way, watched, times, counts, seats};
#include "store/nodes.def"
  }
  StoreRow of[kStoreOpcodes] = {};
};
inline constexpr StoreNodes kStoreNodes;
}  // namespace detail

// The opcode is one of the engine's.
constexpr const StoreRow& store_row(Opcode opcode) { return detail::kStoreNodes.of[detail::row_of(opcode)]; }

// Adds the parts that one node needs. `memory_bytes`: of an action, with its times; `has_timeout`: of a group.
constexpr void add_store_node(Opcode opcode, std::uint32_t memory_bytes, bool has_timeout, InstanceParts* parts) {
  const StoreRow& row = store_row(opcode);
  ++parts->results;
  parts->times += row.times;
  parts->counts += row.counts;
  parts->group_seats += row.seats;
  if (opcode == opcode::store_action) parts->times += (memory_bytes + 7) / 8;
  if (opcode == opcode::store_group && has_timeout) ++parts->times;
}

}  // namespace espalier

// The rows of nodes.def.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/opcode.h"

namespace espalier {

struct StoreRow {
  bool is_way = false;
  bool may_be_watched = false;
  std::uint8_t times = 0;
  std::uint8_t counts = 0;
  std::uint8_t seats = 0;
};

namespace detail {
struct StoreNodes {
  constexpr StoreNodes() {
    constexpr bool yes = true;
    constexpr bool no = false;
#define STORE_NODE(opcode, way, watched, times, counts, seats) \
  of[static_cast<std::size_t>(Opcode::store_##opcode)] = {way, watched, times, counts, seats};
#include "store/nodes.def"
  }
  StoreRow of[static_cast<std::size_t>(Opcode::count)] = {};
};
inline constexpr StoreNodes kStoreNodes;
}  // namespace detail

constexpr const StoreRow& store_row(Opcode opcode) { return detail::kStoreNodes.of[static_cast<std::size_t>(opcode)]; }

}  // namespace espalier

// The parts of agents' blocks, with names.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/asset/view.h"

namespace espalier::codegen {

std::string_view part_name(PartKind kind);

// A part in whole bytes: a byte that two parts share belongs to the first.
struct BlockPart {
  std::string_view name;
  std::uint32_t offset_bytes;
  std::uint32_t size_bytes;
};

// The parts that are not empty.
std::vector<BlockPart> block_parts(const Tree& tree);

}  // namespace espalier::codegen

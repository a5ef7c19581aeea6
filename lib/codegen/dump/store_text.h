// The parts of an agent's block of a tree that stores its results, in words: what the table of sizes says of it.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/listing.h"

namespace espalier::codegen {

// A part of an agent's block that is there.
struct BlockPart {
  std::string_view name;
  std::uint32_t offset_bytes;
  std::uint32_t size_bytes;
};

const layout::StoreTree& store_record(const Tree& tree);

// Of an agent's block whose own tree this is: what stands before the instance, the parts of that, and the rooms of its
// slots. None of them is empty.
std::vector<BlockPart> store_parts(const Tree& tree);

}  // namespace espalier::codegen

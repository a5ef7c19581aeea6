// The parts of agents' blocks. See block_parts.h.
#include "codegen/block_parts.h"

#include <algorithm>

namespace espalier::codegen {
namespace {

// The names in the table, row by row.
constexpr std::string_view kNames[] = {
#define PART(engine, kind, bits, wide, align, count, start, names, moved) #kind,
#include "runtime/format/parts.def"
#undef PART
};

}  // namespace

std::string_view part_name(PartKind kind) {
  const PartInfo* row =
      std::find_if(std::begin(kParts), std::end(kParts), [kind](auto& each) { return each.kind == kind; });
  return kNames[row - kParts];
}

std::vector<BlockPart> block_parts(const Tree& tree) {
  std::vector<BlockPart> block;
  const layout::Part* parts = parts_of(*tree.asset, tree_record(tree));
  std::uint32_t end_bytes = 0;
  for (std::uint32_t i = 0; i < EngineParts(engine_id_of(tree)).size(); ++i) {
    const layout::Part& part = parts[i];
    const std::uint32_t begin = std::max(end_bytes, offset_bytes(part));
    const auto end = static_cast<std::uint32_t>((end_bits(part) + 7) / 8);
    if (end <= begin) continue;
    block.push_back({part_name(static_cast<PartKind>(part.kind)), begin, end - begin});
    end_bytes = end;
  }
  if (const std::uint32_t times = times_offset(tree); times != 0) {
    block.push_back({"times", times, layout::kTimesBytes});
  }
  return block;
}

}  // namespace espalier::codegen

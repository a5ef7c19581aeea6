// The parts of agents that store. See store_text.h.
#include "codegen/dump/store_text.h"

#include <algorithm>
#include <iterator>

#include "runtime/store/tree.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

InstanceParts parts_of_instance(const Tree& tree) {
  InstanceParts parts;
  visit_unit(*tree.asset, tree_record(tree).unit, [&](const NodeView& node, std::size_t) {
    const std::uint32_t* time = operand(node, OperandKind::time);
    add_store_node(node.opcode, time != nullptr && *time != layout::kNone, &parts);
  });
  return parts;
}

}  // namespace

const layout::StoreTree& store_record(const Tree& tree) {
  return records<layout::StoreTree>(*tree.asset, SectionId::store_trees)[tree_record(tree).record];
}

std::vector<BlockPart> store_parts(const Tree& tree) {
  const layout::Tree& record = tree_record(tree);
  const InstanceParts parts = parts_of_instance(tree);
  const InstanceLayout instance = instance_layout(parts);
  const std::uint32_t first = record.state_offset;
  const std::uint32_t slot_total = store_record(tree).child_count > 0 ? slot_count(*tree.asset) : 0;
  const std::uint32_t rooms = first + instance.end;
  const BlockPart kParts[] = {
      {"monitors", kMonitorsOffset, kSeatsOffset - kMonitorsOffset},
      {"seats", kSeatsOffset, kSlotsOffset - kSeatsOffset},
      {"slots", kSlotsOffset, 2 * slot_total},
      {"times", first, 8 * parts.times},
      {"words", first + instance.words, 2 * parts.words},
      {"groups", first + instance.bytes, parts.bytes},
      {"results", first + instance.results, (parts.nodes + 3) / 4},
      {"rooms", rooms, record.agent_bytes - rooms},
  };
  std::vector<BlockPart> present;
  std::copy_if(std::begin(kParts), std::end(kParts), std::back_inserter(present),
               [](const BlockPart& part) { return part.size_bytes > 0; });
  return present;
}

}  // namespace espalier::codegen

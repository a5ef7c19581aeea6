// What gates and groups forbid. See known.h.
#include "explore/known.h"

#include "codegen/dump/listing.h"
#include "replay/expected_keys.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::explore {
namespace {

// How many agents can be in a gate, or wait or be bound in a group.
std::uint64_t most_inside(const Asset& asset, std::uint32_t word) {
  const codegen::NodeView node = codegen::node_at(asset, word);
  if (node.opcode == opcode::store_gate) return *codegen::operand(node, OperandKind::maximum);
  const std::uint32_t group = *codegen::operand(node, OperandKind::group);
  return records<layout::Group>(asset, layout::SectionId::groups)[group].role_count;
}

// No value can have more than it holds.
std::optional<bool> known_inside(const replay::Check& check, const Asset& asset) {
  std::uint64_t most = 0;
  for (const std::uint32_t word : check.ids) most += most_inside(asset, word);
  return check.number > most ? std::optional(false) : std::nullopt;
}

// An object: all of its parts hold.
std::optional<bool> known_object(const replay::Check& check, const Asset& asset) {
  bool are_all_true = true;
  for (const replay::Check& part : check.parts) {
    const std::optional<bool> known = known_value(part, asset);
    if (known == false) return false;
    are_all_true = are_all_true && known == true;
  }
  return are_all_true ? std::optional(true) : std::nullopt;
}

}  // namespace

std::optional<bool> known_value(const replay::Check& check, const Asset& asset) {
  std::optional<bool> known;
  if (check.is_object) {
    known = known_object(check, asset);
  } else if (check.key->name == "inside") {
    known = known_inside(check, asset);
  }
  return known && check.is_negated ? std::optional(!*known) : known;
}

}  // namespace espalier::explore

// See verify_node.h.
#include "asset/verify_node.h"

namespace espalier {

const char* check_kind(const std::uint32_t* node, Family family) {
  if (!is_opcode(node[0] & 0xFF)) return "there is no such opcode";
  return opcode_info(opcode_of(node)).family == family ? nullptr : "a node is of another family than its unit";
}

const char* check_flags(const std::uint32_t* node) {
  const std::uint32_t mask = flags_mask(opcode_info(opcode_of(node)).flags);
  return (node[0] >> 8 & 0xFF & ~mask) == 0 ? nullptr : "a node's flags are wrong";
}

const char* check_condition_operand(const Asset& asset, std::uint32_t condition, std::uint32_t* variable_count) {
  if (condition > record_count(asset, layout::SectionId::conditions)) {
    return "there is no such condition";
  }
  if (condition == 0) return nullptr;
  const std::uint32_t count =
      array<layout::Condition>(asset, layout::SectionId::conditions)[condition - 1].variable_count;
  if (count > *variable_count) *variable_count = count;
  return nullptr;
}

// The node before is its parent when it has children; else the lowest one around that which has not ended yet.
const char* NodePlaces::read(const std::uint32_t* node, std::uint32_t word, std::uint32_t unit_words) {
  if (node[1] < node_words_ || node[1] % node_words_ != 0) return "a node's extent is not that of its children";
  if (word == 0) {
    if (node[1] != unit_words) return "a unit has more than one root";
    return node[parent_word_] == 0 ? nullptr : "a node does not know its parent";
  }
  parent_ = node - node_words_;
  for (++depth_; parent_ + parent_[1] == node; --depth_) parent_ -= parent_[parent_word_];
  if (depth_ >= max_depth_) return "nodes are nested too deeply";
  if (node[parent_word_] != static_cast<std::uint32_t>(node - parent_)) return "a node does not know its parent";
  const bool is_inside = node[1] <= static_cast<std::uint32_t>(parent_ + parent_[1] - node);
  return is_inside ? nullptr : "a node's extent is not that of its children";
}

}  // namespace espalier

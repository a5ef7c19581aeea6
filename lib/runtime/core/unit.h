// Units of nodes: a tree's own, or one that another unit's node stands for, which every engine enters through here: a
// select_share or decide_share into what is shared, a rule_subtree into another file's rules, a store_child into the
// tree of its slot.
#pragma once
#include "asset/view.h"

namespace espalier {

inline const std::uint32_t* nodes_of(const Asset& asset) {
  return array<std::uint32_t>(asset, layout::SectionId::nodes);
}

// The unit's first node, which is around all others.
inline const std::uint32_t* unit_root(const Asset& asset, std::uint32_t unit) {
  return nodes_of(asset) + unit_record(asset, unit).first_word;
}

// The node of this number in a unit whose nodes are in NODE_WORDS.
inline const std::uint32_t* numbered_node(const Asset& asset, const layout::Unit& unit, std::uint32_t number) {
  const std::uint32_t* words = array<std::uint32_t>(asset, layout::SectionId::node_words) + unit.first_node_word;
  return nodes_of(asset) + unit.first_word + words[number];
}

}  // namespace espalier

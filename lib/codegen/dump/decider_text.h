// What a tree of deciders has beside its nodes, in words: what dump and its JSON say of it.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/listing.h"

namespace espalier::codegen {

// The record of a decider; null: the node is none, or stands for another one.
const layout::Decider* decider_of(const Asset& asset, const NodeView& node);

// A list of wanted flags or stimuli. The four are in the order in which they are tested.
struct WantedField {
  std::string_view name;
  std::string_view json_name;
  layout::MaskTest layout::Precondition::*test;
  bool asks_flags;  // else stimuli
};
inline constexpr WantedField kWantedFields[] = {
    {"flags_all", "flagsAll", &layout::Precondition::flags_all, true},
    {"flags_any", "flagsAny", &layout::Precondition::flags_any, true},
    {"stimuli_all", "stimuliAll", &layout::Precondition::stimuli_all, false},
    {"stimuli_any", "stimuliAny", &layout::Precondition::stimuli_any, false},
};
// As in the XML: "Carnivore !Dead".
std::string wanted_text(const Tree& tree, const WantedField& field, const layout::MaskTest& test);
// Null: it has none.
const layout::Precondition* precondition_of(const Asset& asset, const layout::Decider& decider);

// Names of the bits, by number, with spaces between.
std::string behavior_flags_text(const Tree& tree, std::uint32_t flags);

// Rows below a decider's node: what is asked of it, in order; its behaviour; sums.
std::vector<std::string> decider_rows(const Tree& tree, const NodeView& node, const layout::Decider& decider);

}  // namespace espalier::codegen

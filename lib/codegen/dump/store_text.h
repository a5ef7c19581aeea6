// What a tree that stores its results has beside its nodes, in words: what dump, its JSON and the table of sizes say of
// it.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/decider_text.h"
#include "codegen/dump/listing.h"

namespace espalier::codegen {

const layout::StoreTree& store_record(const Tree& tree);

// Bytes of an instance for 1, 2, ... levels of trees, as many as may be asked for.
std::vector<std::uint32_t> needs_of(const Tree& tree);
std::vector<std::uint32_t> rooms_of_slot(const Asset& asset, std::uint32_t slot);
// Trees; empty where it accepts all.
std::vector<std::uint32_t> accepted_by(const Asset& asset, const layout::Slot& slot);

// The record of a group; null: the node is none.
const layout::Group* group_of(const Asset& asset, const NodeView& node);
const layout::Barrier& barrier_at(const Asset& asset, const layout::Group& group, std::uint32_t barrier);
std::string_view on_leave_name(std::uint32_t on_leave);
// Of the group that a barrier belongs to.
const layout::Barrier& barrier_of(const Asset& asset, const NodeView& node);

// Rows below a group's node: roles and barriers.
std::vector<std::string> group_rows(const Asset& asset, const layout::Group& group);
// Behind a slot's name: what it accepts and how much room it has.
std::string slot_text(const Asset& asset, std::uint32_t slot);

}  // namespace espalier::codegen

// Agents of trees that store their results: moves, slots, and the block that all of them share.
#include "store/store.h"

#include <algorithm>
#include <new>

#include "store/path.h"

namespace espalier {
namespace {

void* writable(const void* block) { return const_cast<void*>(block); }

std::uint32_t slots_of(const Asset& asset) { return record_count<layout::Slot>(asset, layout::SectionId::slots); }

const layout::StoreTree& store_record(const Tree& tree) {
  return records<layout::StoreTree>(*tree.asset, layout::SectionId::store_trees)[tree_record(tree).record - 1];
}

// Does an agent of this tree keep what is in slots?
bool has_slots(const Tree& tree) { return store_record(tree).child_count > 0; }

}  // namespace

// It begins anew, with what was put into its slots, by name, as far as they take it.
void move_storing(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host) {
  stop_storing(from, from_block, from_host);
  for (std::uint32_t i = 0; i < slot_count(*from.asset); ++i) {
    const std::uint32_t injected = injected_tree(from, from_block, i);
    std::uint32_t slot = 0;
    if (injected == kNoTree || find_slot(*to.asset, slot_name(*from.asset, i), &slot) != Status::ok) continue;
    const std::string_view name = tree_name(tree(*from.asset, injected));
    for (std::uint32_t j = 0; j < tree_count(*to.asset); ++j) {
      if (tree_name(tree(*to.asset, j)) != name) continue;
      static_cast<void>(inject(to, to_block, slot, j, false, to_host));  // refused: the slot stays empty
      break;
    }
  }
}

void start_shared_store(const Tree& tree, void* block) {
  auto* bytes = static_cast<unsigned char*>(block);
  const Asset& asset = *tree.asset;
  const auto* groups = records<layout::Group>(asset, layout::SectionId::groups);
  const std::uint32_t group_count = record_count<layout::Group>(asset, layout::SectionId::groups);
  const auto size_bytes = static_cast<std::uint32_t>(shared_bytes(tree));
  const std::uint32_t places_end = group_count > 0 ? groups[0].shared_offset : size_bytes;
  for (std::uint32_t at = 0; at < places_end; at += sizeof(SharedPlace)) new (bytes + at) SharedPlace(0);
  for (std::uint32_t i = 0; i < group_count; ++i) {
    std::memset(bytes + groups[i].shared_offset, 0, shared_group_bytes(groups[i]));
    new (bytes + groups[i].shared_offset) SharedGroup{};
  }
}

void visit_storing(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                   void* user) {
  auto* agent = static_cast<unsigned char*>(writable(block));
  StorePath path(StoreInstance(*tree.asset, tree.index, agent, tree_record(tree).state_offset));
  path.find([&](const std::uint32_t* node) {
    if (path.instance().stored(node) == Stored::running)
      visit(user, static_cast<std::uint32_t>(node - nodes_of(*tree.asset)));
    return false;
  });
}

// ---- Slots

std::uint32_t slot_count(const Asset& asset) { return slots_of(asset); }

std::string_view slot_name(const Asset& asset, std::uint32_t slot) {
  return name_at(asset, slot_record(asset, slot).name);
}

Status find_slot(const Asset& asset, std::string_view name, std::uint32_t* slot) {
  for (std::uint32_t i = 0; i < slots_of(asset); ++i) {
    if (slot_name(asset, i) != name) continue;
    *slot = i;
    return Status::ok;
  }
  return Status::not_found;
}

Status inject(const Tree& tree, void* block, std::uint32_t slot, std::uint32_t injected, bool immediate,
              const Host& host) {
  const Asset& asset = *tree.asset;
  if (slot >= slots_of(asset)) return Status::not_found;
  const layout::Slot& record = slot_record(asset, slot);
  if (injected != kNoTree) {
    bool is_accepted = false;
    visit_accepted(asset, record, [&](std::uint32_t accepted) { is_accepted = is_accepted || accepted == injected; });
    if (!is_accepted) return Status::not_accepted;
    // Where no tree can run below this one, it is taken as if one could: nothing fits a budget of 0.
    const std::uint32_t below = std::max(store_record(tree).level_count - 1, 1u);
    if (need_of(asset, injected, below) > room_of(asset, slot, below)) return Status::too_large;
  }
  if (!has_slots(tree)) return Status::ok;  // nothing ever asks for it
  if (immediate) reset_slot(tree, block, slot, host);
  StoreHeader(block).set_slot(slot, injected == kNoTree ? 0 : 1 + injected);
  return Status::ok;
}

std::uint32_t injected_tree(const Tree& tree, const void* block, std::uint32_t slot) {
  const std::uint32_t stored = has_slots(tree) ? StoreHeader(writable(block)).slot(slot) : 0;
  return stored == 0 ? kNoTree : stored - 1;
}

// ---- What agents share

std::uint32_t inside_count(const Asset& asset, const void* shared, std::uint32_t node_word) {
  const std::uint32_t* node = nodes_of(asset) + node_word;
  if (store_opcode(node) == Opcode::store_gate) {
    const auto* places = static_cast<const SharedPlace*>(shared);
    return static_cast<std::uint32_t>(places[node[kStoreB]].load(std::memory_order_relaxed));
  }
  if (store_opcode(node) != Opcode::store_group) return 0;
  const layout::Group& group = records<layout::Group>(asset, layout::SectionId::groups)[node[kStoreC]];
  return StoreGroup(group, writable(shared)).inside_count();
}

}  // namespace espalier

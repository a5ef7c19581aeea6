// Agents of trees that store their results: moves, slots, and the block that all of them share.
#include "store/store.h"

#include <algorithm>
#include <new>

#include "core/check.h"
#include "core/recorded.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/path.h"

namespace espalier {
namespace {

void* writable(const void* block) { return const_cast<void*>(block); }

std::uint32_t slots_of(const Asset& asset) { return record_count(asset, layout::SectionId::slots); }

const layout::StoreTree& store_record(const Tree& tree) {
  return records<layout::StoreTree>(*tree.asset, layout::SectionId::store_trees)[tree_record(tree).record];
}

// Do agents of this tree have slots?
bool has_slots(const Tree& tree) { return store_record(tree).child_count > 0; }

// The record of this node in a section whose records are in the order of their nodes; null if it has none.
template <typename Record>
const Record* find_of_node(const Asset& asset, layout::SectionId section, std::uint32_t word) {
  const Record* const records = array<Record>(asset, section);
  const Record* const end = records + record_count(asset, section);
  const auto is_before = [](const Record& record, std::uint32_t wanted) { return record.word < wanted; };
  const Record* const found = std::lower_bound(records, end, word, is_before);
  return found != end && found->word == word ? found : nullptr;
}

}  // namespace

// MONITORS has the first words of all monitors in order, so those of a unit are in the order of their states. Older
// assets do not have it.
const std::uint32_t* StoreInstance::monitor_at(std::uint32_t offset, MonitorWords* after) const {
  const std::uint32_t state = offset - offset_;
  if (state >= own_bytes_) return nullptr;
  const std::uint32_t* nodes = nodes_of(*asset_);
  const std::uint32_t* monitors = array<std::uint32_t>(*asset_, layout::SectionId::monitors);
  if (monitors == nullptr) {
    const std::uint32_t* node = root();
    while (node != end() && !(opcode_of(node) == opcode::store_monitor && kept_at(node) == state))
      node = next_node(node);
    return node == end() ? nullptr : node;
  }
  const std::uint32_t* const monitors_end = monitors + record_count(*asset_, layout::SectionId::monitors);
  const auto is_before = [&](std::uint32_t word, std::uint32_t wanted) {
    return nodes + word < root() || (nodes + word < end() && kept_at(nodes + word) < wanted);
  };
  const std::uint32_t* found = std::lower_bound(monitors, monitors_end, state, is_before);
  if (found == monitors_end || !is_monitor_at(nodes + *found, offset)) return nullptr;
  *after = {found + 1, static_cast<std::uint32_t>(monitors_end - found) - 1};
  return nodes + *found;
}

bool StoreInstance::has_memory(const std::uint32_t* action) const {
  return memory_bytes_of(*asset_, operand<OperandKind::behavior, opcode::store_action>(action)) != 0;
}

Times StoreInstance::kept(const std::uint32_t* action, Memory* memory) const {
  const auto word = static_cast<std::uint32_t>(action - nodes_of(*asset_));
  const auto* found = find_of_node<layout::TimedNode>(*asset_, layout::SectionId::timed_nodes, word);
  if (found == nullptr) return Times(nullptr);
  const std::uint32_t behavior = operand<OperandKind::behavior, opcode::store_action>(action);
  memory->bytes = bytes() + found->state;
  memory->size_bytes = memory_bytes_of(*asset_, behavior);
  return times_in(*asset_, behavior, memory);
}

std::uint32_t need_of(const Asset& asset, std::uint32_t tree, std::uint32_t level_count) {
  if (level_count == 0) return 0;
  const layout::Tree& common = array<layout::Tree>(asset, layout::SectionId::trees)[tree];
  const layout::StoreTree& record = records<layout::StoreTree>(asset, layout::SectionId::store_trees)[common.record];
  return array<std::uint32_t>(asset,
                              layout::SectionId::tree_needs)[record.first_need + entry_of_levels(asset, level_count)];
}

std::uint32_t room_of(const Asset& asset, std::uint32_t slot, std::uint32_t level_count) {
  if (level_count == 0) return 0;
  const std::uint32_t* rooms = array<std::uint32_t>(asset, layout::SectionId::slot_rooms);
  return rooms[std::size_t{slot} * need_count(asset) + entry_of_levels(asset, level_count)];
}

const layout::ChildRoom* find_child_room(const Asset& asset, std::uint32_t word) {
  return find_of_node<layout::ChildRoom>(asset, layout::SectionId::child_rooms, word);
}

const std::uint32_t* StoreInstance::find_room(const std::uint32_t* node, std::uint32_t begin, std::uint32_t end,
                                              std::uint32_t level_count) const {
  for (; node != this->end(); node = next_node(node)) {
    if (!has_room(node)) continue;
    const std::uint32_t offset = word(kept_at(node) + 2);
    if (offset < end && begin < offset + room_of(*asset_, slot_of(node), level_count)) return node;
  }
  return nullptr;
}

const std::uint32_t* StorePath::next_result(const std::uint32_t* node) {
  if (node == nullptr) {
    node = instance().root();
  } else if (instance().has_child(node)) {
    go_in(node);
    node = instance().root();
  } else {
    node = next_node(node);
  }
  for (;;) {
    if (node == instance().end()) {
      if (depth_ == 0) return nullptr;
      node = next_node(go_out());
    } else if (instance().stored(node) == Stored::none) {
      node = end_of(node);  // its descendants have none either
    } else {
      return node;
    }
  }
}

// The agent begins again. Trees that were put into its slots are found by name, and kept if the slots accept them.
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
  const auto groups = records<layout::Group>(asset, layout::SectionId::groups);
  const std::uint32_t group_count = record_count(asset, layout::SectionId::groups);
  const auto size_bytes = static_cast<std::uint32_t>(shared_bytes(tree));
  const std::uint32_t places_end = group_count > 0 ? groups[0].shared_offset : size_bytes;
  for (std::uint32_t at = 0; at < places_end; at += sizeof(SharedValue)) new (bytes + at) SharedValue(0);
  for (std::uint32_t i = 0; i < group_count; ++i) {
    std::memset(bytes + groups[i].shared_offset, 0, shared_group_bytes(groups[i]));
    new (bytes + groups[i].shared_offset) SharedGroup{};
  }
}

void visit_storing(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                   void* user) {
  StorePath path(StoreInstance::of(tree, writable(block)));
  path.find([&](const std::uint32_t* node) {
    if (path.instance().stored(node) == Stored::running)
      visit(user, static_cast<std::uint32_t>(node - nodes_of(*tree.asset)));
    return false;
  });
}

namespace {

constexpr Engine kReloadEngine = with_move(kStoreRow, move_storing);

}  // namespace

}  // namespace espalier

using namespace espalier;

namespace {

espalier_status inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                       const espalier_host* host) {
  const Asset& asset = *tree.asset;
  if (slot >= slots_of(asset)) return ESPALIER_NOT_FOUND;
  const layout::Slot& record = slot_record(asset, slot);
  if (injected != kNoTree) {
    bool is_accepted = false;
    visit_accepted(asset, record, [&](std::uint32_t accepted) { is_accepted = is_accepted || accepted == injected; });
    if (!is_accepted) return ESPALIER_NOT_ACCEPTED;
    // If no tree can run below this one, check as if one level could: then nothing fits a budget of 0.
    const std::uint32_t below = std::max<std::uint32_t>(store_record(tree).level_count - 1, 1u);
    if (need_of(asset, injected, below) > room_of(asset, slot, below)) return ESPALIER_TOO_LARGE;
  }
  if (!has_slots(tree)) return ESPALIER_OK;  // the slot is never used
  if (immediate) reset_slot(tree, block, slot, *host);
  StoreHeader(block).set_slot(slot, injected == kNoTree ? 0 : 1 + injected);
  return ESPALIER_OK;
}

}  // namespace

espalier_status espalier_inject(espalier_tree tree, void* block, uint32_t slot, uint32_t injected, bool immediate,
                                const espalier_host* host) {
  if (!Check(__func__).tree_of(tree, EngineId::store).block(tree, block).host(host)) return ESPALIER_NOT_FOUND;
  if (injected != kNoTree && !Check(__func__).tree({tree.asset, injected})) return ESPALIER_NOT_FOUND;
  if (host->recorder != nullptr)
    return host->recorder->calls->inject(tree, block, slot, injected, immediate, host, inject);
  return inject(tree, block, slot, injected, immediate, host);
}

uint32_t espalier_injected_tree(espalier_tree tree, const void* block, uint32_t slot) {
  if (!Check(__func__).tree_of(tree, EngineId::store).block(tree, block).id(tree, ESPALIER_SLOTS, slot)) return kNoTree;
  const std::uint32_t stored = has_slots(tree) ? StoreHeader(writable(block)).slot(slot) : 0;
  return stored == 0 ? kNoTree : stored - 1;
}

uint32_t espalier_inside_count(const espalier_asset* asset, const void* shared, uint32_t node_word) {
  if (!Check(__func__).asset(asset).given(shared, "the shared block is null").node(asset, node_word)) return 0;
  const std::uint32_t* node = nodes_of(*asset) + node_word;
  if (opcode_of(node) == opcode::store_gate) {
    const auto* places = static_cast<const SharedValue*>(shared);
    return static_cast<std::uint32_t>(places[shared_value_of(node)].load(std::memory_order_relaxed));
  }
  if (opcode_of(node) != opcode::store_group) return 0;
  const layout::Group& group =
      records<layout::Group>(*asset, layout::SectionId::groups)[operand<OperandKind::group, EngineId::store>(node)];
  return StoreGroup(group, writable(shared)).inside_count();
}

const espalier_engine* espalier_store_reload_engine(void) { return &espalier::kReloadEngine; }

// Access to a tree that stores its results, and to an instance of it in an agent's block. See format/records.h.
#pragma once
#include "asset/view.h"
#include "core/bytes.h"
#include "core/frame.h"
#include "core/times.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/group.h"

namespace espalier {

inline bool is_storing(const Tree& tree) { return engine_id_of(tree) == EngineId::store; }

// The values of a node's two bits.
enum class Stored : std::uint8_t { none, running, success, failure };

inline bool is_done(Stored stored) { return stored == Stored::success || stored == Stored::failure; }
inline Stored to_stored(Result result) {
  return result == Result::running ? Stored::running : result == Result::success ? Stored::success : Stored::failure;
}
inline Result to_result(Stored stored) {
  return stored == Stored::running ? Result::running : stored == Stored::success ? Result::success : Result::failure;
}

// Operands: the offset of a node's state in an instance, its index in the shared block, its slot.
inline std::uint32_t kept_at(const std::uint32_t* node) { return operand<OperandKind::state, EngineId::store>(node); }
inline std::uint32_t shared_value_of(const std::uint32_t* node) {
  return operand<OperandKind::shared_value, EngineId::store>(node);
}
inline std::uint32_t slot_of(const std::uint32_t* child) { return operand<OperandKind::slot, EngineId::store>(child); }

// Is the node evaluated whenever its parent is, even if it is done?
inline bool is_each(const std::uint32_t* node) {
  return opcode_of(node) == opcode::store_repeat && has_flag(node, kEachUpdate);
}

// Does the node do something when its child is running? Other parents are then also running.
inline bool looks(const std::uint32_t* node) {
  return opcode_of(node) == opcode::store_parallel || opcode_of(node) == opcode::store_monitor || is_each(node);
}

// The offset of the instance of an agent's own tree in its block. The parts before it belong to the whole agent.
inline std::uint32_t instance_offset(const layout::Part* parts) {
  return offset_bytes(part_of<EngineId::store, PartKind::times>(parts));
}

// The bytes of an instance with at most `level_count` levels of trees, itself included. With 0 levels no tree runs.
std::uint32_t need_of(const Asset& asset, std::uint32_t tree, std::uint32_t level_count);

// The number of entries of lists by levels of trees, and the entry for this number of levels, 1 or more.
inline std::uint32_t need_count(const Asset& asset) {
  if (record_count(asset, layout::SectionId::store_trees) == 0) return 1;
  return records<layout::StoreTree>(asset, layout::SectionId::store_trees)[0].need_count;
}
inline std::uint32_t entry_of_levels(const Asset& asset, std::uint32_t level_count) {
  const std::uint32_t count = need_count(asset);
  return (level_count < count ? level_count : count) - 1;
}

// The record of a store_child, by its first word; null if the rooms of the asset follow one another.
const layout::ChildRoom* find_child_room(const Asset& asset, std::uint32_t word);

// The bytes of the memory of an action with this behaviour, and of its times, which are at the end.
inline std::uint32_t memory_bytes_of(const Asset& asset, std::uint32_t behavior) {
  const std::uint32_t* sizes = array<std::uint32_t>(asset, layout::SectionId::memory_sizes);
  if (sizes != nullptr && sizes[behavior] != 0) return sizes[behavior];
  return keeps_times(asset, behavior) ? layout::kTimesBytes : 0;
}

// The results of an instance's nodes, by their numbers: two bits each.
class StoredResults {
 public:
  explicit StoredResults(unsigned char* bytes) : bytes_(bytes) {}

  Stored operator[](std::uint32_t number) const {
    return static_cast<Stored>(bytes_[number / 4] >> (number % 4 * 2) & 3);
  }
  void set(std::uint32_t number, Stored stored) const {
    const unsigned shift = number % 4 * 2;
    unsigned char& byte = bytes_[number / 4];
    byte = static_cast<unsigned char>((byte & ~(3u << shift)) | static_cast<unsigned>(stored) << shift);
  }
  void clear(std::uint32_t number) const {
    unsigned char& byte = bytes_[number / 4];
    byte = static_cast<unsigned char>(byte & ~(3u << number % 4 * 2));
  }
  // Of a node without a result.
  void give(std::uint32_t number, Stored stored) const {
    unsigned char& byte = bytes_[number / 4];
    byte = static_cast<unsigned char>(byte | static_cast<unsigned>(stored) << number % 4 * 2);
  }

 private:
  unsigned char* bytes_;
};

// The first words of monitors, one after the other in MONITORS.
struct MonitorWords {
  const std::uint32_t* words = nullptr;
  std::uint32_t count = 0;
};

// A tree that runs at one place of an agent's block.
class StoreInstance {
 public:
  // `tree`: index of a tree of the engine. `offset`: from the agent's first byte.
  StoreInstance(const Asset& asset, std::uint32_t tree, unsigned char* agent, std::uint32_t offset)
      : asset_(&asset), agent_(agent), offset_(offset) {
    const layout::Tree& common = array<layout::Tree>(asset, layout::SectionId::trees)[tree];
    record_ = &records<layout::StoreTree>(asset, layout::SectionId::store_trees)[common.record];
    unit_ = &unit_record(asset, common.unit);
    first_ = nodes_of(asset) + unit_->first_word;
    const layout::Part* parts = parts_of(asset, common);
    const std::uint32_t begin = instance_offset(parts);
    results_offset_ = offset_bytes(part_of<EngineId::store, PartKind::results>(parts)) - begin;
    own_bytes_ = offset_bytes(part_of<EngineId::store, PartKind::rooms>(parts)) - begin;
  }

  const Asset& asset() const { return *asset_; }
  const layout::StoreTree& record() const { return *record_; }
  std::uint32_t tree() const { return record_->tree; }
  std::uint32_t offset() const { return offset_; }
  // The bytes before the rooms of its store_child nodes.
  std::uint32_t own_bytes() const { return own_bytes_; }
  // Sets all results, counts, memory and times to 0.
  void clear() const { std::memset(bytes(), 0, own_bytes_); }
  unsigned char* agent() const { return agent_; }
  const std::uint32_t* root() const { return first_; }
  const std::uint32_t* end() const { return end_of(first_); }
  const std::uint32_t* node(std::uint32_t number) const { return numbered_node(*asset_, *unit_, number); }
  std::uint32_t node_count() const { return unit_->node_count; }
  // Of its nodes by number, from the root.
  const std::uint32_t* node_words() const { return node_words_of(*asset_, *unit_); }
  // The node before `node`, or before the end, in the order of NODES.
  const std::uint32_t* previous(const std::uint32_t* node) const {
    return this->node((node == end() ? node_count() : node_number(node)) - 1);
  }

  StoredResults results() const { return StoredResults(bytes() + results_offset_); }
  Stored stored(const std::uint32_t* node) const { return results()[node_number(node)]; }
  void set_stored(const std::uint32_t* node, Stored stored) const { results().set(node_number(node), stored); }
  // Clears the results of a node and all its descendants.
  void clear(const std::uint32_t* node) const {
    for (const std::uint32_t* last = end_of(node); node != last; node = next_node(node)) set_stored(node, Stored::none);
  }

  // Access to 2, 8 or 1 bytes of state at an operand's offset.
  std::uint32_t word(std::uint32_t offset) const { return load_u16(bytes() + offset); }
  void set_word(std::uint32_t offset, std::uint32_t value) const { store_u16(bytes() + offset, value); }
  std::uint64_t time(std::uint32_t offset) const { return load_u64(bytes() + offset); }
  void set_time(std::uint32_t offset, std::uint64_t value) const { store_u64(bytes() + offset, value); }
  unsigned char& byte(std::uint32_t offset) const { return bytes()[offset]; }

  // Of a store_action: its memory, and its times. If the asset has none of both, no action has.
  bool may_have_memory() const {
    return array<std::uint32_t>(*asset_, layout::SectionId::memory_sizes) != nullptr ||
           array<std::uint32_t>(*asset_, layout::SectionId::timed_behaviors) != nullptr;
  }
  bool has_memory(const std::uint32_t* action) const;
  Times times(const std::uint32_t* action, Memory* memory) const {
    return may_have_memory() && has_memory(action) ? kept(action, memory) : Times(nullptr);
  }
  Times times(const std::uint32_t* action) const {
    Memory memory;
    return times(action, &memory);
  }

  // The instance of a store_child that has run a tree. It has results only while the node has one.
  StoreInstance child(const std::uint32_t* node) const {
    return another(word(kept_at(node)) - 1, word(kept_at(node) + 2));
  }
  // The instance of an agent's own tree.
  static StoreInstance of(const Tree& tree, void* agent) {
    return {*tree.asset, tree.index, static_cast<unsigned char*>(agent),
            instance_offset(parts_of(*tree.asset, tree_record(tree)))};
  }
  // The instance of another tree at another place of the same agent.
  StoreInstance another(std::uint32_t tree, std::uint32_t offset) const { return {*asset_, tree, agent_, offset}; }
  bool has_child(const std::uint32_t* node) const { return stored(node) != Stored::none && has_room(node); }
  // Is it a store_child whose room has the tree that it has run last?
  bool has_room(const std::uint32_t* node) const {
    return opcode_of(node) == opcode::store_child && word(kept_at(node)) != 0;
  }

  // The offset of a store_child's room from the instance's first byte, with this number of levels of trees, itself
  // included; `following` if the rooms follow one another.
  std::uint32_t room_offset(const std::uint32_t* child, std::uint32_t level_count, std::uint32_t following) const {
    const layout::ChildRoom* room = find_child_room(*asset_, static_cast<std::uint32_t>(child - nodes_of(*asset_)));
    if (room == nullptr) return following;
    return array<std::uint32_t>(
        *asset_, layout::SectionId::tree_needs)[room->first_offset + entry_of_levels(*asset_, level_count)];
  }

  // The first store_child from this node on that has a room with some of these bytes of the agent, or null.
  // `level_count`: of the trees in the rooms.
  const std::uint32_t* find_room(const std::uint32_t* node, std::uint32_t begin, std::uint32_t end,
                                 std::uint32_t level_count) const;

  // Its bytes with the rooms for this number of levels of trees, itself included.
  std::uint32_t need(std::uint32_t level_count) const { return need_of(*asset_, tree(), level_count); }
  // The monitor whose state is at this offset from the agent's first byte; null if there is none. `after`: set to what
  // follows it in MONITORS, if the asset has this section.
  const std::uint32_t* monitor_at(std::uint32_t offset, MonitorWords* after) const;
  // Is the node, which is a monitor of any tree, that one?
  bool is_monitor_at(const std::uint32_t* monitor, std::uint32_t offset) const {
    return static_cast<std::size_t>(monitor - first_) < unit_->word_count && kept_at(monitor) == offset - offset_;
  }

  const layout::Group& group(const std::uint32_t* node) const {
    return records<layout::Group>(*asset_,
                                  layout::SectionId::groups)[operand<OperandKind::group, EngineId::store>(node)];
  }
  std::uint64_t number(const std::uint32_t* node) const {
    return array<std::uint64_t>(*asset_,
                                layout::SectionId::numbers)[operand<OperandKind::number, EngineId::store>(node)];
  }

 private:
  Times kept(const std::uint32_t* action, Memory* memory) const;
  unsigned char* bytes() const { return agent_ + offset_; }

  const Asset* asset_;
  const layout::StoreTree* record_;
  const layout::Unit* unit_;
  const std::uint32_t* first_;
  unsigned char* agent_;
  std::uint32_t offset_;
  std::uint32_t results_offset_;
  std::uint32_t own_bytes_;
};

// The last child of a role, which has one or two.
inline const std::uint32_t* last_child(const std::uint32_t* role) {
  const std::uint32_t* child = first_child(role);
  return end_of(child) != end_of(role) ? end_of(child) : child;
}

// The result of a parallel whose children have these ones.
inline Result result_of_parallel(const StoreInstance& instance, const std::uint32_t* node) {
  std::uint32_t counts[4] = {};
  for (const std::uint32_t* child : children_of(node)) ++counts[static_cast<unsigned>(instance.stored(child))];
  const std::uint32_t running = counts[static_cast<unsigned>(Stored::running)];
  const std::uint32_t succeeded = counts[static_cast<unsigned>(Stored::success)];
  const std::uint32_t failed = counts[static_cast<unsigned>(Stored::failure)];
  const bool fails = has_flag(node, kFailsWithAll) ? running == 0 && succeeded == 0 : failed > 0;
  const bool succeeds = has_flag(node, kSucceedsWithAny) ? succeeded > 0 : running == 0 && failed == 0;
  if (!fails && !succeeds && running > 0) return Result::running;
  return succeeds && !fails ? Result::success : Result::failure;
}

// The beginning of an agent's block.
class StoreHeader {
 public:
  explicit StoreHeader(void* agent) : bytes_(static_cast<unsigned char*>(agent)) {}

  // The link of the monitor that was registered last: see MonitorList. 0: none.
  std::uint32_t last_monitor() const { return load(kMonitorsOffset) & ~kRestarts; }
  void set_last_monitor(std::uint32_t link) const { store(kMonitorsOffset, link | (restarts() ? kRestarts : 0)); }
  // Must the tree be reset at the next update? True if the agent lost its seat in a group that resets its agents.
  bool restarts() const { return (load(kMonitorsOffset) & kRestarts) != 0; }
  void set_restarts() const { store(kMonitorsOffset, load(kMonitorsOffset) | kRestarts); }
  // Clears the list of monitors and the restart bit, after the tree was reset.
  void begin_anew() const { store(kMonitorsOffset, 0); }
  std::uint32_t seats() const { return load(kSeatsOffset); }
  void add_seats(int change) const {
    store(kSeatsOffset, static_cast<std::uint32_t>(static_cast<int>(seats()) + change));
  }
  // 1 + index of the tree; 0: none.
  std::uint32_t slot(std::uint32_t slot) const { return load(kSlotsOffset + 2 * slot); }
  void set_slot(std::uint32_t slot, std::uint32_t stored) const { store(kSlotsOffset + 2 * slot, stored); }

 private:
  static constexpr std::uint32_t kRestarts = 0x8000;

  std::uint32_t load(std::uint32_t offset) const { return load_u16(bytes_ + offset); }
  void store(std::uint32_t offset, std::uint32_t value) const { store_u16(bytes_ + offset, value); }

  unsigned char* const bytes_;
};

// ---- Slots

inline const layout::Slot& slot_record(const Asset& asset, std::uint32_t slot) {
  return records<layout::Slot>(asset, layout::SectionId::slots)[slot];
}

// Calls `visit` with the index of each tree that a slot accepts.
template <typename Visit>
void visit_accepted(const Asset& asset, const layout::Slot& slot, const Visit& visit) {
  if (slot.accepted_count != layout::kNone) {
    const std::uint32_t* accepts = array<std::uint32_t>(asset, layout::SectionId::accepts) + slot.first_accepted;
    for (std::uint32_t i = 0; i < slot.accepted_count; ++i) visit(accepts[i]);
    return;
  }
  const auto trees = records<layout::StoreTree>(asset, layout::SectionId::store_trees);
  for (std::uint32_t i = 0; i < record_count(asset, layout::SectionId::store_trees); ++i) {
    visit(trees[i].tree);
  }
}

// The bytes of a room for an instance in a slot, with this number of levels of trees.
std::uint32_t room_of(const Asset& asset, std::uint32_t slot, std::uint32_t level_count);

}  // namespace espalier

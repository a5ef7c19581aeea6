// An agent of a tree that ticks, as the files of the engine access it: its nodes, its regions and its block.
//
// A *region* is a part of the tree that runs independently: the whole tree, or a branch of a parallel. Each region has
// one present node (the region's cursor). This node and its parents up to the region's top are active. So a sequence or
// a priority needs no state: the position of the cursor determines which child is active. If the present node is a
// parallel, its branches that have begun and have no result are active regions. A present node that is neither a leaf
// nor a parallel with active branches has no active child, and begins its first child at its next update.
//
// Words are counted from the unit's first word. All fields are read from bytes: nothing in a block is aligned.
#pragma once
#include <cstdint>

#include "asset/view.h"
#include "core/condition.h"
#include "core/frame.h"
#include "core/times.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/counter.h"
#include "tick/layout.h"

namespace espalier {

inline constexpr std::uint32_t kNoWord = 0xFFFFFFFF;
inline constexpr std::uint32_t kRootRegion = kNoWord;  // a region is named by its tick_branch; this is the tree's

inline const layout::Ticking& ticking_record(const Tree& tree) {
  return records<layout::Ticking>(*tree.asset, layout::SectionId::ticking)[tree_record(tree).record];
}

inline bool is_ticking(const Tree& tree) { return engine_id_of(tree) == EngineId::tick; }

inline std::uint32_t first_word(const Tree& tree) {
  return unit_record(*tree.asset, tree_record(tree).unit).first_word;
}

// A count in a shared block or a group's block.
inline Counter& counter_at(void* block, std::uint32_t index) { return static_cast<Counter*>(block)[index]; }

class TickAgent {
 public:
  // Has no agent until look_at() is called.
  explicit TickAgent(const Tree& tree)
      : asset(*tree.asset),
        view(tree),
        tree_record(espalier::tree_record(tree)),
        ticking(ticking_record(tree)),
        parts(parts_of(asset, tree_record)),
        status_offset(offset_bytes(part<PartKind::status>())),
        cursor_offset(offset_bytes(part<PartKind::cursor>())),
        states_offset(offset_bytes(part<PartKind::states>())),
        is_narrow(part<PartKind::cursor>().bits == 16),
        memory_sizes(array<std::uint32_t>(asset, layout::SectionId::memory_sizes)),
        unit_word(first_word(tree)),
        nodes(nodes_of(asset) + unit_word) {}
  TickAgent(const Tree& tree, void* block) : TickAgent(tree) { look_at(block); }

  // Switches to another agent of the same tree.
  void look_at(void* block) {
    bytes = static_cast<unsigned char*>(block);
    state = bytes + states_offset;
  }

  template <PartKind kind>
  const layout::Part& part() const {
    return part_of<EngineId::tick, kind>(parts);
  }
  template <PartKind kind>
  unsigned char* part_at() const {
    return bytes + offset_bytes(part<kind>());
  }

  // ---- Nodes

  static Result result_flag(const std::uint32_t* node) { return static_cast<Result>(flags_of(node) & kResultMask); }

  bool is_region_top(std::uint32_t word) const {
    return nodes.is_root(word) || nodes.opcode(nodes.parent_of(word)) == opcode::tick_branch;
  }
  unsigned char* state_of(const std::uint32_t* node) const { return state + state_offset_of(node); }
  std::uint64_t number(std::uint32_t index) const {
    return array<std::uint64_t>(asset, layout::SectionId::numbers)[index];
  }

  // ---- Status and time

  unsigned status() const { return bytes[status_offset]; }
  void set_status(unsigned bits) const { bytes[status_offset] = static_cast<unsigned char>(bits); }
  unsigned char* time_at(std::uint32_t timestamp) const {
    return part_at<PartKind::timestamps>() + std::size_t{8} * timestamp;
  }
  unsigned char* held() const { return part_at<PartKind::held>(); }
  unsigned char* generator() const { return part_at<PartKind::generator>(); }

  // ---- Regions

  std::uint32_t load_cursor(const unsigned char* at) const {
    if (!is_narrow) return load_u32(at);
    const std::uint32_t cursor = load_u16(at);
    return cursor == 0xFFFF ? kNoWord : cursor;
  }
  void store_cursor(unsigned char* at, std::uint32_t cursor) const {
    if (is_narrow) {
      store_u16(at, cursor);
    } else {
      store_u32(at, cursor);
    }
  }
  // Where a region stores its present node; null if it stores none because only one node is possible.
  unsigned char* cursor_place(std::uint32_t region) const {
    if (region == kRootRegion) return bytes + cursor_offset;
    const Opcode child = nodes.opcode(nodes.first_child(region));
    return opcode_info(child).children == Children::none ? nullptr : state_of(nodes[region]);
  }
  // The present node of an active region; kNoWord if the root region is inactive.
  std::uint32_t cursor(std::uint32_t region) const {
    const unsigned char* place = cursor_place(region);
    return place == nullptr ? nodes.first_child(region) : load_cursor(place);
  }
  void set_cursor(std::uint32_t region, std::uint32_t word) const {
    if (unsigned char* place = cursor_place(region)) store_cursor(place, word);
  }
  std::uint32_t region_of(std::uint32_t word) const {
    while (!nodes.is_root(word)) {
      word = nodes.parent_of(word);
      if (nodes.opcode(word) == opcode::tick_branch) return word;
    }
    return kRootRegion;
  }

  // ---- Parallels: a bit for each branch, followed by ParallelBit

  std::uint32_t branch_count(std::uint32_t parallel) const { return child_count(nodes[parallel]); }
  static bool bit(const unsigned char* at, std::uint32_t index) { return (at[index / 8] >> (index % 8) & 1) != 0; }
  static void set_bit(unsigned char* at, std::uint32_t index, bool value) {
    const unsigned mask = 1u << (index % 8);
    at[index / 8] = static_cast<unsigned char>(value ? at[index / 8] | mask : at[index / 8] & ~mask);
  }
  bool is_active_branch(std::uint32_t branch) const {
    return bit(state_of(parent_of(nodes[branch])), flags_of(nodes[branch]));
  }
  void set_active_branch(std::uint32_t branch, bool active) const {
    set_bit(state_of(parent_of(nodes[branch])), flags_of(nodes[branch]), active);
  }
  // The first active branch of a parallel from `branch` on, which may be its end; kNoWord if there is none.
  std::uint32_t active_branch(std::uint32_t parallel, std::uint32_t branch) const {
    for (; branch < nodes.end_of(parallel); branch = nodes.end_of(branch)) {
      if (is_active_branch(branch)) return branch;
    }
    return kNoWord;
  }
  // The first active branch inside the present node of a region; kNoWord if it has none.
  std::uint32_t branch_inside(std::uint32_t present) const {
    if (nodes.opcode(present) != opcode::tick_parallel) return kNoWord;
    return active_branch(present, nodes.first_child(present));
  }
  // The next region after `region`, in the order of the file, outer regions first; kRootRegion if it was the last.
  std::uint32_t next_region(std::uint32_t region) const {
    std::uint32_t inside = branch_inside(cursor(region));
    while (inside == kNoWord && region != kRootRegion) {
      const std::uint32_t parallel = nodes.parent_of(region);
      inside = active_branch(parallel, nodes.end_of(region));
      region = region_of(parallel);
    }
    return inside == kNoWord ? kRootRegion : inside;
  }

  // ---- Machines

  // The machine's byte has the state that will be entered at the next update, or this value.
  static constexpr unsigned char kNothingWaits = 0xFF;

  // ---- Behaviours of actions and wrappers

  BoundBehavior behavior(std::uint32_t word, HostCaller& caller) const {
    return caller.behavior(operand<OperandKind::behavior, opcode::tick_wrapper, opcode::tick_action>(nodes[word]),
                           unit_word + word, memory_of(nodes[word], caller.host().clock_us));
  }
  std::uint32_t memory_bytes_of(const std::uint32_t* node) const {
    if (memory_sizes == nullptr || opcode_of(node) != opcode::tick_action) return 0;
    return memory_sizes[operand<OperandKind::behavior, opcode::tick_action>(node)];
  }
  bool has_times(const std::uint32_t* node) const {
    Memory memory;
    return times_of(node, &memory).are_kept();
  }
  // Only actions have memory.
  Memory memory_of(const std::uint32_t* node, std::uint64_t clock_us) const {
    Memory memory;
    const Times times = times_of(node, &memory);
    return times.of(memory, clock_us);
  }
  void begin_memory(const std::uint32_t* node, std::uint64_t clock_us) const {
    const std::uint32_t size_bytes = memory_bytes_of(node);
    if (size_bytes == 0) return;
    std::memset(state_of(node), 0, size_bytes);
    Memory memory;
    times_of(node, &memory).begin(clock_us);
  }
  // The times of an active action, at the end of its memory, and the memory before them.
  Times times_of(const std::uint32_t* node, Memory* memory) const {
    memory->size_bytes = memory_bytes_of(node);
    if (memory->size_bytes == 0) return Times(nullptr);
    memory->bytes = state_of(node);
    return times_in(asset, operand<OperandKind::behavior, opcode::tick_action>(node), memory);
  }

  const Asset& asset;
  const Tree view;
  const layout::Tree& tree_record;
  const layout::Ticking& ticking;
  const layout::Part* const parts;
  const std::uint32_t status_offset;
  const std::uint32_t cursor_offset;
  const std::uint32_t states_offset;
  const bool is_narrow;                     // a cursor has 2 bytes, else 4
  const std::uint32_t* const memory_sizes;  // of each behaviour; null: none has memory
  const std::uint32_t unit_word;
  const NodeWords nodes;
  unsigned char* bytes = nullptr;
  unsigned char* state = nullptr;
};

// ---- Operations that several files use: tick.cpp, tick/leave.h

// Raises an event: sets variables, then timestamps, and then informs the active nodes.
void raise(const TickAgent& agent, std::uint32_t signal, const Host& host, const void* data, const Watcher* watcher);

}  // namespace espalier

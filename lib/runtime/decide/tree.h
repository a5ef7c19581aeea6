// Read access to a tree of deciders, and access to one of its agents. See format/records.h and decide/layout.h.
#pragma once
#include "asset/view.h"
#include "core/bytes.h"
#include "core/frame.h"
#include "core/random.h"
#include "core/times.h"
#include "decide/layout.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {

inline bool is_decider_tree(const Tree& tree) { return engine_id_of(tree) == EngineId::decide; }

// A decider at one place of the tree. `placement` is the node in its group, `node` the decider's own node; they differ
// if the decider is shared. Both are null if there is none.
struct Placed {
  const std::uint32_t* placement = nullptr;
  const std::uint32_t* node = nullptr;
  const layout::Decider* decider = nullptr;

  Opcode opcode() const { return opcode_of(node); }
  bool is_group() const { return opcode() != opcode::decide_behavior; }
  bool has(std::uint32_t flag) const { return has_flag(node, flag); }
  // Where its first child is placed, and the end of its last one; see end_of().
  const std::uint32_t* first_child() const { return node + kDeciderWords; }
  const std::uint32_t* end() const { return end_of_decider(node); }
};

// The index of a node's decider record. The node is not a decide_share.
inline std::uint32_t decider_record(const std::uint32_t* node) {
  return operand<OperandKind::decider, EngineId::decide>(node);
}

class DeciderTree {
 public:
  explicit DeciderTree(const Tree& tree)
      : asset(*tree.asset),
        common(tree_record(tree)),
        record(records<layout::DeciderTree>(asset, layout::SectionId::decider_trees)[common.record]),
        nodes(nodes_of(asset)),
        deciders_(array<layout::Decider>(asset, layout::SectionId::deciders)),
        first_node_(unit_root(asset, record.first_unit)),
        parts_(parts_of(asset, common)) {}

  template <PartKind kind>
  const layout::Part& part() const {
    return part_of<EngineId::decide, kind>(parts_);
  }

  Placed root() const { return placed(unit_root(asset, common.unit)); }
  Placed placed(const std::uint32_t* placement) const {
    const bool is_shared = opcode_of(placement) == opcode::decide_share;
    const std::uint32_t* node =
        is_shared ? unit_root(asset, entered_unit<opcode::decide_share>(asset, placement)) : placement;
    return {placement, node, deciders_ + decider_record(node)};
  }
  // Nodes by their number in the tree.
  Placed placed(std::uint64_t number) const { return placed(first_node_ + number * kDeciderWords); }
  std::uint32_t number_of(const std::uint32_t* placement) const {
    return static_cast<std::uint32_t>(placement - first_node_) / kDeciderWords;
  }
  std::uint32_t word_of(const Placed& placed) const { return static_cast<std::uint32_t>(placed.node - nodes); }

  const layout::Stimulus& stimulus(std::uint32_t stimulus) const {
    const std::uint32_t first = part<PartKind::stimuli>().first_name;
    return records<layout::Stimulus>(asset, layout::SectionId::stimuli)[first + stimulus];
  }

  const Asset& asset;
  const layout::Tree& common;
  const layout::DeciderTree& record;
  const std::uint32_t* const nodes;

 private:
  const layout::Decider* const deciders_;
  const std::uint32_t* const first_node_;
  const layout::Part* const parts_;
};

// An agent's block.
class DeciderAgent {
 public:
  DeciderAgent(const DeciderTree& tree, void* block) : tree_(tree), bytes_(static_cast<unsigned char*>(block)) {}

  // One bit for each flag; all other bits are 0.
  std::uint64_t flags() const { return bits<PartKind::variables>(); }
  void set_flags(std::uint64_t flags) const { set_bits<PartKind::variables>(flags); }
  std::uint64_t stimuli() const { return bits<PartKind::stimuli>(); }
  void set_stimuli(std::uint64_t stimuli) const { set_bits<PartKind::stimuli>(stimuli); }
  // The same without clearing other bits, for tests whose masks have only bits of the part. If the part is empty, this
  // reads the bits of the next part.
  template <PartKind kind>
  std::uint64_t unmasked() const {
    return load_u64(place<kind>());
  }
  void set_stimulus(std::uint32_t stimulus, std::uint64_t clock_us, const StimulusData* data) const;
  // Removes the stimuli whose timeout has passed at this clock.
  void age_stimuli(std::uint64_t clock_us) const;
  std::uint64_t timeout(const layout::Stimulus& stimulus) const {
    return load_u64(place<PartKind::timeouts>(stimulus.timeout));
  }
  void set_timeout(const layout::Stimulus& stimulus, std::uint64_t clock_us) const {
    store_u64(place<PartKind::timeouts>(stimulus.timeout), clock_us);
  }
  unsigned char* data(std::uint32_t stimulus) const { return place<PartKind::stimulus_data>(stimulus); }
  unsigned char& data_bytes(std::uint32_t stimulus) const { return *place<PartKind::data_sizes>(stimulus); }

  // 1 + the clock at which a decider with `every` was called last; 0: never.
  std::uint64_t timer(const layout::Decider& decider) const { return load_u64(place<PartKind::timers>(decider.timer)); }
  void set_timer(const layout::Decider& decider, std::uint64_t stored) const {
    store_u64(place<PartKind::timers>(decider.timer), stored);
  }

  std::uint32_t level_count() const { return load_u16(place<PartKind::level_count>()) & kLevelCountMask; }
  // The path has changed: idle_from() is then 0.
  void set_level_count(std::uint32_t count) const { store_u16(place<PartKind::level_count>(), count); }
  // If not 0: as long as the path does not change, an update does nothing at the levels from this one, counted from 1,
  // to the last but one.
  std::uint32_t idle_from() const { return load_u16(place<PartKind::level_count>()) >> kLevelCountBits; }
  // Stores it. Called when an update has not changed the path: some agents change it in each one.
  void find_idle() const { store_u16(place<PartKind::level_count>(), level_count() | found_idle() << kLevelCountBits); }
  // What find_idle() stores: 0 if the number is too large.
  std::uint32_t found_idle() const;
  // The number of the active decider's node in its group.
  std::uint64_t number_at(std::uint32_t level) const { return load_u64(place<PartKind::path>(level)) & kPathNodeMask; }
  Placed level(std::uint32_t level) const { return tree_.placed(number_at(level)); }
  std::uint64_t since_us(std::uint32_t level) const {
    return load_u64(place<PartKind::path>(level)) >> kPathClockShift;
  }
  void set_level(std::uint32_t level, const std::uint32_t* placement, std::uint64_t clock_us) const {
    store_u64(place<PartKind::path>(level), clock_us << kPathClockShift | tree_.number_of(placement));
  }

  // 1 + the number of the child of a decide_sequential that ran last; 0: none.
  std::uint32_t ran_last(const layout::Decider& group) const {
    return load_u16(place<PartKind::ran_last>(group.state));
  }
  void set_ran_last(const layout::Decider& group, std::uint32_t stored) const {
    store_u16(place<PartKind::ran_last>(group.state), stored);
  }
  // For a decide_shuffle: 1 + its position, followed by its order.
  unsigned char* order(const layout::Decider& group) const { return place<PartKind::orders>(group.state); }
  unsigned char* generator() const { return place<PartKind::generator>(); }

  unsigned char* memory() const { return place<PartKind::memory>(); }

 private:
  // A part with at least one bit has 64 bits to read, because the next part is aligned to 8 bytes.
  template <PartKind kind>
  std::uint64_t bits() const {
    return tree_.part<kind>().count == 0 ? 0 : load_u64(place<kind>());
  }
  template <PartKind kind>
  void set_bits(std::uint64_t bits) const {
    if (tree_.part<kind>().count != 0) store_u64(place<kind>(), bits);
  }
  // One element of a part.
  template <PartKind kind>
  unsigned char* place(std::uint32_t index = 0) const {
    constexpr EngineParts kRows(EngineId::decide);
    constexpr std::uint32_t kOneBytes = kRows[kRows.find(kind)].bits / 8u;  // parts of bits have no index
    return bytes_ + offset_bytes(tree_.part<kind>()) + std::size_t{kOneBytes} * index;
  }

  const DeciderTree& tree_;
  unsigned char* const bytes_;
};

// The time since a level became active. Its clock is stored in 48 bits.
inline std::uint64_t active_us(std::uint64_t clock_us, std::uint64_t since_us) {
  return (clock_us - since_us) & ~std::uint64_t{0} >> kPathClockShift;
}

// Reports a step with a decider's node and another node; both may be null.
void tell(const Watcher& watcher, const DeciderTree& tree, DecideStepKind kind, std::uint32_t depth,
          const std::uint32_t* node, const std::uint32_t* other, double value);

// The decider block and memory that a level of the path passes to its behaviour. `place` is where the level's memory
// begins in the agent: the decider block comes first. The memory ends with the behaviour's times, if it keeps any.
inline Activation untimed_activation_of(const layout::Decider& decider, unsigned char* place) {
  Activation activation = {};
  activation.behavior_flags = decider.behavior_flags;
  activation.block_bytes = decider.block_bytes;
  if (decider.block_bytes > 0) activation.block = place;
  activation.memory_bytes = decider.memory_bytes;
  if (decider.memory_bytes > 0) activation.memory = place + to_8(decider.block_bytes);
  return activation;
}
// The same without the times in the memory. `times` may be null.
inline Activation activation_of(const Asset& asset, const layout::Decider& decider, unsigned char* place,
                                Times* times = nullptr) {
  Activation activation = untimed_activation_of(decider, place);
  Memory memory = {activation.memory, activation.memory_bytes, kNoTime, kNoTime};
  const Times kept = decider.behavior == 0 ? Times(nullptr) : times_in(asset, decider.behavior - 1, &memory);
  if (times != nullptr) *times = kept;
  activation.memory_bytes = memory.size_bytes;
  activation.memory = memory.bytes;
  return activation;
}

}  // namespace espalier

// The parts of agents' blocks as types and a lookup. Rows are in parts.def.
#pragma once
#include <cstdint>

#include "format/kinds.h"
#include "format/section.h"

namespace espalier {

enum class PartKind : std::uint8_t {
  variables,     // of deciders: the decision flags
  status,        // bits of the engine; select and tick: bit 0 is set when a variable has changed
  leaf,          // the current one, or all ones
  states,        // of nodes, each at the offset in its first word
  cursor,        // the current node, as words from the unit's first word; all ones: none; poll: see poll/tree.h
  held,          // scopes that this agent is inside
  generator,     // state of the random numbers
  timestamps,    // a time in microseconds, kNeverSet or kCleared
  current_rule,  // its number, or kNoRule: the tree has none
  stimuli,       // 1: the stimulus is set
  timeouts,      // the clock at which stimuli with a timeout end
  timers,        // 1 + when a decider with `every` was called last; 0: never
  path,          // active deciders from the root on: bits 0-15 the node's number, 16-63 the clock when it became active
  memory,        // of the path, level by level: the decider block and then the behaviour's memory, each up to 8 bytes
  stimulus_data,  // the data that was passed with the stimuli
  level_count,    // of the path
  ran_last,       // of each decide_sequential: 1 + number of the child that ran last; 0: none
  data_sizes,     // bytes of stimulus_data
  orders,         // of each decide_shuffle: 1 + its position, 0: no order was drawn yet; and its order, a byte a child
  monitors,       // how many were registered; highest bit: the tree must be reset because of a group it was in
  seats,          // how many it has in groups
  slots,          // 1 + index of the tree in it; 0: none
  times,   // of each store_cooldown the clock at which it opens again; of each store_group with a timeout the clock at
           // which the agent entered
  counts,  // store_repeat: how often it has repeated; store_monitor: the link to the next registered one;
           // store_barrier: the number of its arrival; store_child: 1 + index of the tree that ran there last, and the
           // byte offset of that tree's instance from the start of the agent's block
  group_seats,   // of each store_group 1 + the agent's seat in it; 0: none
  results,       // of each node: 0 none, 1 running, 2 success, 3 failure
  rooms,         // one for each store_child: space for an instance of a tree that runs there, see StoreTree::first_need
  poll_memory,   // of polled nodes
  entries,       // of blackboards: their values
  texts,         // PollTree::text_bytes for each entry, then for each poll_loop
  statuses,      // of each polled node: 0 idle, 1 running, 2 success, 3 failure
  entry_types,   // what each entry is, and its value
  write_counts,  // how often each entry was written, in trees with a poll_updated or a poll_was_updated
};

inline constexpr std::uint32_t kPartKindCount = static_cast<std::uint32_t>(PartKind::write_counts) + 1;

enum class PartStart : std::uint8_t { zeros, ones, initial, own };
enum class PartMoved : std::uint8_t { own, by_name, whole };

struct PartInfo {
  EngineId engine;
  PartKind kind;
  std::uint8_t bits;       // of one element
  std::uint8_t wide_bits;  // of one element if the tree needs a larger size; 0: never
  std::uint8_t alignment_bits;
  bool is_one;
  PartStart start;
  PartMoved moved;
  std::uint8_t names;  // layout::SectionId
};

namespace detail {
inline constexpr bool one = true;
inline constexpr bool any = false;
}  // namespace detail

inline constexpr PartInfo kParts[] = {
#define PART(engine, kind, bits, wide, align, count, start, names, moved) \
  {EngineId::engine,                                                      \
   PartKind::kind,                                                        \
   bits,                                                                  \
   wide,                                                                  \
   align,                                                                 \
   detail::count,                                                         \
   PartStart::start,                                                      \
   PartMoved::moved,                                                      \
   static_cast<std::uint8_t>(layout::SectionId::names)},
#include "format/parts.def"
#undef PART
};

namespace detail {
// The index of each engine's first row. The rows of the next engine follow.
struct FirstParts {
  std::uint8_t of[kEngineIds + 1] = {};
  constexpr FirstParts() {
    for (const PartInfo& row : kParts) {
      for (std::size_t later = static_cast<std::size_t>(row.engine) + 1; later <= kEngineIds; ++later) ++of[later];
    }
  }
};
inline constexpr FirstParts kFirstParts;
}  // namespace detail

// The rows of one engine.
class EngineParts {
 public:
  constexpr explicit EngineParts(EngineId engine)
      : first_(kParts + detail::kFirstParts.of[static_cast<std::size_t>(engine)]),
        end_(kParts + detail::kFirstParts.of[static_cast<std::size_t>(engine) + 1]) {}
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - first_); }
  constexpr const PartInfo& operator[](std::uint32_t index) const { return first_[index]; }
  constexpr const PartInfo* begin() const { return first_; }
  constexpr const PartInfo* end() const { return end_; }
  // The index of the row of this kind; size() if there is none.
  constexpr std::uint32_t find(PartKind kind) const {
    std::uint32_t index = 0;
    while (index < size() && first_[index].kind != kind) ++index;
    return index;
  }

 private:
  const PartInfo* first_;
  const PartInfo* end_;
};

// Conditions count their bits from the block's first.
static_assert(EngineParts(EngineId::select).find(PartKind::variables) == 0);
static_assert(EngineParts(EngineId::tick).find(PartKind::variables) == 0);
static_assert(EngineParts(EngineId::rule).find(PartKind::variables) == 0);
static_assert(EngineParts(EngineId::decide).find(PartKind::variables) == 0);
static_assert(EngineParts(EngineId::store).find(PartKind::variables) == 0);
static_assert(EngineParts(EngineId::poll).find(PartKind::variables) == 0);

// The part with the bit that is set when a variable has changed, for the engines that have it (knows_changes()).
inline constexpr std::uint32_t kChangedPart = EngineParts(EngineId::select).find(PartKind::status);
static_assert(kChangedPart == EngineParts(EngineId::tick).find(PartKind::status));
constexpr bool knows_changes(EngineId engine) { return engine <= EngineId::tick; }

// Is at most one behaviour active? Then its times are at the end of the block, after all parts.
constexpr bool has_one_behavior(EngineId engine) { return engine == EngineId::select || engine == EngineId::rule; }

// The alignment of agents' blocks in bytes. Their sizes are multiples of it.
constexpr std::uint32_t agent_alignment(EngineId engine) { return engine == EngineId::rule ? 4 : layout::kAlignment; }

// The first multiple of the alignment that is not less than `bit`.
constexpr std::uint64_t aligned_bits(std::uint64_t bit, std::uint32_t alignment_bits) {
  return (bit + alignment_bits - 1) / alignment_bits * alignment_bits;
}

}  // namespace espalier

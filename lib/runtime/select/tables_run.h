// Selecting a leaf by tables (tables.h) for one agent. The walk in walk.cpp defines what they must select. `Path` names
// the vectors, so that this can be compiled for several processors; everything is inlined into functions that are
// (tables_walk.cpp).
#pragma once
#include <cstring>

#include "core/condition.h"
#include "select/prepared.h"
#include "select/tables.h"

namespace espalier {

// The number of the lowest bit that is set; there is one.
inline std::uint32_t lowest_bit(std::uint64_t bits) {
#ifdef __GNUC__
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
#else
  std::uint32_t number = 0;
  for (; (bits & 1) == 0; bits >>= 1) ++number;
  return number;
#endif
}

// The lowest number in a set that is not empty.
inline std::uint32_t first_of(const RuleSet& rules) {
  const bool is_high = rules.low == 0;
  return lowest_bit(is_high ? rules.high : rules.low) + (is_high ? kRulesOfWord : 0);
}

constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

// The target of the first of these rules that holds, some of which are tested.
std::uint32_t checked_target(const PreparedTree& tree, const unsigned char* agent, const TableGroup& group,
                             const RuleSet& rules);

// Words side by side.
template <std::size_t bytes>
struct LaneVector;
template <>
struct LaneVector<4> {
  using Type = std::uint32_t;
};
#ifdef __GNUC__
template <>
struct LaneVector<16> {
  using Type = std::uint32_t __attribute__((vector_size(16), may_alias));
};
template <>
struct LaneVector<32> {
  using Type = std::uint32_t __attribute__((vector_size(32), may_alias));
};
#endif

// A word for each rule of a block, in vectors.
template <std::size_t vector_bytes>
struct BlockLanes {
  using Vector = typename LaneVector<vector_bytes>::Type;
  static constexpr std::size_t kParts = kRulesOfBlock * sizeof(std::uint32_t) / vector_bytes;
  Vector parts[kParts];

  [[gnu::always_inline]] static inline BlockLanes all(std::uint32_t word) {
    BlockLanes lanes;
    for (Vector& part : lanes.parts) part = Vector{} + word;
    return lanes;
  }
  // Bit r for rule r.
  [[gnu::always_inline]] static inline BlockLanes of_block() {
    static constexpr std::uint32_t kBits[kRulesOfBlock] = {1, 2, 4, 8, 16, 32, 64, 128};
    BlockLanes lanes;
    std::memcpy(&lanes, kBits, sizeof lanes);
    return lanes;
  }
  [[gnu::always_inline]] inline BlockLanes next_block() const {
    BlockLanes lanes;
    for (std::size_t i = 0; i < kParts; ++i) lanes.parts[i] = parts[i] << kRulesOfBlock;
    return lanes;
  }
  [[gnu::always_inline]] inline BlockLanes operator&(const BlockLanes& other) const {
    BlockLanes lanes;
    for (std::size_t i = 0; i < kParts; ++i) lanes.parts[i] = parts[i] & other.parts[i];
    return lanes;
  }
  [[gnu::always_inline]] inline void operator|=(const BlockLanes& other) {
    for (std::size_t i = 0; i < kParts; ++i) parts[i] |= other.parts[i];
  }
  // All bits of a lane that is the same in both.
  [[gnu::always_inline]] inline BlockLanes equal(const BlockLanes& other) const {
    BlockLanes lanes;
    for (std::size_t i = 0; i < kParts; ++i) {
      if constexpr (vector_bytes == sizeof(std::uint32_t)) {
        lanes.parts[i] = parts[i] == other.parts[i] ? ~std::uint32_t{0} : 0;
      } else {
        lanes.parts[i] = (Vector)(parts[i] == other.parts[i]);
      }
    }
    return lanes;
  }
  // The lanes, ored.
  [[gnu::always_inline]] inline std::uint32_t any() const {
    Vector all = parts[0];
    for (std::size_t i = 1; i < kParts; ++i) all |= parts[i];
    if constexpr (vector_bytes == sizeof(std::uint32_t)) return all;
    std::uint64_t pairs[vector_bytes / sizeof(std::uint64_t) + 1] = {};
    std::memcpy(pairs, &all, sizeof all);
    std::uint64_t result = 0;
    for (const std::uint64_t pair : pairs) result |= pair;
    return static_cast<std::uint32_t>(result | result >> 32);
  }
};

template <typename Path>
class TableRun {
 public:
  using Wide = typename Path::Wide;

  [[gnu::always_inline]] inline TableRun(const PreparedTree& tree, unsigned char* agent)
      : tree_(tree), tables_(*static_cast<const DecisionTables*>(tree.tables())), agent_(agent) {}

  // The leaf that is selected, or kNoLeaf. Machines' states are stored in the agent as they are reached. `columns`: of
  // the first group, which is wide; 0: whatever it is. `is_plain`: that of the tables.
  template <bool is_plain, std::uint32_t columns>
  [[gnu::always_inline]] inline std::uint32_t leaf(std::uint32_t current_leaf) const {
    const TableGroup* group = tables_.groups;
    RuleSet rules = columns == 0 ? possible(*group) : entries_of_first<columns>();
    for (Machine machine;;) {
      std::uint32_t target = kNoTarget;
      if (!rules.is_empty()) {
        target = group->targets[first_of(rules)];
        if (kind_of(target) == TargetKind::leaf) return target;
        if (!is_plain && kind_of(target) == TargetKind::check) target = checked_target(tree_, agent_, *group, rules);
      }
      RuleSet allowed = RuleSet::all();
      if (target == kNoTarget) {
        allowed = group->next_rules;
        group = group->next;
        if (group == nullptr) return kNoLeaf;
      } else if (is_plain || kind_of(target) == TargetKind::group) {
        group = tables_.groups + index_of(target);
      } else if (kind_of(target) == TargetKind::leaf) {  // of a check
        return target;
      } else if (kind_of(target) == TargetKind::machine) {
        group = tables_.groups + machine.enter(tables_, index_of(target), agent_, current_leaf);
      } else if (const TableState& state = machine.states[index_of(target)]; machine.visits(index_of(target))) {
        group = tables_.groups + state.group;
      } else {
        group = tables_.groups + state.node_group;
        allowed = ~RuleSet::before(state.node_rule);
      }
      rules = possible(*group);
      rules &= allowed;
    }
  }

 private:
  // The machine that was entered last. Transitions belong to it: those of a machine around it are not tested any more.
  struct Machine {
    const TableState* states = nullptr;
    unsigned char* byte = nullptr;
    std::uint32_t visited = 0;

    // Returns the group of the state in which it begins.
    [[gnu::always_inline]] inline std::uint32_t enter(const DecisionTables& tables, std::uint32_t number,
                                                      unsigned char* agent, std::uint32_t current_leaf) {
      const TableMachine& machine = tables.machines[number];
      states = tables.states + machine.first_state;
      byte = agent + machine.state_byte;
      const std::uint32_t stored = *byte & kStateMask;
      const bool active = current_leaf - machine.first_leaf < machine.leaf_count;
      const std::uint32_t state = active && stored < machine.state_count ? stored : 0;
      visited = std::uint32_t{1} << stored;
      store(state);
      return states[state].group;
    }
    // Stores a state that a transition leads to. False: it was visited before, and its transitions are not tested.
    [[gnu::always_inline]] inline bool visits(std::uint32_t state) {
      store(state);
      const bool is_first = (visited >> state & 1) == 0;
      visited |= std::uint32_t{1} << state;
      return is_first;
    }

   private:
    [[gnu::always_inline]] inline void store(std::uint32_t state) const {
      *byte = static_cast<unsigned char>((*byte & ~kStateMask) | state);
    }
  };

  // ---- One group

  // All entries of the agent, anded.
  template <typename Entry>
  [[gnu::always_inline]] inline Entry entries_of(const TableGroup& group, Entry rules) const {
    const std::uint32_t* bytes = group.bytes;
    const Entry* entries = reinterpret_cast<const Entry*>(group.words);
    std::uint32_t count = group.column_count;
    for (; count >= kAtOnce; count -= kAtOnce, bytes += kAtOnce, entries += kAtOnce * kColumnEntries) {
      for (std::uint32_t i = 0; i < kAtOnce; ++i) rules &= entries[kColumnEntries * i + agent_[bytes[i]]];
    }
    for (; count > 0; --count, ++bytes, entries += kColumnEntries) rules &= entries[agent_[*bytes]];
    return rules;
  }
  static constexpr std::uint32_t kAtOnce = 4;  // columns

  // The rules of a list that hold.
  [[gnu::always_inline]] inline std::uint32_t listed(const TableGroup& group) const {
    using Lanes = typename Path::Lanes;
    const Lanes* test = reinterpret_cast<const Lanes*>(group.words);
    const Lanes first = Lanes::all(word(group.bytes[0]));
    const Lanes second = Lanes::all(word(group.bytes[1]));
    Lanes bits = Lanes::of_block();
    Lanes rules = Lanes::all(0);
    for (std::uint32_t i = 0; i < group.column_count; ++i, test += 2 * kWordsOfList) {
      rules |= (first & test[0]).equal(test[1]) & (second & test[2]).equal(test[3]) & bits;
      bits = bits.next_block();
    }
    return rules.any();
  }
  [[gnu::always_inline]] inline std::uint32_t word(std::uint32_t offset_bytes) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, agent_ + offset_bytes, sizeof bits);
    return bits;
  }

  // The rules that hold as far as the group tells.
  [[gnu::always_inline]] inline RuleSet possible(const TableGroup& group) const {
    if (group.form == GroupForm::wide) return Path::rules(entries_of(group, Path::wide(group.rules)));
    return {group.form == GroupForm::narrow ? entries_of(group, group.rules.low) : listed(group), 0};
  }

  // The same of the first group.
  template <std::uint32_t columns>
  [[gnu::always_inline]] inline RuleSet entries_of_first() const {
    const TableGroup& group = *tables_.groups;
    const std::uint32_t* const bytes = group.bytes;
    const Wide* const entries = reinterpret_cast<const Wide*>(group.words);
    Wide rules = Path::wide(group.rules);
    for (std::uint32_t i = 0; i < columns; ++i) rules &= entries[kColumnEntries * i + agent_[bytes[i]]];
    return Path::rules(rules);
  }

  const PreparedTree& tree_;
  const DecisionTables& tables_;
  unsigned char* const agent_;
};

}  // namespace espalier

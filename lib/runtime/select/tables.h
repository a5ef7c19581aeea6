// Tables for trees that select, made in memory of the host: a decision program. Its rules are the leaves, machines and
// priorities of the tree, each with the variables that it needs, in groups of at most 64. For each byte of the agent's
// variables that its rules read, a group has a column of 256 words, one for each value of the byte; bit r of a word
// says that the value does not contradict rule r. The lowest bit that is set in all words of an agent is the rule that
// holds first: it leads to a leaf or to another group. A group none of whose rules selects a leaf continues in another
// group after the rule that led to it.
#pragma once
#include <cstdint>

namespace espalier {

inline constexpr std::uint32_t kRulesOfGroup = 64;
inline constexpr std::uint32_t kColumnWords = 256;
inline constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

// Where a rule leads: a leaf's number, or an index of another kind.
enum class TargetKind : std::uint32_t { leaf, group, machine, check };
inline constexpr std::uint32_t kTargetIndexBits = 30;
inline constexpr std::uint32_t kTargetIndexMask = (1u << kTargetIndexBits) - 1;

constexpr std::uint32_t target_of(TargetKind kind, std::uint32_t index) {
  return static_cast<std::uint32_t>(kind) << kTargetIndexBits | index;
}
constexpr TargetKind kind_of(std::uint32_t target) { return static_cast<TargetKind>(target >> kTargetIndexBits); }
constexpr std::uint32_t index_of(std::uint32_t target) { return target & kTargetIndexMask; }

struct TableGroup {
  std::uint64_t rules;           // one bit for each
  const std::uint32_t* bytes;    // of each column: which byte of the agent's block
  const std::uint64_t* words;    // kColumnWords for each column
  const std::uint32_t* targets;  // one for each rule
  const TableGroup* next;        // where to continue if none of the rules selects a leaf; null: nothing is selected
  std::uint64_t next_rules;      // which rules of that group may still hold
  std::uint32_t column_count;
  std::uint32_t padding;
};

struct TableMachine {
  std::uint32_t first_leaf;
  std::uint32_t leaf_count;
  std::uint32_t state_byte;   // of the agent's block
  std::uint32_t first_state;  // into DecisionTables::states
  std::uint32_t state_count;
};

struct TableState {
  std::uint32_t transitions;  // a group whose targets are numbers of states, as those of leaves; kNoGroup: it has none
  std::uint32_t node;         // the group of its node
};

// A rule with a condition for which a group has no room: it is tested when the rest of the rule holds.
struct TableCheck {
  std::uint32_t condition;  // an operand
  std::uint32_t target;
};

struct DecisionTables {
  const TableGroup* groups;  // the first one begins
  const TableMachine* machines;
  const TableState* states;
  const TableCheck* checks;
};

}  // namespace espalier

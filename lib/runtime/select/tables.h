// Tables for trees that select, made in memory of the host: a decision program. Its rules are the leaves, machines and
// priorities of the tree, each with the variables that it needs, in groups of at most 128. For each byte of the agent's
// variables that its rules read, a group has a column of 256 entries, one for each value of the byte; bit r of an entry
// says that the value does not contradict rule r. The lowest bit that is set in all entries of an agent is the rule
// that holds first: it leads to a leaf, to another group, or to another state. A group none of whose rules selects a
// leaf continues in another group after the rule that led to it.
//
// A group of few rules that read two words of variables is a list instead, which is smaller than columns: in blocks of
// 8, each rule has a mask and a value for each of these words.
#pragma once
#include <cstdint>

namespace espalier {

inline constexpr std::uint32_t kRulesOfWord = 64;
inline constexpr std::uint32_t kRulesOfGroup = 2 * kRulesOfWord;
inline constexpr std::uint32_t kColumnEntries = 256;

// Where a rule leads: a leaf's number, or an index of another kind. `state`: of the machine that the rule belongs to.
enum class TargetKind : std::uint32_t { leaf, group, machine, state, check };
inline constexpr std::uint32_t kTargetIndexBits = 29;
inline constexpr std::uint32_t kTargetIndexMask = (1u << kTargetIndexBits) - 1;

constexpr std::uint32_t target_of(TargetKind kind, std::uint32_t index) {
  return static_cast<std::uint32_t>(kind) << kTargetIndexBits | index;
}
constexpr TargetKind kind_of(std::uint32_t target) { return static_cast<TargetKind>(target >> kTargetIndexBits); }
constexpr std::uint32_t index_of(std::uint32_t target) { return target & kTargetIndexMask; }

// Some rules of a group: one bit for each.
struct RuleSet {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static constexpr RuleSet all() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  // The rules with a lower number.
  static constexpr RuleSet before(std::uint32_t rule) {
    const auto bits = [](std::uint32_t count) { return (std::uint64_t{1} << count) - 1; };
    if (rule < kRulesOfWord) return {bits(rule), 0};
    return {~std::uint64_t{0}, rule < kRulesOfGroup ? bits(rule - kRulesOfWord) : ~std::uint64_t{0}};
  }
  constexpr bool has(std::uint32_t rule) const {
    return ((rule < kRulesOfWord ? low : high) >> rule % kRulesOfWord & 1) != 0;
  }
  constexpr bool is_empty() const { return (low | high) == 0; }
  constexpr RuleSet operator~() const { return {~low, ~high}; }
  constexpr RuleSet& operator&=(const RuleSet& other) {
    low &= other.low;
    high &= other.high;
    return *this;
  }
};

inline constexpr std::uint32_t kListedRules = 32;
inline constexpr std::uint32_t kWordsOfList = 2;
inline constexpr std::uint32_t kRulesOfBlock = 8;

// Of the rules of a block and one word: it does not contradict a rule if `word & mask == value`.
struct BlockTest {
  std::uint32_t masks[kRulesOfBlock];
  std::uint32_t values[kRulesOfBlock];
};

// narrow: an entry is one word; wide: two.
enum class GroupForm : std::uint32_t { narrow, wide, list };
constexpr std::uint32_t words_of_entry(GroupForm form) { return form == GroupForm::wide ? 2 : 1; }

struct TableGroup {
  RuleSet rules;
  RuleSet next_rules;            // which rules of the group `next` may still hold
  const TableGroup* next;        // where to continue if none of the rules selects a leaf; null: nothing is selected
  const std::uint32_t* bytes;    // of the agent's block: that of each column; where each word of a list begins
  const std::uint64_t* words;    // kColumnEntries for each column; or for each block a BlockTest for each word
  const std::uint32_t* targets;  // one for each rule
  std::uint32_t column_count;    // or blocks
  GroupForm form;
};

struct TableMachine {
  std::uint32_t first_leaf;
  std::uint32_t leaf_count;
  std::uint32_t state_byte;   // of the agent's block
  std::uint32_t first_state;  // into DecisionTables::states
  std::uint32_t state_count;
};

// The rules of a state are its transitions, then those of its node.
struct TableState {
  std::uint32_t group;       // the first one
  std::uint32_t node_group;  // the one in which the rules of its node begin
  std::uint32_t node_rule;   // and which of that group is the first
};

// A rule with a condition for which a group has no room: it is tested when the rest of the rule holds.
struct TableCheck {
  std::uint32_t condition;  // an operand
  std::uint32_t target;
};

struct DecisionTables {
  const TableGroup* groups;  // the first one begins: a list, or wide, then with 4, 8 or more than 8 columns
  const TableMachine* machines;
  const TableState* states;
  const TableCheck* checks;
  bool is_plain;  // the targets of all rules are leaves and groups
};

}  // namespace espalier

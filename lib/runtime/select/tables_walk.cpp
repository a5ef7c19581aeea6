// Selecting a leaf by tables (tables.h). The walk in walk.cpp defines what they must select.
#include "select/tables_walk.h"
#include "core/condition.h"
#include "select/prepared.h"

namespace espalier {
namespace {

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

// The rules of the group that no byte of the agent contradicts.
inline std::uint64_t possible(const TableGroup& group, const unsigned char* agent) {
  const std::uint32_t* const bytes = group.bytes;
  const std::uint64_t* const words = group.words;
  const auto word = [&](std::uint32_t column) { return words[kColumnWords * column + agent[bytes[column]]]; };
  std::uint64_t rules = group.rules;
  std::uint32_t count = group.column_count;
  for (; count > 8; --count) rules &= word(count - 1);
  switch (count) {
    case 8:
      rules &= word(7);
      [[fallthrough]];
    case 7:
      rules &= word(6);
      [[fallthrough]];
    case 6:
      rules &= word(5);
      [[fallthrough]];
    case 5:
      rules &= word(4);
      [[fallthrough]];
    case 4:
      rules &= word(3);
      [[fallthrough]];
    case 3:
      rules &= word(2);
      [[fallthrough]];
    case 2:
      rules &= word(1);
      [[fallthrough]];
    case 1:
      rules &= word(0);
      break;
    default:
      break;
  }
  return rules;
}

constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

// The target of the first of these rules that holds, some of which are tested.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
std::uint32_t
checked_target(const PreparedTree& tree, const unsigned char* agent, const TableGroup& group, std::uint64_t rules) {
  const TableCheck* checks = static_cast<const DecisionTables*>(tree.tables())->checks;
  for (; rules != 0; rules &= rules - 1) {
    const std::uint32_t target = group.targets[lowest_bit(rules)];
    if (kind_of(target) != TargetKind::check) return target;
    const TableCheck& check = checks[index_of(target)];
    if (holds(tree.conditions(), tree.tests(), check.condition, agent)) return check.target;
  }
  return kNoTarget;
}

// The target of the first rule that holds in this group or in those after it; kNoTarget: none does.
inline std::uint32_t first_target(const PreparedTree& tree, const unsigned char* agent, const TableGroup* group) {
  for (std::uint64_t allowed = ~std::uint64_t{0};;) {
    const std::uint64_t rules = possible(*group, agent) & allowed;
    if (rules != 0) {
      std::uint32_t target = group->targets[lowest_bit(rules)];
      if (kind_of(target) == TargetKind::check) target = checked_target(tree, agent, *group, rules);
      if (target != kNoTarget) return target;
    }
    allowed = group->next_rules;
    group = group->next;
    if (group == nullptr) return kNoTarget;
  }
}

// Follows transitions as SelectWalk does, stores the state, and returns the group of its node.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
std::uint32_t
enter_machine(const PreparedTree& tree, unsigned char* agent, std::uint32_t current_leaf, std::uint32_t number) {
  const DecisionTables& tables = *static_cast<const DecisionTables*>(tree.tables());
  const TableMachine& machine = tables.machines[number];
  unsigned char& byte = agent[machine.state_byte];
  const std::uint32_t stored = byte & kStateMask;
  const bool active = current_leaf - machine.first_leaf < machine.leaf_count;
  const TableState* const states = tables.states + machine.first_state;
  std::uint32_t state = active && stored < machine.state_count ? stored : 0;
  for (std::uint32_t visited = std::uint32_t{1} << stored; states[state].transitions != kNoGroup;) {
    const std::uint32_t target = first_target(tree, agent, tables.groups + states[state].transitions);
    if (target == kNoTarget) break;
    state = target;
    if ((visited >> target & 1) != 0) break;
    visited |= std::uint32_t{1} << target;
  }
  byte = static_cast<unsigned char>((byte & ~kStateMask) | state);
  return states[state].node;
}

// The leaf that is selected, or kNoLeaf. Machines' states are stored in the agent as they are reached.
inline std::uint32_t selected_leaf(const PreparedTree& tree, unsigned char* agent, std::uint32_t current_leaf) {
  const TableGroup* const groups = static_cast<const DecisionTables*>(tree.tables())->groups;
  for (const TableGroup* group = groups;;) {
    const std::uint32_t target = first_target(tree, agent, group);
    if (kind_of(target) == TargetKind::leaf) return target;
    if (target == kNoTarget) return kNoLeaf;
    const std::uint32_t index = index_of(target);
    group = groups + (kind_of(target) == TargetKind::group ? index : enter_machine(tree, agent, current_leaf, index));
  }
}

}  // namespace

espalier_result evaluate_by_tables(const Prepared* prepared, void* block, const Host* host) {
  const PreparedTree tree(*prepared);
  if (!check_update(tree, block, host)) return Result::error;
  auto* agent = static_cast<unsigned char*>(block);
  const SelectBlock own = tree.block();
  if (!tree.tells_quiet() && !own.needs_evaluation(agent)) return Result::running;
  const std::uint32_t old_leaf = own.leaf(agent);
  const std::uint32_t leaf = selected_leaf(tree, agent, old_leaf);
  if (tree.tells_quiet() && calls_nothing(tree.asset(), *host)) {
    tree.store_quiet(agent, leaf);
    return leaf == kNoLeaf ? Result::failure : Result::running;
  }
  own.clear_changed(agent);
  return take_leaf(tree, own, agent, old_leaf, leaf, *host);
}

}  // namespace espalier

// Trees that store their results: cooldowns and groups wait; actions and conditions are the host's; trees are put into
// slots. What agents share is a part of the state.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/engines.h"
#include "explore/given.h"
#include "explore/run.h"
#include "explore/store/slice.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/store/cursor.h"
#include "runtime/store/nodes.h"
#include "runtime/store/path.h"
#include "runtime/store/store.h"

namespace espalier::explore {
namespace {

// ---- What agents of a tree may run

// Does the slot of an agent of this tree accept the other tree?
bool is_accepted(const Tree& tree, std::uint32_t slot, std::uint32_t injected) {
  const Asset& asset = *tree.asset;
  bool is_accepted = false;
  visit_accepted(asset, slot_record(asset, slot), [&](std::uint32_t index) { is_accepted |= index == injected; });
  const std::uint32_t below = std::max<std::uint32_t>(codegen::store_record(tree).level_count - 1u, 1u);
  return is_accepted && need_of(asset, injected, below) <= room_of(asset, slot, below);
}

// The tree, those that may run in its slots, and so on.
std::vector<Tree> trees_to_run(const Tree& tree) {
  const Asset& asset = *tree.asset;
  std::vector<Tree> trees = {tree};
  std::set<std::uint32_t> known = {tree.index};
  const auto add = [&](std::uint32_t index) {
    if (known.insert(index).second) trees.push_back({&asset, index});
  };
  for (std::size_t i = 0; i < trees.size(); ++i) {
    codegen::visit_tree(Tree(trees[i]), [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (node.opcode != opcode::store_child) return;
      if (const std::uint32_t standard = *codegen::operand(node, OperandKind::tree)) add(standard - 1);
      const std::uint32_t slot = *codegen::operand(node, OperandKind::slot);
      visit_accepted(asset, slot_record(asset, slot), [&](std::uint32_t index) {
        if (is_accepted(tree, slot, index)) add(index);
      });
    });
  }
  return trees;
}

template <typename Visit>
void visit_nodes_to_run(const Tree& tree, const Visit& visit) {
  for (const Tree& run : trees_to_run(tree)) {
    codegen::visit_tree(run, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) { visit(node); });
  }
}

void visit_store_questions(const Tree& tree, const EngineRow::VisitQuestion& visit) {
  const Asset& asset = *tree.asset;
  visit_nodes_to_run(tree, [&](const codegen::NodeView& node) {
    if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
      visit({.name = std::string(behavior_name(asset, *behavior)), .is_called = true}, *behavior, NodeAsks::behavior,
            node.word);
    } else if (const std::uint32_t* condition = codegen::operand(node, OperandKind::host_condition)) {
      visit({.name = std::string(host_condition_name(asset, *condition)), .is_asked = true}, *condition,
            NodeAsks::condition, node.word);
    }
  });
}

bool may_inject_stored(const Tree& tree, std::uint32_t slot, std::uint32_t injected) {
  if (injected != kNoTree &&
      (engine_id_of({tree.asset, injected}) != EngineId::store || !is_accepted(tree, slot, injected)))
    return false;
  bool is_used = false;
  visit_nodes_to_run(tree, [&](const codegen::NodeView& node) {
    is_used |= node.opcode == opcode::store_child && *codegen::operand(node, OperandKind::slot) == slot;
  });
  return is_used;
}

template <typename Visit>
void visit_groups(const Tree& tree, const Visit& visit) {
  for (const Tree& run : trees_to_run(tree)) {
    const layout::StoreTree& record = codegen::store_record(run);
    for (std::uint32_t i = 0; i < record.group_count; ++i) visit(record.first_group + i);
  }
}

const layout::Group& group_record(const Asset& asset, std::uint32_t group) {
  return records<layout::Group>(asset, layout::SectionId::groups)[group];
}

constexpr std::uint32_t kMaxAgentsOfGates = 3;

// As many as the largest group has roles; and one more than may be in a gate, or in a cooldown of all agents.
EngineRow::Agents agents_of_storing(const Tree& tree) {
  std::uint32_t count = 1;
  std::uint32_t outside_count = 1;
  visit_nodes_to_run(tree, [&](const codegen::NodeView& node) {
    if (node.opcode == opcode::store_cooldown_all) outside_count = std::max(outside_count, 2u);
    if (node.opcode != opcode::store_gate) return;
    outside_count = std::max(outside_count, *codegen::operand(node, OperandKind::maximum) + 1);
  });
  visit_groups(tree,
               [&](std::uint32_t group) { count = std::max(count, group_record(*tree.asset, group).role_count); });
  return {std::max(count, outside_count), std::max(count, std::min(outside_count, kMaxAgentsOfGates))};
}

// Times, counts, a seat in a group, or the tree in a slot. What monitors keep is in the agent's list of them.
bool keeps_more_than_result(const StoreInstance& instance, const codegen::NodeView& node) {
  if (node.opcode == opcode::store_monitor) return false;
  if (node.opcode == opcode::store_action)
    return instance.may_have_memory() && instance.has_memory(nodes_of(instance.asset()) + node.word);
  const StoreRow& row = store_row(node.opcode);
  return row.times + row.counts + row.seats > 0;
}

void find_keeping_nodes(Side& side) {
  side.keeping_nodes.resize(tree_count(*side.tree.asset));
  for (const Tree& run : trees_to_run(side.tree)) {
    const StoreInstance instance(*run.asset, run.index, nullptr, 0);
    codegen::visit_tree(run, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (keeps_more_than_result(instance, node)) side.keeping_nodes[run.index].push_back(node.word);
    });
  }
}

// Is a tree evaluated once in an update, in the order of its nodes? Then what is left follows from where it is.
bool is_passed_once(const Tree& tree) {
  bool is_in_order = true;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    const bool is_left = node.opcode == opcode::store_child || node.opcode == opcode::store_monitor ||
                         node.opcode == opcode::store_group;
    is_in_order = is_in_order && !is_left && !is_each(nodes_of(*tree.asset) + node.word);
  });
  return is_in_order;
}

void prepare_storing(Side& side, const Facts&) {
  find_keeping_nodes(side);
  side.is_passed_once = is_passed_once(side.tree);
  visit_groups(side.tree, [&](std::uint32_t group) { side.groups.push_back(group); });
  visit_nodes_to_run(side.tree, [&](const codegen::NodeView& node) {
    if (node.opcode != opcode::store_cooldown_all) return;
    side.opening_times.push_back(*codegen::operand(node, OperandKind::shared_value));
  });
}

// ---- Going on from where the host is asked

bool add_asked_node(const Call& call, std::string& key) {
  if (!Run::of(&call).side().is_passed_once) return false;
  key.append(reinterpret_cast<const char*>(&call.node_word), sizeof call.node_word);
  return true;
}

Result go_on_in_order(const Side& side, unsigned char* block, const std::string& rest, const Host& host,
                      const Watcher& watcher) {
  std::uint32_t word = 0;
  std::memcpy(&word, rest.data(), sizeof word);
  return go_on_storing(side.tree, block, host, watcher, nodes_of(*side.tree.asset) + word);
}

// ---- Times

// Calls visit(node) for each node of the tree that keeps more than its result.
template <typename Visit>
void visit_keeping(const Side& side, const StoreInstance& instance, const Visit& visit) {
  const std::uint32_t* const nodes = nodes_of(instance.asset());
  for (const std::uint32_t word : side.keeping_nodes[instance.tree()]) visit(nodes + word);
}

// Calls visit(const StoreInstance&, node) for each of these in the agent's trees, those that ran last in a slot, too.
template <typename Visit>
void visit_instance(const Side& side, const StoreInstance& instance, const Visit& visit) {
  visit_keeping(side, instance, [&](const std::uint32_t* node) {
    if (instance.has_room(node)) visit_instance(side, instance.child(node), visit);
    visit(instance, node);
  });
}

// The agent's time of arrival, and what it is at most at that group's timeout; null: it does not wait.
bool waits_in_group(const StoreInstance& instance, const std::uint32_t* node, const unsigned char* shared) {
  const layout::Group& group = instance.group(node);
  const unsigned char seat = instance.byte(kept_at(node));
  return seat != 0 && !StoreGroup(group, const_cast<unsigned char*>(shared)).is_bound();
}

void find_store_waits(const Side& side, const unsigned char* block, const unsigned char* shared,
                      std::vector<std::uint64_t>& waits_us) {
  const auto add = [&](std::uint64_t end_us) {
    if (end_us > kNow) waits_us.push_back(end_us - kNow);
  };
  visit_instance(side, StoreInstance::of(side.tree, const_cast<unsigned char*>(block)),
                 [&](const StoreInstance& instance, const std::uint32_t* node) {
                   if (opcode_of(node) == opcode::store_cooldown) add(instance.time(kept_at(node)));
                   if (opcode_of(node) != opcode::store_group) return;
                   const std::uint32_t time = operand<OperandKind::time, EngineId::store>(node);
                   if (time == layout::kNone || !waits_in_group(instance, node, shared)) return;
                   add(instance.time(time) + instance.group(node).timeout_us);
                 });
  for (const std::uint32_t value : side.opening_times) add(load_u64(shared + std::size_t{8} * value));
}

void add_store_durations(const Side& side, std::vector<std::uint64_t>& durations_us) {
  const Asset& asset = *side.tree.asset;
  const auto* numbers = array<std::uint64_t>(asset, layout::SectionId::numbers);
  visit_nodes_to_run(side.tree, [&](const codegen::NodeView& node) {
    if (node.opcode == opcode::store_cooldown || node.opcode == opcode::store_cooldown_all) {
      durations_us.push_back(numbers[*codegen::operand(node, OperandKind::number)]);
    } else if (node.opcode == opcode::store_group) {
      const std::uint64_t timeout_us = group_record(asset, *codegen::operand(node, OperandKind::group)).timeout_us;
      if (timeout_us != layout::kNoTimeout) durations_us.push_back(timeout_us);
    }
  });
}

// ---- What does not matter any more

// A time that has passed is that of a cooldown that was never used.
std::uint64_t settled_opening(std::uint64_t opens_us, std::uint64_t passed_us) {
  return opens_us <= kNow + passed_us ? 0 : opens_us - passed_us;
}

class SettledAgent {
 public:
  SettledAgent(const Side& side, unsigned char* block, const unsigned char* shared, std::uint64_t passed_us,
               Settling& settling)
      : side_(side), tree_(side.tree), block_(block), shared_(shared), passed_us_(passed_us), settling_(settling) {}

  void settle() const {
    const StoreInstance own = StoreInstance::of(tree_, block_);
    StoreCursor(tree_, block_).clear();
    drop_monitors(own);
    settle_instance(own, own.record().level_count);
  }

 private:
  // Those that were reset.
  void drop_monitors(const StoreInstance& own) const {
    MonitorList monitors(block_);
    if (monitors.last() == 0) return;
    StorePath path(own);
    monitors.walk(
        [&](std::uint32_t link) {
          const std::uint32_t* monitor = path.find_monitor(link);
          return path.instance().stored(monitor) != Stored::none;
        },
        [](std::uint32_t) { return true; });
  }

  void settle_instance(const StoreInstance& instance, std::uint32_t level_count) const {
    bool has_rooms = false;
    visit_keeping(side_, instance, [&](const std::uint32_t* node) {
      has_rooms |= opcode_of(node) == opcode::store_child;
      settle_node(instance, node, level_count);
    });
    if (has_rooms) clear_free_rooms(instance, level_count);
  }

  void settle_node(const StoreInstance& instance, const std::uint32_t* node, std::uint32_t level_count) const {
    const bool is_running = instance.stored(node) == Stored::running;
    switch (opcode_of(node)) {
      case opcode::store_action:
        return instance.times(node).begin(0);
      case opcode::store_repeat:
      case opcode::store_barrier:
        if (!is_running) instance.set_word(kept_at(node), 0);
        return;
      case opcode::store_cooldown:
        return set_time(instance, kept_at(node), settled_opening(instance.time(kept_at(node)), passed_us_));
      case opcode::store_group:
        return settle_group(instance, node);
      case opcode::store_child:
        return settle_child(instance, node, level_count);
      default:
        return;
    }
  }

  void settle_group(const StoreInstance& instance, const std::uint32_t* node) const {
    const std::uint32_t time = operand<OperandKind::time, EngineId::store>(node);
    if (time == layout::kNone) return;
    const std::uint64_t timeout_us = instance.group(node).timeout_us;
    const bool is_waiting = waits_in_group(instance, node, shared_);
    const std::uint64_t end_us = std::max(instance.time(time) + timeout_us, kNow + passed_us_) - passed_us_;
    set_time(instance, time, is_waiting ? end_us - timeout_us : 0);
  }

  void set_time(const StoreInstance& instance, std::uint32_t offset, std::uint64_t time_us) const {
    instance.set_time(offset, time_us);
    if (time_us != 0) settling_.times.push_back({block_ + instance.offset() + offset, 0});
  }

  // A tree that has no result, and whose cooldowns are open, is as if it had never run.
  void settle_child(const StoreInstance& instance, const std::uint32_t* node, std::uint32_t level_count) const {
    if (!instance.has_room(node)) return;
    const StoreInstance child = instance.child(node);
    settle_instance(child, level_count - 1);
    if (instance.stored(node) != Stored::none) return;
    const unsigned char* const begin = block_ + child.offset();
    const unsigned char* const end = begin + child.need(level_count - 1);
    if (std::any_of(begin, end, [](unsigned char byte) { return byte != 0; })) return;
    instance.set_word(kept_at(node), 0);
    instance.set_word(kept_at(node) + 2, 0);
  }

  // The bytes of rooms that no tree has.
  void clear_free_rooms(const StoreInstance& instance, std::uint32_t level_count) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
    visit_keeping(side_, instance, [&](const std::uint32_t* node) {
      if (!instance.has_room(node)) return;
      const StoreInstance child = instance.child(node);
      taken.emplace_back(child.offset(), child.offset() + child.need(level_count - 1));
    });
    std::sort(taken.begin(), taken.end());
    std::uint32_t at = instance.offset() + instance.own_bytes();
    const std::uint32_t end = instance.offset() + instance.need(level_count);
    taken.emplace_back(end, end);
    for (const auto& [begin, taken_end] : taken) {
      if (begin > at) std::memset(block_ + at, 0, begin - at);
      at = std::max(at, taken_end);
    }
  }

  const Side& side_;
  const Tree& tree_;
  unsigned char* const block_;
  const unsigned char* const shared_;
  const std::uint64_t passed_us_;
  Settling& settling_;
};

void settle_storing(const Side& side, unsigned char* block, const unsigned char* shared, std::uint64_t passed_us,
                    Settling& settling) {
  SettledAgent(side, block, shared, passed_us, settling).settle();
}

// A group in the shared block.
class SettledGroup {
 public:
  SettledGroup(const Side& side, std::uint32_t group, unsigned char* state)
      : side_(side),
        state_(state),
        record_(group_record(*side.tree.asset, group)),
        shared_(*reinterpret_cast<SharedGroup*>(state + side.shared_offset + record_.shared_offset)),
        seats_(reinterpret_cast<SharedSeat*>(&shared_ + 1)),
        arrivals_(reinterpret_cast<std::uint16_t*>(seats_ + record_.role_count)) {}

  void settle() const {
    if (shared_.taken_count == 0) return;
    if (shared_.is_bound == 0) return number_arrivals();
    // Roles were given: how does not matter any more.
    shared_.next_arrival = 0;
    for (std::uint32_t i = 0; i < record_.role_count; ++i) seats_[i].arrival = seats_[i].met = 0;
    if (shared_.broken != 0) {
      std::memset(shared_.results, 0, sizeof shared_.results);
      std::memset(arrivals_, 0, std::size_t{2} * record_.role_count * record_.barrier_count);
      return;
    }
    for (std::uint32_t barrier = 0; barrier < record_.barrier_count; ++barrier) settle_barrier(barrier);
  }

 private:
  // Only their order matters.
  void number_arrivals() const {
    std::uint32_t order[layout::kMaxRoles];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < record_.role_count; ++i) {
      if (seats_[i].is_taken != 0) order[count++] = i;
    }
    std::sort(order, order + count, [&](std::uint32_t left, std::uint32_t right) {
      return static_cast<std::int32_t>(seats_[left].arrival - seats_[right].arrival) < 0;
    });
    for (std::uint32_t i = 0; i < count; ++i) seats_[order[i]].arrival = i;
    shared_.next_arrival = count;
  }

  // Only differences matter, between roles that are not done.
  void settle_barrier(std::uint32_t barrier) const {
    const auto barriers = records<layout::Barrier>(*side_.tree.asset, layout::SectionId::barriers);
    const std::uint32_t roles = barriers[record_.first_barrier + barrier].roles;
    std::uint16_t least = 0xFFFF;
    const auto waits = [&](std::uint32_t role) { return (roles >> role & 1) != 0 && shared_.results[role] == 0; };
    for (std::uint32_t role = 0; role < record_.role_count; ++role) {
      if (waits(role)) least = std::min(least, arrivals(role, barrier));
    }
    for (std::uint32_t role = 0; role < record_.role_count; ++role) {
      arrivals(role, barrier) = waits(role) ? static_cast<std::uint16_t>(arrivals(role, barrier) - least) : 0;
    }
    if (least == 0 || least == 0xFFFF) return;
    for (std::uint32_t agent = 0; agent < side_.agent_count; ++agent) lower_arrivals(agent, barrier, least);
  }
  std::uint16_t& arrivals(std::uint32_t role, std::uint32_t barrier) const {
    return arrivals_[role * record_.barrier_count + barrier];
  }

  // Of the agent's barriers that run.
  void lower_arrivals(std::uint32_t agent, std::uint32_t barrier, std::uint32_t by) const {
    const auto lower = [&](const StoreInstance& instance, const std::uint32_t* node) {
      if (opcode_of(node) != opcode::store_barrier || instance.stored(node) != Stored::running) return;
      const std::uint32_t* role = node;
      while (opcode_of(role) != opcode::store_role) role = parent_of(role);
      if (&instance.group(parent_of(role)) != &record_) return;
      if (operand<OperandKind::barrier, EngineId::store>(node) != barrier) return;
      instance.set_word(kept_at(node), (instance.word(kept_at(node)) - by) & 0xFFFF);
    };
    visit_instance(side_, StoreInstance::of(side_.tree, World::block(side_, state_, agent)), lower);
  }

  const Side& side_;
  unsigned char* const state_;
  const layout::Group& record_;
  SharedGroup& shared_;
  SharedSeat* const seats_;
  std::uint16_t* const arrivals_;
};

void settle_shared_store(const Side& side, unsigned char* state, std::uint64_t passed_us, Settling& settling) {
  for (const std::uint32_t value : side.opening_times) {
    unsigned char* opens = state + side.shared_offset + std::size_t{8} * value;
    store_u64(opens, settled_opening(load_u64(opens), passed_us));
    if (load_u64(opens) != 0) settling.times.push_back({opens, 0});
  }
  for (const std::uint32_t group : side.groups) SettledGroup(side, group, state).settle();
}

}  // namespace

constinit const EngineRow kStoreExploring = {
    .behavior = {.tick = Run::tick_action},
    .condition = {.ask = Run::ask_host},
    .questions = visit_store_questions,
    .may_inject = may_inject_stored,
    .agents = agents_of_storing,
    .has_ends_alone = [](const Side&) { return true; },
    .asks_anew = true,
    .rest_of_update = add_asked_node,
    .go_on = go_on_in_order,
    .slice = slice_storing,
    .prepare = prepare_storing,
    .inputs = read_parameters,
    .waits = find_store_waits,
    .durations = add_store_durations,
    .settle = settle_storing,
    .settle_shared = settle_shared_store,
};

}  // namespace espalier::explore

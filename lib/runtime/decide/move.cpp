// Moves an agent of deciders to another version of its tree. State that both versions have is copied by name.
#include "decide/decide.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

struct Version {
  const Tree& view;
  const DeciderTree& tree;
  DeciderAgent agent;
};

std::string_view name_of(const Version& version, const Placed& placed) {
  return decider_name(version.view, version.tree.word_of(placed));
}

// Can an active decider continue as the other one? True if both have the same kind, name, behaviour and memory sizes.
// Without debug data all names are empty, and so equal.
bool is_same(const Version& from, const Placed& old, const Version& to, const Placed& placed) {
  if (old.opcode() != placed.opcode() || name_of(from, old) != name_of(to, placed)) return false;
  const layout::Decider& a = *old.decider;
  const layout::Decider& b = *placed.decider;
  if ((a.behavior == 0) != (b.behavior == 0) || a.memory_bytes != b.memory_bytes || a.block_bytes != b.block_bytes) {
    return false;
  }
  if (a.behavior == 0) return true;
  const Asset& old_asset = *from.view.asset;
  const Asset& asset = *to.view.asset;
  return behavior_name(old_asset, a.behavior - 1) == behavior_name(asset, b.behavior - 1) &&
         keeps_times(old_asset, a.behavior - 1) == keeps_times(asset, b.behavior - 1);
}

// The corresponding child of a group; null if there is none. If there are several, the one at the same index is
// preferred.
Placed find_child(const Version& from, const Placed& old_group, const Placed& old, const Version& to,
                  const Placed& group) {
  Placed found;
  const std::uint32_t* beside = old_group.first_child();
  bool is_beside = false;
  for (const std::uint32_t* child = group.first_child(); child != group.end(); child = end_of(child)) {
    const Placed placed = to.tree.placed(child);
    if (beside != old_group.end()) {
      is_beside = beside == old.placement;
      beside = end_of(beside);
    } else {
      is_beside = false;
    }
    if (!is_same(from, old, to, placed)) continue;
    if (is_beside) return placed;
    if (found.placement == nullptr) found = placed;
  }
  return found;
}

// Calls `visit` for each level of the old path that the new tree also has, from the root on, with the level's number,
// the old decider and the new one. Returns the number of these levels.
template <typename Visit>
std::uint32_t visit_common(const Version& from, const Version& to, const Visit& visit) {
  const std::uint32_t count = from.agent.level_count();
  Placed old_group;
  Placed group;
  for (std::uint32_t level = 0; level < count; ++level) {
    const Placed old = from.agent.level(level);
    const Placed root = to.tree.root();
    const Placed placed = level > 0                      ? find_child(from, old_group, old, to, group)
                          : is_same(from, old, to, root) ? root
                                                         : Placed{};
    if (placed.placement == nullptr) return level;
    visit(level, old, placed);
    old_group = old;
    group = placed;
  }
  return count;
}

void copy_path(const Version& from, const Version& to) {
  unsigned char* old_place = from.agent.memory();
  unsigned char* place = to.agent.memory();
  const std::uint32_t count = visit_common(from, to, [&](std::uint32_t level, const Placed& old, const Placed& placed) {
    to.agent.set_level(level, placed.placement, from.agent.since_us(level));
    std::memcpy(place, old_place, level_bytes(*old.decider));
    old_place += level_bytes(*old.decider);
    place += level_bytes(*placed.decider);
  });
  to.agent.set_level_count(count);
}

// Sets the timeouts of copied stimuli. A stimulus with a timeout in both versions ends when it would have ended before.
void set_timeouts(const Version& from, const Version& to, std::uint64_t clock_us) {
  for (std::uint32_t i = 0; i < stimulus_count(from.view); ++i) {
    std::uint32_t found = 0;
    if (find_stimulus(to.view, stimulus_name(from.view, i), &found) != Status::ok) continue;
    const layout::Stimulus& old = from.tree.stimulus(i);
    const layout::Stimulus& now = to.tree.stimulus(found);
    if (now.timeout == layout::kNone) continue;
    to.agent.set_timeout(now, old.timeout != layout::kNone ? from.agent.timeout(old) : clock_us + now.timeout_us);
  }
}

// Do two groups have the same children in the same places?
bool has_same_children(const Version& from, const Placed& old, const Version& to, const Placed& group) {
  const std::uint32_t* old_child = old.first_child();
  const std::uint32_t* child = group.first_child();
  while (old_child != old.end() && child != group.end()) {
    if (name_of(from, from.tree.placed(old_child)) != name_of(to, to.tree.placed(child))) return false;
    old_child = end_of(old_child);
    child = end_of(child);
  }
  return old_child == old.end() && child == group.end();
}

// Copies a decider's state other than the path: the time of its last call, the child that ran last, its order.
void copy_state(const Version& from, const Placed& old, const Version& to, const Placed& now) {
  if (old.decider->timer != layout::kNone && now.decider->timer != layout::kNone) {
    to.agent.set_timer(*now.decider, from.agent.timer(*old.decider));
  }
  if (old.opcode() != now.opcode()) return;
  if (old.opcode() == opcode::decide_sequential) {
    const std::uint32_t stored = from.agent.ran_last(*old.decider);
    if (stored == 0) return;
    const Placed last = from.tree.placed(std::uint64_t{stored - 1});
    const Placed found = find_child(from, old, last, to, now);
    if (found.placement != nullptr) to.agent.set_ran_last(*now.decider, 1 + to.tree.number_of(found.placement));
  } else if (old.opcode() == opcode::decide_shuffle && has_same_children(from, old, to, now)) {
    std::memcpy(to.agent.order(*now.decider), from.agent.order(*old.decider), 1 + now.decider->child_count);
  }
}

bool has_state(const Placed& placed) {
  return placed.decider->timer != layout::kNone || placed.opcode() == opcode::decide_sequential ||
         placed.opcode() == opcode::decide_shuffle;
}

bool is_share(const Placed& placed) { return placed.placement != placed.node; }

// Copies the state of each decider to the decider with its name. The search begins after the last one that was found,
// so in similar versions it succeeds at once.
void copy_states(const Version& from, const Version& to) {
  const std::uint32_t count = to.tree.record.node_count;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < from.tree.record.node_count; ++i) {
    const Placed old = from.tree.placed(std::uint64_t{i});
    if (is_share(old) || !has_state(old)) continue;
    const std::string_view name = name_of(from, old);
    for (std::uint32_t tried = 0; tried < count; ++tried, next = next + 1 < count ? next + 1 : 0) {
      const Placed now = to.tree.placed(std::uint64_t{next});
      if (is_share(now) || !has_state(now) || name_of(to, now) != name) continue;
      copy_state(from, old, to, now);
      next = next + 1 < count ? next + 1 : 0;
      break;
    }
  }
}

}  // namespace

// First deactivates the levels that the new version does not have; their behaviours may still change the old agent.
void move_deciders(const Tree& from_view, void* from_block, const Host& from_host, const Tree& to_view, void* to_block,
                   const Host& to_host) {
  const DeciderTree from_tree(from_view);
  const DeciderTree to_tree(to_view);
  const Version from = {from_view, from_tree, {from_tree, from_block}};
  const Version to = {to_view, to_tree, {to_tree, to_block}};
  const std::uint32_t common = visit_common(from, to, [](std::uint32_t, const Placed&, const Placed&) {});
  deactivate(from_view, from_block, from_host, common);
  copy_path(from, to);
  set_timeouts(from, to, to_host.clock_us);
  copy_states(from, to);
}

namespace {

constexpr Engine kReloadEngine = with_move(kDecideRow, move_deciders);

}  // namespace

}  // namespace espalier

const espalier_engine* espalier_decide_reload_engine(void) { return &espalier::kReloadEngine; }

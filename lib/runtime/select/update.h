// What one update of an agent of a tree that selects does, whoever watches.
#pragma once
#include "asset/view.h"
#include "core/variables.h"
#include "select/walk.h"

namespace espalier {

// Tells the host that the behaviour of `leaf` begins or ends; nothing for a leaf that is none.
inline void call_behavior(const Tree& tree, unsigned char* agent, std::uint32_t leaf,
                          BehaviorFunction Behavior::*function, const Host& host) {
  const layout::Tree& record = tree_record(tree);
  if (host.behaviors == nullptr || leaf >= record.leaf_count) return;
  const std::uint32_t behavior = leaf_behavior(tree, leaf);
  const Behavior& bound = host.behaviors[behavior];
  if (bound.*function != nullptr)
    (bound.*function)({tree, agent, behavior, leaf, host.user, bound.user, 0, 0, nullptr});
}

// Everything is stored before the host is called, so that what it sets counts as changed after this evaluation.
template <typename Watch>
Result evaluate(const Tree& tree, unsigned char* agent, const Host& host, Watch watch) {
  const layout::Tree& record = tree_record(tree);
  const std::uint32_t old_leaf = load_leaf(record, agent);
  if (record.dirty_bit != layout::kNone) store_bit(agent, record.dirty_bit, false);
  const std::uint32_t leaf = SelectWalk<Watch>(tree, agent, watch).run();
  const std::uint32_t stored = leaf == kNoLeaf ? leaf_mask(record) : leaf;
  if (stored != old_leaf) {
    store_leaf(record, agent, stored);
    call_behavior(tree, agent, old_leaf, &Behavior::destruct, host);
    call_behavior(tree, agent, leaf, &Behavior::construct, host);
  }
  return leaf == kNoLeaf ? Result::failure : Result::running;
}

}  // namespace espalier

// What one update of an agent of a tree that selects does, whoever watches.
#pragma once
#include "asset/view.h"
#include "core/host_call.h"
#include "core/variables.h"
#include "select/walk.h"

namespace espalier {

// Calls a function of a leaf's behaviour; nothing of a leaf that is none.
inline void call_behavior(const Tree& tree, unsigned char* agent, std::uint32_t leaf,
                          void (BoundBehavior::*function)() const, const Host& host) {
  if (leaf >= tree_record(tree).leaf_count) return;
  HostCaller caller(tree, agent, host, leaf);
  (caller.behavior(leaf_behavior(tree, leaf), 0).*function)();
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
    call_behavior(tree, agent, old_leaf, &BoundBehavior::leave, host);
    call_behavior(tree, agent, leaf, &BoundBehavior::enter, host);
  }
  return leaf == kNoLeaf ? Result::failure : Result::running;
}

}  // namespace espalier

// Agents of trees that select: calls of their behaviours, their end, and whether a block is one's.
#include "select/select.h"

namespace espalier {

void call_behavior(const Tree& tree, unsigned char* agent, std::uint32_t leaf, void (BoundBehavior::*function)() const,
                   const Host& host) {
  if (leaf >= tree_record(tree).leaf_count) return;
  HostCaller caller(tree, agent, host, leaf);
  (caller.behavior(leaf_behavior(tree, leaf), 0).*function)();
}

void stop_selecting(const Tree& tree, void* block, const Host& host) {
  const layout::Tree& record = tree_record(tree);
  auto* agent = static_cast<unsigned char*>(block);
  const std::uint32_t leaf = load_leaf(record, agent);
  store_leaf(record, agent, leaf_mask(record));
  call_behavior(tree, agent, leaf, &BoundBehavior::leave, host);
  std::memset(agent + record.state_offset, 0, record.state_bytes);
}

// A state that its machine has not is taken for the first one: every byte of state is safe.
bool check_selecting(const Tree& tree, const void* block, const void*) {
  const layout::Tree& record = tree_record(tree);
  const std::uint32_t leaf = load_leaf(record, static_cast<const unsigned char*>(block));
  return leaf < record.leaf_count || leaf == leaf_mask(record);
}

}  // namespace espalier

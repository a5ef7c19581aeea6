// Agents of trees that select: calling behaviours, stopping, and checking blocks.
#include "select/select.h"

namespace espalier {

void call_behavior(const Tree& tree, unsigned char* agent, std::uint32_t leaf, void (BoundBehavior::*function)() const,
                   const Host& host) {
  if (leaf >= tree_record(tree).leaf_count) return;
  const std::uint32_t behavior = leaf_behavior(tree, leaf);
  const Times times = times_of_current(tree, agent, behavior);
  if (function == &BoundBehavior::enter) times.begin(host.clock_us);
  HostCaller caller(tree, agent, host, leaf);
  (caller.behavior(behavior, 0, times.of({}, host.clock_us)).*function)();
}

// The behaviour is informed last, so it may signal and set the agent as it likes.
void signal_selecting(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                      const Watcher* watcher) {
  auto* agent = static_cast<unsigned char*>(block);
  assign_variables(tree, agent, signal, watcher);
  const std::uint32_t leaf = SelectBlock(tree).leaf(agent);
  if (leaf >= tree_record(tree).leaf_count) return;
  const std::uint32_t behavior = leaf_behavior(tree, leaf);
  const Times times = times_of_current(tree, agent, behavior);
  HostCaller caller(tree, agent, host, leaf);
  caller.behavior(behavior, 0, times.of({}, host.clock_us)).event(signal, data);
  times.called(host.clock_us);
}

void stop_selecting(const Tree& tree, void* block, const Host& host) {
  auto* agent = static_cast<unsigned char*>(block);
  const SelectBlock own(tree);
  const layout::Part& states = part_of<EngineId::select, PartKind::states>(tree);
  const std::uint32_t leaf = own.leaf(agent);
  own.set_leaf(agent, own.none);
  call_behavior(tree, agent, leaf, &BoundBehavior::leave, host);
  std::memset(agent + offset_bytes(states), 0, states.count);
}

// Every byte of state is safe: a state that does not exist in its machine is treated as the first one.
bool check_selecting(const Tree& tree, const void* block, const void*) {
  const SelectBlock own(tree);
  const std::uint32_t leaf = own.leaf(static_cast<const unsigned char*>(block));
  return leaf < own.leaf_count || leaf == own.none;
}

}  // namespace espalier

// Updates of agents of trees that store their results. Most only call an action that goes on: see resumable_action().
#include "core/host_call.h"
#include "store/cursor.h"
#include "store/store.h"

namespace espalier {
namespace {

// The action at an agent's cursor, if all that an update does is to call it, and to go on if it is not running: no
// monitor is registered, the agent has no seat in a group, and the action keeps no times. Else null.
const std::uint32_t* resumable_action(const Tree& tree, void* block) {
  static_assert(kMonitorsOffset == 0 && kSeatsOffset == 2);
  if (load_u32(static_cast<unsigned char*>(block)) != 0) return nullptr;
  const std::uint32_t number = StoreCursor(tree, block).number();
  if (number == 0) return nullptr;
  const std::uint32_t* node = numbered_node(*tree.asset, unit_record(tree), number);
  if (opcode_of(node) != Opcode::store_action) return nullptr;
  return keeps_times(*tree.asset, operand<OperandKind::behavior, Opcode::store_action>(node)) ? nullptr : node;
}

Result update_agent(const Tree& tree, void* block, const Host& host, HostCaller& caller, const Watcher* watcher) {
  const std::uint32_t* action =
      watcher == nullptr && host.behaviors != nullptr ? resumable_action(tree, block) : nullptr;
  Result result = Result::running;
  if (action != nullptr) {
    caller.look_at(block);
    const std::uint32_t behavior = operand<OperandKind::behavior, Opcode::store_action>(action);
    const auto node_word = static_cast<std::uint32_t>(action - nodes_of(*tree.asset));
    result = caller.plain_behavior(host.behaviors[behavior], behavior, node_word).tick(Result::success);
    if (result == Result::running) return result;
  }
  return walk_storing(tree, block, host, watcher, action, result);
}

}  // namespace

Result update_storing(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  if (!has_shared_block(tree, agents.host())) return Result::error;
  HostCaller caller(tree, nullptr, agents.host());
  Result result = Result::error;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    result = update_agent(tree, agents.block(i), agents.host(i), caller, watcher);
  }
  return result;
}

}  // namespace espalier

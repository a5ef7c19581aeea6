// What an update of an agent of trees that store their results asks the program, and tells its watcher.
#pragma once
#include "core/host_call.h"
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/tree.h"

namespace espalier {

class StoreCalls {
 public:
  // All must outlive this. `caller`: of the agent.
  StoreCalls(HostCaller& caller, const Watcher* watcher)
      : asset_(*caller.call().tree.asset), watcher_(watcher), caller_(caller) {}

  [[nodiscard]] bool is_watched() const { return watcher_ != nullptr; }
  void watch(NodeStepKind kind, const std::uint32_t* node, std::uint32_t value = 0) const {
    tell_node(watcher_, kind, word_of(node), value);
  }

  BoundBehavior behavior(const std::uint32_t* action, const Memory& memory) {
    return caller_.behavior(operand<OperandKind::behavior, EngineId::store>(action), word_of(action), memory);
  }
  // Of an action without memory and times, after forget_memory() and calls of others without. `behaviors`: the host's.
  BoundBehavior plain_behavior(const Behavior* behaviors, const std::uint32_t* action) {
    const std::uint32_t behavior = operand<OperandKind::behavior, EngineId::store>(action);
    return caller_.plain_behavior(behaviors[behavior], behavior, word_of(action));
  }
  void forget_memory() { caller_.forget_memory(); }
  bool ask_condition(const std::uint32_t* node) {
    forget_memory();
    return ask_plain(node);
  }
  // The same, after forget_memory() and calls of others without memory.
  bool ask_plain(const std::uint32_t* node) {
    const std::uint32_t condition = operand<OperandKind::host_condition, EngineId::store>(node);
    const Behavior* const conditions = caller_.host().conditions;
    return conditions != nullptr && caller_.plain_behavior(conditions[condition], condition, word_of(node)).ask();
  }
  void too_deep(const std::uint32_t* child) { caller_.too_deep(word_of(child), slot_of(child)); }

 private:
  std::uint32_t word_of(const std::uint32_t* node) const { return static_cast<std::uint32_t>(node - nodes_of(asset_)); }

  const Asset& asset_;
  const Watcher* const watcher_;
  HostCaller& caller_;
};

}  // namespace espalier

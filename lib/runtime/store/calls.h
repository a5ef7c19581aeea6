// What an update of an agent of trees that store their results asks the program, and tells its watcher.
#pragma once
#include "core/host_call.h"
#include "core/watch.h"
#include "format/node.h"
#include "store/tree.h"

namespace espalier {

class StoreCalls {
 public:
  // All but `view` must outlive this.
  StoreCalls(const Tree& view, void* block, const Host& host, const Watcher* watcher)
      : asset_(*view.asset), watcher_(watcher), caller_(view, block, host) {}

  [[nodiscard]] bool is_watched() const { return watcher_ != nullptr; }
  void watch(NodeStepKind kind, const std::uint32_t* node, std::uint32_t value = 0) const {
    tell_node(watcher_, kind, word_of(node), value);
  }

  BoundBehavior behavior(const std::uint32_t* action, const Memory& memory) {
    return caller_.behavior(operand<OperandKind::behavior, EngineId::store>(action), word_of(action), memory);
  }
  // Of an action without memory and times.
  BoundBehavior plain_behavior(const std::uint32_t* action) { return behavior(action, {}); }
  bool ask_condition(const std::uint32_t* node) {
    return caller_.condition(operand<OperandKind::host_condition, EngineId::store>(node), word_of(node)).ask();
  }
  void too_deep(const std::uint32_t* child) { caller_.too_deep(word_of(child), slot_of(child)); }

 private:
  std::uint32_t word_of(const std::uint32_t* node) const { return static_cast<std::uint32_t>(node - nodes_of(asset_)); }

  const Asset& asset_;
  const Watcher* const watcher_;
  HostCaller caller_;
};

}  // namespace espalier

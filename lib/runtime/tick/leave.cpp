// How nodes of the engine tick end, and the places that they hold.
#include "tick/leave.h"

#include "format/node.h"
#include "format/opcodes/tick.h"

namespace espalier {
namespace {

void count_out(void* block, std::uint32_t index) {
  if (block != nullptr) counter_at(block, index).fetch_sub(1, std::memory_order_release);
}

void give_scope(const TickAgent& agent, const std::uint32_t* node, const Host& host) {
  unsigned char* held = agent.held();
  const std::uint32_t scope = operand<OperandKind::scope, opcode::tick_scope>(node);
  if (!TickAgent::bit(held, scope)) return;
  TickAgent::set_bit(held, scope, false);
  count_out(host.group, scope);
}

}  // namespace

// The memory order is that of a lock: the agent that has the only place may use the resource that it protects.
bool count_in(void* block, std::uint32_t index, std::uint32_t maximum) {
  if (block == nullptr) return maximum > 0;
  Counter& places = counter_at(block, index);
  std::uint16_t taken = places.load(std::memory_order_relaxed);
  while (taken < maximum) {
    if (places.compare_exchange_weak(taken, static_cast<std::uint16_t>(taken + 1), std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

bool take_scope(const TickAgent& agent, const std::uint32_t* node, const Host& host) {
  unsigned char* held = agent.held();
  const std::uint32_t scope = operand<OperandKind::scope, opcode::tick_scope>(node);
  const std::uint32_t maximum = operand<OperandKind::maximum, opcode::tick_scope>(node);
  if (TickAgent::bit(held, scope)) {
    return (host.group == nullptr ? 0u : counter_at(host.group, scope).load(std::memory_order_relaxed)) < maximum;
  }
  if (!count_in(host.group, scope, maximum)) return false;
  TickAgent::set_bit(held, scope, true);
  return true;
}

void undo(const TickAgent& agent, std::uint32_t word, HostCaller& caller, bool is_interrupted) {
  const std::uint32_t* node = agent.nodes[word];
  switch (opcode_of(node)) {
    case opcode::tick_limit:
      count_out(caller.host().shared, operand<OperandKind::limit, opcode::tick_limit>(node));
      return;
    case opcode::tick_scope:
      give_scope(agent, node, caller.host());
      return;
    case opcode::tick_script_wrapper:
      run_script(agent, word, operand<OperandKind::script, opcode::tick_script_wrapper>(node, 1), caller);
      return;
    case opcode::tick_wrapper:
    case opcode::tick_action: {
      const BoundBehavior bound = agent.behavior(word, caller);
      return is_interrupted ? bound.interrupt_or_leave() : bound.leave();
    }
    default:
      return;
  }
}

void interrupt(const TickAgent& agent, std::uint32_t region, std::uint32_t word, std::uint32_t stop, HostCaller& caller,
               const Watcher* watcher) {
  while (word != stop || agent.branch_inside(word) != kNoWord) {
    if (const std::uint32_t inside = agent.branch_inside(word); inside != kNoWord) {
      region = inside;
      word = agent.cursor(inside);
      continue;
    }
    agent.set_cursor(region, word);
    undo(agent, word, caller, true);
    if (watcher != nullptr) tell(*watcher, agent, NodeStepKind::interrupt, word);
    if (agent.nodes.is_root(word)) return;
    word = agent.nodes.parent_of(word);
    if (agent.nodes.opcode(word) != opcode::tick_branch) continue;
    agent.set_active_branch(word, false);
    word = agent.nodes.parent_of(word);
    region = agent.region_of(word);
  }
}

void tell(const Watcher& watcher, const TickAgent& agent, NodeStepKind kind, std::uint32_t word, std::uint32_t value) {
  if (is_in_xml(agent.nodes.opcode(word))) tell_node(watcher, kind, agent.unit_word + word, value);
}

}  // namespace espalier

// Agents of trees that tick: events, stopping, and visiting active nodes.
#include "tick/tick.h"

#include <new>

#include "core/check.h"
#include "core/variables.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/leave.h"

namespace espalier {
namespace {

// First all timestamps of the event are set, then those that they exclude are cleared.
void set_timestamps(const TickAgent& agent, std::uint32_t signal, std::uint64_t clock_us) {
  const layout::Part& part = agent.part<PartKind::timestamps>();
  const auto timestamps = records<layout::Timestamp>(agent.asset, layout::SectionId::timestamps) + part.first_name;
  for (std::uint32_t i = 0; i < part.count; ++i) {
    if (timestamps[i].signal == signal) store_u64(agent.time_at(i), clock_us);
  }
  for (std::uint32_t i = 0; i < part.count; ++i) {
    const std::uint32_t excluded = timestamps[i].exclusive_to;
    if (timestamps[i].signal != signal || excluded == layout::kNone) continue;
    if (load_u64(agent.time_at(excluded)) != layout::kNeverSet) store_u64(agent.time_at(excluded), layout::kCleared);
  }
}

// The machine stores the transition of the pending state, or else of the current one.
void note_transition(const TickAgent& agent, std::uint32_t machine, std::uint32_t running_state, std::uint32_t signal) {
  unsigned char& waiting = *agent.state_of(agent.nodes[machine]);
  const std::uint32_t state =
      waiting == TickAgent::kNothingWaits ? running_state : agent.nodes.child_at(machine, waiting);
  const std::uint32_t* node = agent.nodes[state];
  const layout::EventTransition* transition =
      array<layout::EventTransition>(agent.asset, layout::SectionId::event_transitions) +
      operand<OperandKind::event_transition, opcode::tick_state>(node);
  const std::uint32_t count = operand<OperandKind::event_transition_count, opcode::tick_state>(node);
  for (std::uint32_t i = 0; i < count; ++i, ++transition) {
    if (signal_of(*transition) != signal) continue;
    waiting = static_cast<unsigned char>(transition->state);
    agent.set_status(agent.status() | layout::kTransitionWaits);
    return;
  }
}

// Informs the active nodes of one region of the event. Machines are informed before the present node, because only
// behaviours can raise another event meanwhile.
void tell_region(const TickAgent& agent, std::uint32_t present, std::uint32_t signal, const Host& host,
                 const void* data) {
  for (std::uint32_t child = present; !agent.is_region_top(child);) {
    const std::uint32_t parent = agent.nodes.parent_of(child);
    if (agent.nodes.opcode(parent) == opcode::tick_machine) note_transition(agent, parent, child, signal);
    child = parent;
  }
  const std::uint32_t* node = agent.nodes[present];
  if (opcode_of(node) == opcode::tick_wait_event &&
      operand<OperandKind::signal, opcode::tick_wait_event>(node) == signal)
    *agent.state_of(node) = 1;
  if (opcode_of(node) != opcode::tick_action) return;
  HostCaller caller(agent.view, agent.bytes, host);
  agent.behavior(present, caller).event(signal, data);
}

// Calls visit(word) for the active nodes, in the order of the file.
template <typename Visit>
void visit_nodes(const TickAgent& agent, const Visit& visit) {
  if (agent.cursor(kRootRegion) == kNoWord) return;
  std::uint32_t region = kRootRegion;
  do {
    const std::uint32_t present = agent.cursor(region);
    std::uint32_t word = region == kRootRegion ? 0 : agent.nodes.first_child(region);
    for (; word != present; word = agent.nodes.child_around(word, present)) visit(word);
    visit(present);
    region = agent.next_region(region);
  } while (region != kRootRegion);
}

// The block is only read.
TickAgent agent_of(const Tree& tree, const void* block) { return TickAgent(tree, const_cast<void*>(block)); }

// Is the node one of this kind, and active?
bool is_active(const TickAgent& agent, std::uint32_t wanted, Opcode opcode) {
  if (agent.nodes.opcode(wanted) != opcode) return false;
  bool found = false;
  visit_nodes(agent, [&](std::uint32_t word) { found = found || word == wanted; });
  return found;
}

void start_counters(void* block, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) new (static_cast<Counter*>(block) + i) Counter(0);
}

std::size_t round_up(std::size_t bytes) {
  return (bytes + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
}

}  // namespace

void count_inside(const TickAgent& agent, const Host& host, std::uint16_t change) {
  if (host.shared != nullptr) {
    visit_nodes(agent, [&](std::uint32_t word) {
      if (agent.nodes.opcode(word) != opcode::tick_limit) return;
      counter_at(host.shared, operand<OperandKind::limit, opcode::tick_limit>(agent.nodes[word]))
          .fetch_add(change, std::memory_order_relaxed);
    });
  }
  if (host.group == nullptr) return;
  for (std::uint32_t scope = 0; scope < agent.part<PartKind::held>().count; ++scope) {
    if (!TickAgent::bit(agent.held(), scope)) continue;
    counter_at(host.group, scope).fetch_add(change, std::memory_order_relaxed);
  }
}

void raise(const TickAgent& agent, std::uint32_t signal, const Host& host, const void* data, const Watcher* watcher) {
  if ((agent.status() & layout::kStopped) != 0) return;
  assign_variables(agent.view, agent.bytes, signal, watcher);
  set_timestamps(agent, signal, host.clock_us);
  if (agent.cursor(kRootRegion) == kNoWord) return;
  std::uint32_t region = kRootRegion;
  do {
    tell_region(agent, agent.cursor(region), signal, host, data);
    region = agent.next_region(region);
  } while (region != kRootRegion);
}

void stop_ticking(const Tree& tree, void* block, const Host& host) {
  const TickAgent agent(tree, block);
  const std::uint32_t present = agent.cursor(kRootRegion);
  HostCaller caller(tree, block, host);
  if (present != kNoWord) interrupt(agent, kRootRegion, present, kNoWord, caller, nullptr);
  agent.set_cursor(kRootRegion, kNoWord);
  agent.set_status(0);
}

void exchange_counts(const Tree& tree, const void* block, const void* saved, const Host& host) {
  count_inside(agent_of(tree, block), host, static_cast<std::uint16_t>(-1));
  count_inside(agent_of(tree, saved), host, 1);
}

bool is_stopped_ticking(const Tree& tree, const void* block) {
  return (agent_of(tree, block).status() & layout::kStopped) != 0;
}

void signal_ticking(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                    const Watcher* watcher) {
  raise(TickAgent(tree, block), signal, host, data, watcher);
}

void start_shared_ticking(const Tree& tree, void* block) {
  start_counters(block, shared_bytes(tree) / sizeof(Counter));
}

void visit_ticking(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                   void* user) {
  const TickAgent agent = agent_of(tree, block);
  visit_nodes(agent, [&](std::uint32_t word) {
    if (is_in_xml(agent.nodes.opcode(word))) visit(user, agent.unit_word + word);
  });
}

}  // namespace espalier

using namespace espalier;

size_t espalier_group_bytes(const espalier_asset* asset) {
  if (!Check(__func__).asset(asset)) return 0;
  return round_up(sizeof(Counter) * record_count(*asset, layout::SectionId::scopes));
}

void espalier_start_group(const espalier_asset* asset, void* block) {
  if (!Check(__func__).asset(asset)) return;
  if (group_bytes(*asset) > 0 && !Check(__func__).given(block, "the group's block is null")) return;
  start_counters(block, group_bytes(*asset) / sizeof(Counter));
}

bool espalier_timestamp(espalier_tree tree, const void* block, uint32_t timestamp, uint64_t* time_us) {
  if (!Check(__func__).tree_of(tree, EngineId::tick).block(tree, block).id(tree, ESPALIER_TIMESTAMPS, timestamp))
    return false;
  const std::uint64_t set_us = load_u64(agent_of(tree, block).time_at(timestamp));
  if (set_us == layout::kNeverSet || set_us == layout::kCleared) return false;
  *time_us = set_us;
  return true;
}

uint32_t espalier_present_state(espalier_tree tree, const void* block, uint32_t node_word) {
  if (!Check(__func__).block(tree, block).node(tree.asset, node_word) || !is_ticking(tree)) return 0;
  const TickAgent agent = agent_of(tree, block);
  const std::uint32_t machine = node_word - agent.unit_word;
  if (!is_active(agent, machine, opcode::tick_machine)) return 0;
  const std::uint32_t present = agent.cursor(agent.region_of(machine));
  return present == machine ? 0 : flags_of(agent.nodes[agent.nodes.child_around(machine, present)]);
}

uint64_t espalier_wait_end_us(espalier_tree tree, const void* block, uint32_t node_word) {
  if (!Check(__func__).block(tree, block).node(tree.asset, node_word) || !is_ticking(tree)) return 0;
  const TickAgent agent = agent_of(tree, block);
  const std::uint32_t wait = node_word - agent.unit_word;
  if (!is_active(agent, wait, opcode::tick_wait)) return 0;
  return load_u64(agent.state_of(agent.nodes[wait]));
}

// Agents of trees that tick, as text. See core/print.h.
#include "core/print.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/agent.h"

namespace espalier {
namespace {

constexpr std::size_t kPresent = 0;  // PrintPlace::context: the present node of the region that contains the node

TickAgent agent_of(const Printing& printing) { return TickAgent(printing.view, const_cast<void*>(printing.block)); }

void write_timestamps(const Printing& printing, const TickAgent& agent) {
  const std::uint32_t count = timestamp_count(printing.view);
  for (std::uint32_t i = 0; i < count; ++i) {
    printing.out << (i == 0 ? "  timestamps: " : ", ");
    printing.out.name(timestamp_name(printing.view, i));
    const std::uint64_t set_us = load_u64(agent.time_at(i));
    if (set_us == layout::kNeverSet) {
      printing.out << " never set";
    } else if (set_us == layout::kCleared) {
      printing.out << " cleared";
    } else {
      printing.ago(set_us);
    }
  }
  if (count > 0) printing.out << "\n";
}

const char* scope_name(const Printing& printing, std::uint32_t scope) {
  const auto scopes = records<layout::Scope>(printing.asset, layout::SectionId::scopes);
  return name_at(printing.asset, scopes[scope].name);
}

void write_held(const Printing& printing, const TickAgent& agent) {
  bool is_first = true;
  for (std::uint32_t i = 0; i < agent.part<PartKind::held>().count; ++i) {
    if (!TickAgent::bit(agent.held(), i)) continue;
    (printing.out << (is_first ? "  inside: " : ", ")).name(scope_name(printing, i));
    is_first = false;
  }
  if (!is_first) printing.out << "\n";
}

void write_agent(const Printing& printing) {
  const TickAgent agent = agent_of(printing);
  const bool is_stopped = (agent.status() & layout::kStopped) != 0;
  printing.out << (is_stopped                             ? ", stopped\n"
                   : agent.cursor(kRootRegion) == kNoWord ? ", begins at the next update\n"
                                                          : ", running\n");
  printing.variables("variables");
  write_timestamps(printing, agent);
  write_held(printing, agent);
}

void look_at(const Printing& printing, PrintPlace* place) {
  const Opcode opcode = opcode_of(place->node);
  place->is_hidden = opcode == opcode::tick_branch || opcode == opcode::tick_log;
  if (!place->is_active) return;
  const TickAgent agent = agent_of(printing);
  const std::uint32_t word = agent.nodes.word_of(place->node);
  if (is_root(place->node)) place->context[kPresent] = agent.cursor(kRootRegion);
  const std::uint32_t present = place->context[kPresent];
  if (opcode == opcode::tick_branch) {
    place->is_active = present == agent.nodes.parent_of(word) && agent.is_active_branch(word);
    if (place->is_active) place->context[kPresent] = agent.cursor(word);
  } else {
    place->is_active = present - word < extent_of(place->node);
  }
}

// "1 of 2 inside"
void write_inside(const Printing& printing, void* block, std::uint32_t counter, std::uint32_t maximum) {
  printing.out << ", ";
  if (block != nullptr) {
    printing.out << std::uint64_t{counter_at(block, counter).load(std::memory_order_relaxed)} << " of ";
  } else {
    printing.out << "at most ";
  }
  printing.out << std::uint64_t{maximum} << " inside";
}

void write_machine(const Printing& printing, const TickAgent& agent, const PrintPlace& place) {
  const auto state_name = [&](std::uint32_t state) {
    return name_at(printing.asset, operand<OperandKind::text, opcode::tick_state>(agent.nodes[state]));
  };
  const std::uint32_t machine = agent.nodes.word_of(place.node);
  const std::uint32_t present = place.context[kPresent];
  if (present != machine) (printing.out << ", state ").name(state_name(agent.nodes.child_around(machine, present)));
  const unsigned char waiting = *agent.state_of(place.node);
  if (waiting == TickAgent::kNothingWaits) return;
  (printing.out << ", goes to ").name(state_name(agent.nodes.child_at(machine, waiting)));
}

void write_condition(const Printing& printing, std::uint32_t condition) {
  printing.out << (holds(printing.asset, condition, printing.bytes()) ? ", condition true" : ", condition false");
}

// What a node keeps while it is active.
void write_kept(const Printing& printing, const TickAgent& agent, const PrintPlace& place) {
  const std::uint32_t* node = place.node;
  switch (opcode_of(node)) {
    case opcode::tick_machine:
      return write_machine(printing, agent, place);
    case opcode::tick_loop:
      if (const std::uint32_t count = operand<OperandKind::count, opcode::tick_loop>(node); count != 0) {
        printing.out << ", " << std::uint64_t{*agent.state_of(node)} << " of " << std::uint64_t{count} << " done";
      }
      return;
    case opcode::tick_wait:
      return printing.left(load_u64(agent.state_of(node)));
    case opcode::tick_wait_event:
      if (*agent.state_of(node) != 0) printing.out << ", which has come";
      return;
    case opcode::tick_action: {
      printing.out << ", running";
      Memory memory;
      return printing.active_for(agent.times_of(node, &memory));
    }
    default:
      return;
  }
}

// The name of what a node is about.
void write_subject(const Printing& printing, const std::uint32_t* node) {
  const OpcodeInfo& info = info_of(node);
  for (std::uint32_t i = 0; i < info.operand_count; ++i) {
    const std::uint32_t value = node[kNodeHeaderWords + i];
    switch (info.operands[i]) {
      case OperandKind::timestamp:
        if (value != layout::kNone) (printing.out << " ").name(timestamp_name(printing.view, value));
        return;
      case OperandKind::scope:
        (printing.out << " ").name(scope_name(printing, value));
        return;
      case OperandKind::signal:
        (printing.out << " ").name(signal_name(printing.view, value));
        return;
      case OperandKind::text: {
        const char* const quote = info.children == Children::none ? "'" : "";
        (printing.out << " " << quote).name(name_at(printing.asset, value));
        printing.out << quote;
        return;
      }
      default:
        break;
    }
  }
}

// What holds for a node now, active or not.
void write_now(const Printing& printing, const std::uint32_t* node) {
  const auto word_of = [&](OperandKind kind) { return operand_word(opcode_of(node), kind); };
  if (const std::uint32_t condition = word_of(OperandKind::condition); condition != 0)
    write_condition(printing, node[condition]);
  const std::uint32_t maximum = word_of(OperandKind::maximum);
  if (maximum == 0) return;
  const Host* const host = printing.host;
  const std::uint32_t scope = word_of(OperandKind::scope);
  void* const block = host == nullptr ? nullptr : scope != 0 ? host->group : host->shared;
  write_inside(printing, block, node[scope != 0 ? scope : word_of(OperandKind::limit)], node[maximum]);
}

void write_name(const Printing& printing, const PrintPlace& place) {
  printing.name(printing.name_of(place.node));
  printing.behavior(place.node);
  write_subject(printing, place.node);
}

void write_state(const Printing& printing, const PrintPlace& place) {
  write_now(printing, place.node);
  if (place.is_active) write_kept(printing, agent_of(printing), place);
}

}  // namespace

const PrintRow kTickPrint = {write_agent, look_at, nullptr, write_name, write_state, nullptr};

}  // namespace espalier

// Which nodes, results, cases, states and transitions of a tree that ticks a run reaches. See tracker.h.
#include <memory>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/by_node.h"
#include "explore/possible_results.h"
#include "explore/tracker.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/tick/agent.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kNoItem = ~std::uint64_t{0};

// The items of a node, by what happens to it.
struct TickItems {
  std::uint64_t begun = kNoItem;
  std::uint64_t around = kNoItem;  // the case or state that begins with it
  std::uint64_t success = kNoItem;
  std::uint64_t failure = kNoItem;
  std::uint64_t transitions = kNoItem;  // the first of a state's
};

using TickItemsByNode = ByNode<TickItems>;

void mark(Moment& moment, std::uint64_t item) {
  if (item != kNoItem) moment.mark(item);
}

Item tick_item(const Asset& asset, ItemKind kind, std::uint32_t word, std::string name) {
  const codegen::NodeDebug debug = codegen::node_debug(asset, word);
  return {.kind = kind, .name = std::move(name), .place = {std::string(debug.file), debug.line, debug.column}};
}

// The name of a state, or of the node as it is written.
std::string name_of_tick_node(const Asset& asset, const codegen::NodeView& node) {
  if (node.opcode == opcode::tick_state) {
    const std::uint32_t text = *codegen::operand(node, OperandKind::text);
    return text == 0 ? std::string() : name_at(asset, text);
  }
  if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
    return std::string(behavior_name(asset, *behavior));
  }
  return std::string(codegen::node_debug(asset, node.word).name);
}

// A signal reaches active machines: the transitions that they will follow. A machine looks at its pending state.
void mark_transitions(Moment& moment, std::uint32_t signal, const TickItemsByNode& items) {
  const TickAgent agent(moment.tree, const_cast<void*>(moment.block));
  const auto* transitions = array<layout::EventTransition>(agent.asset, layout::SectionId::event_transitions);
  struct Visit {
    const TickAgent& agent;
    std::vector<std::uint32_t> machines;
  } visit{agent, {}};
  visit_active(
      moment.tree, moment.block,
      [](void* user, std::uint32_t word) {
        auto& self = *static_cast<Visit*>(user);
        if (self.agent.nodes.opcode(word - self.agent.unit_word) == opcode::tick_machine) self.machines.push_back(word);
      },
      &visit);
  for (const std::uint32_t machine : visit.machines) {
    const std::uint32_t* node = agent.nodes[machine - agent.unit_word];
    const unsigned char pending = *agent.state_of(node);
    const std::uint32_t current = present_state(moment.tree, moment.block, machine);
    const std::uint32_t number = pending == TickAgent::kNothingWaits ? current : pending;
    std::uint32_t word = agent.nodes.first_child(machine - agent.unit_word);
    for (std::uint32_t i = 0; i < number; ++i) word = agent.nodes.end_of(word);
    const codegen::NodeView state = codegen::node_at(agent.asset, word + agent.unit_word);
    const std::uint32_t first = *codegen::operand(state, OperandKind::event_transition);
    const std::uint32_t count = *codegen::operand(state, OperandKind::event_transition_count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (signal_of(transitions[first + i]) != signal) continue;
      mark(moment, items.find(state.word)->transitions + i);
      break;
    }
  }
}

}  // namespace

Tracker track_ticking(const Tree& tree, const HostFacts& host) {
  Tracker tracker;
  const ByNode<Possible> possible = possible_nodes(tree, host);
  const auto items = std::make_shared<TickItemsByNode>();
  const Asset& asset = *tree.asset;
  const auto add = [&](ItemKind kind, const codegen::NodeView& node, std::string name) {
    tracker.items.push_back(tick_item(asset, kind, node.word, std::move(name)));
    tracker.words.push_back(node.word);
    tracker.items.back().may_begin = possible.find(node.word)->begins;
    return tracker.items.size() - 1;
  };
  const auto* transitions = array<layout::EventTransition>(asset, layout::SectionId::event_transitions);
  const TickAgent agent(tree);
  // Cases, states and what is not in the file begin unseen: with the first node in them.
  const auto item_around = [&](std::uint32_t node_word) {
    for (std::uint32_t word = node_word - agent.unit_word; !agent.nodes.is_root(word);) {
      word = agent.nodes.parent_of(word);
      const Opcode opcode = agent.nodes.opcode(word);
      if (opcode == opcode::tick_case || opcode == opcode::tick_state)
        return items->find(word + agent.unit_word)->begun;
      if (opcode != opcode::tick_log && opcode != opcode::tick_branch) break;
    }
    return kNoItem;
  };
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (node.opcode == opcode::tick_branch || node.opcode == opcode::tick_log) return;
    TickItems& own = (*items)[node.word];
    const std::string name = name_of_tick_node(asset, node);
    if (node.opcode == opcode::tick_case) {
      own.begun = add(ItemKind::case_, node, name);
      return;
    }
    if (node.opcode == opcode::tick_state) {
      own.begun = add(ItemKind::state, node, name);
      const std::uint32_t first = *codegen::operand(node, OperandKind::event_transition);
      const std::uint32_t count = *codegen::operand(node, OperandKind::event_transition_count);
      const std::uint32_t machine = agent.nodes.parent_of(node.word - agent.unit_word);
      for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t word = agent.nodes.first_child(machine);
        for (std::uint32_t k = 0; k < transitions[first + i].state; ++k) word = agent.nodes.end_of(word);
        const codegen::NodeView target = codegen::node_at(asset, word + agent.unit_word);
        const std::uint32_t place = record_count(asset, layout::SectionId::nodes) +
                                    record_count(asset, layout::SectionId::transitions) + first + i;
        tracker.items.push_back(tick_item(asset, ItemKind::transition, place, name_of_tick_node(asset, target)));
        tracker.words.push_back(node.word);
        const std::uint64_t item = tracker.items.size() - 1;
        if (i == 0) own.transitions = item;
      }
      return;
    }
    own.around = item_around(node.word);
    if (own.around != kNoItem) tracker.words[static_cast<std::size_t>(own.around)] = node.word;
    own.begun = add(ItemKind::node, node, name);
    const ir::Results results = possible.find(node.word)->results;
    own.success = add(ItemKind::result, node, name + " success");
    tracker.items.back().is_possible = ir::can(results, ir::kSucceeds);
    own.failure = add(ItemKind::result, node, name + " failure");
    tracker.items.back().is_possible = ir::can(results, ir::kFails);
  });
  tracker.node = [items](Moment& moment, const NodeStep& step) {
    if (step.kind == NodeStepKind::send) {
      const codegen::NodeView node = codegen::node_at(*moment.tree.asset, step.node_word);
      if (node.opcode == opcode::tick_send) mark_transitions(moment, step.value, *items);
      return;
    }
    if (step.kind != NodeStepKind::begin && step.kind != NodeStepKind::complete) return;
    const TickItems* own = items->find(step.node_word);
    if (own == nullptr) return;
    if (step.kind == NodeStepKind::begin) {
      mark(moment, own->begun);
      mark(moment, own->around);
    } else if (step.value == Result::success) {
      mark(moment, own->success);
    } else if (step.value == Result::failure) {
      mark(moment, own->failure);
    }
  };
  tracker.signal = [items](Moment& moment, std::uint32_t signal) {
    if (!is_stopped(moment.tree, moment.block)) mark_transitions(moment, signal, *items);
  };
  return tracker;
}

}  // namespace espalier::explore

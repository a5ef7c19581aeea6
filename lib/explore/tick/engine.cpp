// Trees that tick: waits and comparisons of times; actions, decorators and scripts are the host's.
#include <algorithm>
#include <optional>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/engine.h"
#include "explore/engines.h"
#include "explore/given.h"
#include "explore/run.h"
#include "explore/tick/slice.h"
#include "replay/node_paths.h"
#include "replay/strategy.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/tick/agent.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kEndless_us = 0xFFFFFFFFFFFFFFFF;  // the end of a wait that never ends

void visit_tick_questions(const Tree& tree, const EngineRow::VisitQuestion& visit) {
  const Asset& asset = *tree.asset;
  std::optional<replay::NodePaths> paths;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
      const bool is_action = node.opcode == opcode::tick_action;
      visit({.name = std::string(behavior_name(asset, *behavior)), .is_called = is_action, .is_asked = !is_action},
            *behavior, NodeAsks::behavior, node.word);
    } else if (codegen::operand(node, OperandKind::script) != nullptr) {
      // Scripts have no names of their own: "LuaGate@Loop/LuaGate[2]".
      if (!paths) paths.emplace(tree);
      visit({.name = std::string(replay::script_name(asset, node.word)) + '@' + paths->path_of(node.word),
             .is_asked = true},
            0, NodeAsks::script, node.word);
    }
  });
}

// What an active node has of the block: with it, the branches around it are active.
void find_kept_bytes(Side& side) {
  const TickAgent agent(side.tree);
  const StateSizes sizes{agent.is_narrow ? 2u : 4u, agent.states_offset, agent.memory_sizes};
  codegen::visit_tree(side.tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    std::vector<KeptBytes>& kept = side.kept_bytes[node.word];
    const auto keep = [&](std::uint32_t word) {
      const std::uint32_t size = node_agent_bytes(agent.nodes[word], sizes);
      if (size > 0) kept.push_back({state_offset_of(agent.nodes[word]), size});
    };
    std::uint32_t word = node.word - agent.unit_word;
    if (node.opcode != opcode::tick_action) keep(word);
    while (!agent.nodes.is_root(word)) {
      word = agent.nodes.parent_of(word);
      if (agent.nodes.opcode(word) != opcode::tick_branch) break;
      keep(word);
    }
  });
}

// Those that set variables or timestamps, and those that nodes wait for.
void find_reactions(Side& side) {
  const Asset& asset = *side.tree.asset;
  side.reacts_to.resize(signal_count(side.tree));
  const auto signals = records<layout::Signal>(asset, layout::SectionId::signals) + tree_record(side.tree).first_signal;
  for (std::uint32_t i = 0; i < side.reacts_to.size(); ++i) side.reacts_to[i] = signals[i].assignment_count > 0;
  if (const layout::Part* part = find_part(side.tree, PartKind::timestamps)) {
    const auto timestamps = records<layout::Timestamp>(asset, layout::SectionId::timestamps) + part->first_name;
    for (std::uint32_t i = 0; i < part->count; ++i) {
      if (timestamps[i].signal != layout::kNone) side.reacts_to[timestamps[i].signal] = true;
    }
  }
  const auto* transitions = array<layout::EventTransition>(asset, layout::SectionId::event_transitions);
  codegen::visit_tree(side.tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (node.opcode == opcode::tick_wait_event) side.reacts_to[*codegen::operand(node, OperandKind::signal)] = true;
    if (node.opcode != opcode::tick_state) return;
    const std::uint32_t first = *codegen::operand(node, OperandKind::event_transition);
    const std::uint32_t count = *codegen::operand(node, OperandKind::event_transition_count);
    for (std::uint32_t i = first; i < first + count; ++i) side.reacts_to[signal_of(transitions[i])] = true;
  });
}

// The comparisons with each timestamp: the times after it was set at which they change. And whether events wait.
void prepare_ticking(Side& side, const Facts&) {
  find_kept_bytes(side);
  find_reactions(side);
  side.changes_us.resize(timestamp_count(side.tree));
  const auto* numbers = array<std::uint64_t>(*side.tree.asset, layout::SectionId::numbers);
  codegen::visit_tree(side.tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    side.has_queue |= node.opcode == opcode::tick_queue;
    const std::uint32_t* timestamp = codegen::operand(node, OperandKind::timestamp);
    if (timestamp == nullptr || *timestamp == layout::kNone) return;
    const auto bound_us = static_cast<std::int64_t>(numbers[*codegen::operand(node, OperandKind::number)]);
    const std::int64_t change_us = (node.flags & kTimeIsLess) != 0 ? bound_us : bound_us + 1;
    if (change_us > 0) side.changes_us[*timestamp].push_back(static_cast<std::uint64_t>(change_us));
  });
}

template <typename Visit>
void visit_active_nodes(const TickAgent& agent, const Visit& visit) {
  visit_active(
      agent.view, agent.bytes,
      [](void* user, std::uint32_t node_word) { (*static_cast<const Visit*>(user))(node_word); },
      const_cast<Visit*>(&visit));
}

bool is_set(std::uint64_t time_us) { return time_us != layout::kNeverSet && time_us != layout::kCleared; }

void find_tick_waits(const Side& side, const unsigned char* block, const unsigned char*,
                     std::vector<std::uint64_t>& waits_us) {
  const TickAgent agent(side.tree, const_cast<unsigned char*>(block));
  visit_active_nodes(agent, [&](std::uint32_t word) {
    const std::uint32_t* node = agent.nodes[word - agent.unit_word];
    if (opcode_of(node) != opcode::tick_wait) return;
    const std::uint64_t end_us = load_u64(agent.state_of(node));
    if (end_us != kEndless_us) waits_us.push_back(end_us > kNow ? end_us - kNow : 0);
  });
  for (std::size_t i = 0; i < side.changes_us.size(); ++i) {
    const std::uint64_t set_us = load_u64(agent.time_at(static_cast<std::uint32_t>(i)));
    if (!is_set(set_us)) continue;
    for (const std::uint64_t change_us : side.changes_us[i]) {
      if (set_us + change_us > kNow) waits_us.push_back(set_us + change_us - kNow);
    }
  }
}

std::uint64_t generator_of_ticking(const Side& side, const unsigned char* block) {
  const TickAgent agent(side.tree, const_cast<unsigned char*>(block));
  return agent.part<PartKind::generator>().count > 0 ? load_u64(agent.generator()) : 0;
}

// Is each timestamp compared with one time?
bool have_one_end(const Side& side) {
  return std::all_of(side.changes_us.begin(), side.changes_us.end(), [](const std::vector<std::uint64_t>& changes) {
    return std::count(changes.begin(), changes.end(), changes.empty() ? 0 : changes.front()) ==
           static_cast<std::ptrdiff_t>(changes.size());
  });
}

void add_tick_durations(const Side& side, std::vector<std::uint64_t>& durations_us) {
  const auto* numbers = array<std::uint64_t>(*side.tree.asset, layout::SectionId::numbers);
  codegen::visit_tree(side.tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (node.opcode == opcode::tick_wait) {
      for (std::uint32_t i = 0; i < 2; ++i) durations_us.push_back(numbers[node.operands[1 + i]]);
    } else if (const std::uint32_t* timestamp = codegen::operand(node, OperandKind::timestamp); timestamp != nullptr) {
      const auto bound_us = static_cast<std::int64_t>(numbers[*codegen::operand(node, OperandKind::number)]);
      durations_us.push_back(static_cast<std::uint64_t>(bound_us < 0 ? -bound_us : bound_us));
    }
  });
}

// Inactive nodes have no state: their bytes may be anything.
void settle_ticking(const Side& side, unsigned char* block, const unsigned char*, std::uint64_t passed_us,
                    Settling& settling) {
  const TickAgent agent(side.tree, block);
  const std::size_t size = agent_bytes(side.tree) - agent.states_offset;
  std::vector<unsigned char>& before = settling.bytes;
  before.assign(agent.state, agent.state + size);
  std::vector<std::uint32_t>& active = settling.words;
  active.clear();
  visit_active_nodes(agent, [&](std::uint32_t word) { active.push_back(word - agent.unit_word); });
  std::memset(agent.state, 0, size);
  for (const std::uint32_t word : active) {
    for (const KeptBytes& kept : *side.kept_bytes.find(word + agent.unit_word)) {
      std::memcpy(agent.state + kept.offset, before.data() + kept.offset, kept.size);
    }
    const std::uint32_t* node = agent.nodes[word];
    if (opcode_of(node) != opcode::tick_wait) continue;
    const std::uint64_t end_us = load_u64(agent.state_of(node));
    if (end_us == kEndless_us) continue;
    store_u64(agent.state_of(node), std::max(end_us - passed_us, kNow));
    settling.times.push_back({agent.state_of(node)});
  }
  for (std::size_t i = 0; i < side.changes_us.size(); ++i) {
    unsigned char* time = agent.time_at(static_cast<std::uint32_t>(i));
    const std::uint64_t set_us = load_u64(time);
    if (!is_set(set_us)) continue;
    const std::vector<std::uint64_t>& changes = side.changes_us[i];
    const std::uint64_t longest_us =
        changes.empty() ? 0
                        : (*std::max_element(changes.begin(), changes.end()) / side.granule_us + 1) * side.granule_us;
    store_u64(time, std::max(set_us - passed_us, kNow - longest_us));
    settling.times.push_back({time});
  }
  if (agent.part<PartKind::generator>().count > 0) store_u64(agent.generator(), 0);
}

// ---- The host

bool allow_wrapper(const Call* call) { return Run::of(call).ask_behavior(call) != Answer::failure; }

bool run_tick_script(const Call* call, std::uint32_t) {
  Run& run = Run::of(call);
  return run.ask(run.side().script_names.at(call->node_word), call->node_word) != Answer::failure;
}

void queue_event(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
  Run& run = Run::of(call);
  if (!run.side().reacts_to[signal]) return;  // it would only wait
  for (std::uint32_t agent = 0; agent < run.world().agent_count(); ++agent) {
    const bool is_sender = agent == run.agent();
    if (is_sender ? receivers != Receivers::others : receivers != Receivers::sender) run.queue(agent, signal);
  }
}

}  // namespace

constinit const EngineRow kTickExploring = {
    .behavior = {.tick = Run::tick_action, .allow = allow_wrapper},
    .host = {.script = run_tick_script, .queue = queue_event},
    .questions = visit_tick_questions,
    .has_signals = true,
    .has_variables = true,
    .has_ends_alone = have_one_end,
    .asks_anew = true,
    .slice = slice_ticking,
    .prepare = prepare_ticking,
    .inputs = read_parameters,
    .waits = find_tick_waits,
    .durations = add_tick_durations,
    .generator = generator_of_ticking,
    .settle = settle_ticking,
};

}  // namespace espalier::explore

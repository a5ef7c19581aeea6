// See store_words.h.
#include "report/store_words.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/event.h"
#include "report/store_nodes.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::report {
namespace {

constexpr std::size_t kPrefix = 6;  // of opcodes: "store_"
constexpr std::size_t kMaxWatched = 3;
constexpr std::size_t kMaxNamed = 4;  // agents

std::string make_element(Opcode opcode) {
  if (opcode == opcode::store_child) return "ChildTree";
  if (opcode == opcode::store_cooldown_all) return "Cooldown";
  std::string name = opcode_name(opcode) + kPrefix;
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

// The element of a node, by its opcode.
const std::string& element_of(Opcode opcode) {
  static const std::vector<std::string> elements = [] {
    std::vector<std::string> made(kOpcodeRows);
    for (const OpcodeRow& row : OpcodesOf<EngineId::store>::rows)
      made[static_cast<std::size_t>(row.opcode)] = make_element(row.opcode);
    return made;
  }();
  return elements[static_cast<std::size_t>(opcode)];
}

// The node's name, as far as the asset has it.
std::string_view label_of(const Asset& asset, const std::uint32_t* node) {
  const std::string_view name = codegen::node_debug(asset, word_of(asset, node)).name;
  return name == element_of(opcode_of(node)) ? std::string_view() : name;
}

const std::uint32_t* role_around(const std::uint32_t* node) {
  while (opcode_of(node) != opcode::store_role) node = parent_of(node);
  return node;
}

const layout::Group& group_record(const Asset& asset, const std::uint32_t* group) {
  return records<layout::Group>(asset, layout::SectionId::groups)[operand<OperandKind::group, EngineId::store>(group)];
}

const layout::Barrier& barrier_record(const Asset& asset, const std::uint32_t* barrier) {
  const std::uint32_t* role = role_around(barrier);
  const layout::Group& group = group_record(asset, parent_of(role));
  return records<layout::Barrier>(
      asset,
      layout::SectionId::barriers)[group.first_barrier + operand<OperandKind::barrier, EngineId::store>(barrier)];
}

// "HeardNoise, SawLight"
std::string conditions_below(const Asset& asset, const std::uint32_t* monitor) {
  std::string names;
  std::size_t count = 0;
  for (const std::uint32_t* node = monitor; node != end_of(monitor); node = next_node(node)) {
    if (opcode_of(node) != opcode::store_condition) continue;
    if (count++ == kMaxWatched) return names + ", ...";
    names += (names.empty() ? "" : ", ") +
             std::string(host_condition_name(asset, operand<OperandKind::host_condition, EngineId::store>(node)));
  }
  return names;
}

std::string own_name(const Asset& asset, const std::uint32_t* node) {
  if (has_operand<OperandKind::behavior, EngineId::store>(node))
    return std::string(behavior_name(asset, operand<OperandKind::behavior, EngineId::store>(node)));
  if (has_operand<OperandKind::host_condition, EngineId::store>(node))
    return std::string(host_condition_name(asset, operand<OperandKind::host_condition, EngineId::store>(node)));
  if (has_operand<OperandKind::barrier, EngineId::store>(node)) return name_at(asset, barrier_record(asset, node).name);
  if (has_operand<OperandKind::slot, EngineId::store>(node)) return std::string(slot_name(asset, slot_of(node)));
  const std::string_view label = label_of(asset, node);
  const bool is_monitor = opcode_of(node) == opcode::store_monitor;
  return label.empty() && is_monitor ? conditions_below(asset, node) : std::string(label);
}

// "1 agent", "3 agents"
std::string agents_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " agent" : " agents"); }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kMaxNamed; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > kMaxNamed ? text + " and " + std::to_string(words.size() - kMaxNamed) + " more" : text;
}

SeatView seat_at(const AgentView& agent, const StoreInstance& instance, const std::uint32_t* node) {
  StoreGroup group(instance.group(node), const_cast<void*>(agent.shared));
  const GroupView seen = group.look(instance.byte(kept_at(node)) - 1u, false);
  const std::uint32_t time = operand<OperandKind::time, EngineId::store>(node);
  return {word_of(*agent.tree.asset, node), seen.state, seen.role, time != layout::kNone ? instance.time(time) : 0};
}

AgentView other(const AgentView& agent, const replay::Neighbor& neighbor) {
  AgentView view = agent;
  view.tree = neighbor.tree;
  view.block = neighbor.block;
  return view;
}

// The agents in a gate: "agent 0, agent 2".
std::string holders_text(const AgentView& agent, const std::uint32_t* gate) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < agent.crowd.size(); ++i) {
    const auto& [tree, block] = agent.crowd[i];
    if (block == nullptr) continue;
    visit_nodes(tree, block, [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t) {
      if (node == gate && instance.stored(node) == Stored::running) {
        names.push_back("agent " + std::to_string(i));
      }
    });
  }
  if (!names.empty()) return listed(names);
  return agents_text(inside_count(*agent.tree.asset, agent.shared, word_of(*agent.tree.asset, gate)));
}

// When a cooldown ends. None: it belongs to the agent itself, which is here in several places.
std::optional<std::uint64_t> opens_at_us(const AgentView& agent, const std::uint32_t* cooldown) {
  if (opcode_of(cooldown) == opcode::store_cooldown_all) {
    return static_cast<const SharedValue*>(agent.shared)[shared_value_of(cooldown)].load(std::memory_order_relaxed);
  }
  std::vector<std::uint64_t> times_us;
  visit_nodes(agent.tree, agent.block, [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t) {
    if (node == cooldown) times_us.push_back(instance.time(kept_at(node)));
  });
  return times_us.size() == 1 ? std::optional(times_us.front()) : std::nullopt;
}

std::string group_refusal(const AgentView& agent, const std::string& name, const std::uint32_t* node) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t word = word_of(asset, node);
  if (seat_in(agent, word)) return name + " has it already, in another place";
  if (!StoreGroup(group_record(asset, node), const_cast<void*>(agent.shared)).is_bound()) {
    return name + " has no role left for it";
  }
  const std::string others = others_text(agent, word);
  return name + " is bound" + (others.empty() ? "" : ": " + others);
}

}  // namespace

// ---- Seats

std::vector<SeatView> seats_of(const AgentView& agent) {
  std::vector<SeatView> seats;
  if (StoreHeader(const_cast<void*>(agent.block)).seats() == 0) return seats;
  visit_nodes(agent.tree, agent.block, [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t) {
    const bool has_seat = opcode_of(node) == opcode::store_group && instance.stored(node) == Stored::running &&
                          instance.byte(kept_at(node)) != 0;
    if (has_seat) seats.push_back(seat_at(agent, instance, node));
  });
  return seats;
}

std::optional<SeatView> seat_in(const AgentView& agent, std::uint32_t group_word) {
  for (const SeatView& seat : seats_of(agent)) {
    if (seat.node_word == group_word) return seat;
  }
  return std::nullopt;
}

bool is_root_done(const AgentView& agent) {
  auto* block = static_cast<unsigned char*>(const_cast<void*>(agent.block));
  const StoreInstance whole = StoreInstance::of(agent.tree, block);
  return is_done(whole.stored(whole.root()));
}

// ---- Names

std::string store_node_name(const Asset& asset, std::uint32_t node_word) {
  const std::uint32_t* node = store_node(asset, node_word);
  std::string name = element_of(opcode_of(node));
  if (const std::string own = own_name(asset, node); !own.empty()) name.append(" ").append(own);
  return name;
}

std::string store_node_place(const Asset& asset, std::uint32_t node_word) {
  std::string name = store_node_name(asset, node_word);
  const codegen::NodeDebug debug = codegen::node_debug(asset, node_word);
  if (name.find(' ') != std::string::npos || debug.line == 0) return name;
  const std::string_view file = debug.file.substr(debug.file.rfind('/') + 1);
  return name + " (" + std::string(file) + ':' + std::to_string(debug.line) + ')';
}

std::string role_name(const Asset& asset, std::uint32_t group_word, std::uint32_t role) {
  const std::uint32_t* node = child_at(store_node(asset, group_word), role);
  const std::string_view label = label_of(asset, node);
  return label.empty() ? "role " + std::to_string(role + 1) : std::string(label);
}

// ---- Words

std::string others_text(const AgentView& agent, std::uint32_t group_word) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < agent.crowd.size(); ++i) {
    if (agent.crowd[i].block == nullptr || agent.crowd[i].block == agent.block) continue;
    const std::optional<SeatView> seat = seat_in(other(agent, agent.crowd[i]), group_word);
    if (!seat) continue;
    const bool has_role = seat->state == GroupState::works || seat->state == GroupState::done;
    std::string what = seat->state == GroupState::waits ? " waits" : " has yet to leave";
    if (has_role) what = " is " + role_name(*agent.tree.asset, group_word, seat->role);
    names.push_back("agent " + std::to_string(i) + what);
  }
  return listed(names);
}

std::string barrier_text(const AgentView& agent, std::uint32_t barrier_word) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t* barrier = store_node(asset, barrier_word);
  const std::uint32_t* role = role_around(barrier);
  const std::uint32_t* group_node = parent_of(role);
  StoreGroup group(group_record(asset, group_node), const_cast<void*>(agent.shared));
  std::vector<std::string> names;
  visit_nodes(agent.tree, agent.block, [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t) {
    if (node != barrier || instance.stored(node) != Stored::running) return;
    const std::uint32_t arrival = instance.word(kept_at(node));
    for (std::uint32_t i = 0; i < layout::kMaxRoles; ++i) {
      const std::uint32_t bit = barrier_record(asset, barrier).roles & 1u << i;
      if (bit == 0 || group.is_open(operand<OperandKind::barrier, EngineId::store>(barrier), bit, arrival)) continue;
      names.push_back(role_name(asset, word_of(asset, group_node), i));
    }
  });
  return names.empty() ? std::string() : "for " + listed(names);
}

std::string refusal_text(const AgentView& agent, std::uint32_t node_word) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t* node = store_node(asset, node_word);
  const auto name = [&] { return store_node_place(asset, node_word); };
  switch (opcode_of(node)) {
    case opcode::store_gate:
      return name() + " is full: " + holders_text(agent, node);
    case opcode::store_cooldown:
    case opcode::store_cooldown_all: {
      const std::optional<std::uint64_t> opens_us = opens_at_us(agent, node);
      if (!opens_us) return name() + " is not over";
      return name() + " has " + replay::seconds_text(*opens_us - std::min(*opens_us, agent.time_us)) + " s to go";
    }
    case opcode::store_group:
      return group_refusal(agent, name(), node);
    case opcode::store_child:
      return "slot " + own_name(asset, node) + " is empty";
    default:
      return {};
  }
}

std::string ending_text(const AgentView& agent, const std::optional<SeatView>& before, std::uint32_t group_word,
                        bool has_succeeded) {
  const Asset& asset = *agent.tree.asset;
  const std::string name = store_node_place(asset, group_word);
  if (has_succeeded) return name + " succeeds";
  if (before && before->state == GroupState::waits) {
    const std::uint64_t waited_us = agent.time_us - std::min(agent.time_us, before->arrived_us);
    return name + " was not full after " + replay::seconds_text(waited_us) + " s";
  }
  const bool is_left = before && (before->state == GroupState::broken || before->state == GroupState::restarts);
  if (is_left) return name + " was left by another agent";
  return name + " fails: one of its roles has failed";
}

}  // namespace espalier::report

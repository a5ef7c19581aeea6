// Text of active nodes. See branch.h.
#include "report/branch.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::report {
namespace {

using codegen::NodeView;

constexpr double kSecond_us = 1e6;

// Behaviours that are distinguished by their parameter `name`.
constexpr std::string_view kNamedBehaviors[] = {"AnimationTagWrapper", "Animate", "QueryTPS", "LuaBehavior",
                                                "GoalPipe"};

std::uint32_t operand_of(const NodeView& node, OperandKind kind) { return *codegen::operand(node, kind); }

std::string seconds(double time_us, int digits) {
  char text[64] = {};
  return {text, std::to_chars(text, text + sizeof text, time_us / kSecond_us, std::chars_format::fixed, digits).ptr};
}

std::string wait_text(const AgentView& agent, const NodeView& node) {
  const std::uint64_t end_us = wait_end_us(agent.tree, agent.block, node.word);
  const std::uint64_t left_us = end_us - std::min(end_us, agent.time_us);
  const std::uint64_t duration_us =
      array<std::uint64_t>(*agent.tree.asset, layout::SectionId::numbers)[operand_of(node, OperandKind::number)];
  return seconds(static_cast<double>(left_us), 1) + " (" + seconds(static_cast<double>(duration_us), 1) + ')';
}

std::string limit_text(const AgentView& agent, const NodeView& node) {
  std::uint16_t inside = 0;
  const std::size_t offset_bytes = sizeof inside * operand_of(node, OperandKind::limit);
  std::memcpy(&inside, static_cast<const unsigned char*>(agent.shared) + offset_bytes, sizeof inside);
  return std::to_string(inside) + '/' + std::to_string(operand_of(node, OperandKind::maximum));
}

std::string state_text(const AgentView& agent, const NodeView& machine) {
  const Asset& asset = *agent.tree.asset;
  std::uint32_t word = machine.word + machine.own_words();
  for (std::uint32_t i = present_state(agent.tree, agent.block, machine.word); i > 0; --i) {
    word += codegen::node_at(asset, word).extent;
  }
  return name_at(asset, operand_of(codegen::node_at(asset, word), OperandKind::text));
}

std::string behavior_text(const AgentView& agent, const NodeView& node) {
  Call call = {};
  call.tree = agent.tree;
  call.node_word = node.word;
  const std::string_view name = behavior_name(*agent.tree.asset, operand_of(node, OperandKind::behavior));
  const bool is_named =
      std::find(std::begin(kNamedBehaviors), std::end(kNamedBehaviors), name) != std::end(kNamedBehaviors);
  Parameter parameter = {};
  if (!is_named || find_parameter(&call, "name", &parameter) != Status::ok) return {};
  return std::string(parameter.text);
}

std::string text_of(const AgentView& agent, const NodeView& node, codegen::WrittenConditions* conditions) {
  const Asset& asset = *agent.tree.asset;
  const auto condition = [&] {
    const codegen::NodeDebug place = codegen::node_debug(asset, node.word);
    std::string text = conditions == nullptr ? std::string() : conditions->of(place, -1);
    if (text.empty()) text = codegen::condition_text(agent.tree, operand_of(node, OperandKind::condition));
    return '(' + text + ')';
  };
  if (node.opcode == opcode::tick_machine) return state_text(agent, node);
  if (node.opcode == opcode::tick_guard) return condition() + " == true";
  if (node.opcode == opcode::tick_condition) return condition();
  if (node.opcode == opcode::tick_wait_event)
    return std::string(signal_name(agent.tree, operand_of(node, OperandKind::signal)));
  if (const auto* scope = codegen::operand(node, OperandKind::scope))
    return name_at(asset, records<layout::Scope>(asset, layout::SectionId::scopes)[*scope].name);
  if (codegen::operand(node, OperandKind::limit) != nullptr) return limit_text(agent, node);
  if (codegen::operand(node, OperandKind::behavior) != nullptr) return behavior_text(agent, node);
  return {};
}

bool stands_for_none(Opcode opcode) {
  return opcode == opcode::tick_branch || opcode == opcode::tick_case || opcode == opcode::tick_state ||
         opcode == opcode::tick_log;
}

// Empty if the node corresponds to no element.
std::string name_of(const Asset& asset, const NodeView& node, bool is_stripped) {
  if (!is_stripped) return std::string(codegen::node_debug(asset, node.word).name);
  if (stands_for_none(node.opcode)) return {};
  const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior);
  return behavior != nullptr ? std::string(behavior_name(asset, *behavior)) : opcode_name(node.opcode);
}

}  // namespace

std::vector<NodeLine> active_lines(const AgentView& agent, codegen::WrittenConditions* conditions) {
  const Asset& asset = *agent.tree.asset;
  const bool is_bare = is_stripped(asset);
  std::vector<NodeLine> lines;
  std::vector<std::uint32_t> ends;  // of the enclosing nodes
  for (const std::uint32_t word : replay::active_nodes(agent.tree, agent.block)) {
    const NodeView node = codegen::node_at(asset, word);
    while (!ends.empty() && ends.back() <= word) ends.pop_back();
    NodeLine line;
    line.name = name_of(asset, node, is_bare);
    if (line.name.empty()) continue;
    line.line = codegen::node_debug(asset, word).line;
    line.depth = ends.size();
    if (node.opcode == opcode::tick_wait) {
      line.time = wait_text(agent, node);
    } else {
      line.text = text_of(agent, node, conditions);
    }
    line.is_running = true;
    if (!lines.empty() && lines.back().depth < line.depth) lines.back().is_running = false;
    lines.push_back(std::move(line));
    ends.push_back(word + node.extent);
  }
  return lines;
}

std::vector<NodeLine> select_lines(const AgentView& agent) {
  const Asset& asset = *agent.tree.asset;
  const std::uint32_t selected = current_leaf(agent.tree, agent.block);
  std::vector<NodeLine> path;
  std::vector<NodeLine> found;
  std::uint32_t leaf = 0;
  codegen::visit_tree(agent.tree, [&](const NodeView& node, std::size_t depth, std::uint32_t) {
    path.resize(std::min(path.size(), depth));
    NodeLine& line = path.emplace_back();
    const codegen::NodeDebug debug = codegen::node_debug(asset, node.word);
    line.line = debug.line;
    line.depth = path.size() - 1;
    line.name = debug.name.empty() ? std::string(opcode_name(node.opcode)) : std::string(debug.name);
    if (!codegen::is_leaf(node) || leaf++ != selected) return;
    if (const std::string_view behavior = behavior_name(asset, leaf_behavior(agent.tree, selected));
        behavior != line.name) {
      line.text = behavior;
    }
    line.is_running = true;
    found = path;
  });
  return found;
}

std::vector<NodeLine> rule_lines(const AgentView& agent) {
  const Asset& asset = *agent.tree.asset;
  std::vector<std::uint32_t> rules;
  for (std::uint32_t rule = current_rule(agent.tree, agent.block); rule != kNoRule;) {
    rules.push_back(rule);
    rule = rule_parent(agent.tree, rule);
  }
  std::reverse(rules.begin(), rules.end());
  std::vector<NodeLine> lines;
  std::string_view file;
  for (const std::uint32_t rule : rules) {
    const std::uint32_t word = rule_node(agent.tree, rule);
    const codegen::NodeDebug debug = codegen::node_debug(asset, word);
    NodeLine line;
    line.line = debug.line;
    line.depth = lines.size();
    line.name = replay::rule_name(asset, word);
    line.text = rule_id(agent.tree, rule);
    if (!lines.empty() && debug.file != file) {
      line.text += (line.text.empty() ? "(" : "  (") + std::string(debug.file) + ')';
    }
    file = debug.file;
    lines.push_back(std::move(line));
  }
  if (!lines.empty()) lines.back().is_running = true;
  return lines;
}

std::vector<NodeLine> decider_lines(const AgentView& agent) {
  const Asset& asset = *agent.tree.asset;
  std::vector<NodeLine> lines;
  for (const ActiveDecider& decider : replay::active_path(agent)) {
    NodeLine line;
    line.line = codegen::node_debug(asset, decider.node_word).line;
    line.depth = lines.size();
    line.name = replay::decider_text(agent.tree, decider.node_word);
    if (decider.behavior != kNoBehavior) line.text = behavior_name(asset, decider.behavior);
    lines.push_back(std::move(line));
  }
  if (!lines.empty()) lines.back().is_running = true;
  return lines;
}

std::string timestamps_text(const AgentView& agent) {
  std::string text;
  for (std::uint32_t i = 0; i < timestamp_count(agent.tree); ++i) {
    std::uint64_t set_us = 0;
    const bool is_set = timestamp(agent.tree, agent.block, i, &set_us);
    if (!text.empty()) text += "  ";
    text += timestamp_name(agent.tree, i);
    text += is_set ? " [" + seconds(static_cast<double>(agent.time_us - set_us), 2) + ']' : " [--]";
  }
  return text;
}

}  // namespace espalier::report

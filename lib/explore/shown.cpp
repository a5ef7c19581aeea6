// What a host sees of an agent. See shown.h.
#include "explore/shown.h"

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/strategy.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/poll.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

// The node of the current leaf.
std::uint32_t word_of_leaf(const Tree& tree, std::uint32_t leaf) {
  std::uint32_t word = layout::kNone;
  std::uint32_t number = 0;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (codegen::is_leaf(node) && number++ == leaf) word = node.word;
  });
  return word;
}

// The node that shows: a leaf, a rule, a decider or the last running action. kNone: nothing does.
std::uint32_t shown_word(const Seen& seen) {
  const Tree& tree = seen.agent.tree;
  const Asset& asset = *tree.asset;
  std::uint32_t shown = layout::kNone;
  switch (engine_id_of(tree)) {
    case EngineId::select: {
      const std::uint32_t leaf = current_leaf(tree, seen.agent.block);
      return leaf == kNoLeaf ? layout::kNone : word_of_leaf(tree, leaf);
    }
    case EngineId::rule: {
      const std::uint32_t rule = current_rule(tree, seen.agent.block);
      return rule == kNoRule ? layout::kNone : rule_node(tree, rule);
    }
    case EngineId::decide:
      for (const ActiveDecider& decider : replay::active_path(seen.agent)) shown = decider.node_word;
      return shown;
    default:
      for (const std::uint32_t word : replay::active_nodes(tree, seen.agent.block)) {
        const codegen::NodeView node = codegen::node_at(asset, word);
        const bool is_polled = node.opcode == opcode::poll_action;
        if (is_polled || codegen::operand(node, OperandKind::behavior) != nullptr) shown = word;
      }
      return shown;
  }
}

// The conditions of the nodes from the root to the node, which all hold when it is selected.
std::string conditions_above(const Tree& tree, std::uint32_t word) {
  std::vector<std::string> above;  // of the nodes around the present one, by depth
  std::string text;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t depth, std::uint32_t) {
    const std::uint32_t* condition = codegen::operand(node, OperandKind::condition);
    above.resize(depth);
    above.push_back(condition == nullptr || *condition == 0 ? std::string()
                                                            : codegen::condition_text(tree, *condition));
    if (node.word != word || !text.empty()) return;
    for (const std::string& each : above) {
      if (each.empty()) continue;
      const bool is_long = each.find(' ') != std::string::npos;
      text += (text.empty() ? "" : " and ") + (is_long ? '(' + each + ')' : each);
    }
  });
  return text;
}

}  // namespace

std::string reason_of_leaf(const Tree& tree, std::uint32_t leaf) {
  const std::uint32_t word = word_of_leaf(tree, leaf);
  const std::string conditions = conditions_above(tree, word);
  return "the leaf " + text::quote(replay::node_text(*tree.asset, word)) + " is selected" +
         (conditions.empty() ? " without a condition" : ", on the condition " + conditions);
}

std::string reason_of_shown(const Seen& seen) {
  const std::uint32_t word = shown_word(seen);
  if (word == layout::kNone) return {};
  const Tree& tree = seen.agent.tree;
  const Asset& asset = *tree.asset;
  switch (engine_id_of(tree)) {
    case EngineId::select:
      return reason_of_leaf(tree, current_leaf(tree, seen.agent.block));
    case EngineId::rule:
      return "the current rule is " + replay::rule_name(asset, word);
    case EngineId::decide:
      return "the decider " + text::quote(replay::decider_text(tree, word)) + " is active";
    default:
      return text::quote(replay::node_text(asset, word)) + " runs";
  }
}

void look(const Seen& seen, Shown* shown) {
  const EngineId engine = engine_id_of(seen.agent.tree);
  const replay::Strategy& strategy = replay::strategy_of(engine);
  shown->behaviors.clear();
  shown->status = 0;
  if (engine == EngineId::select) {
    const std::uint32_t behavior = strategy.current(seen.agent);
    if (behavior != kNoBehavior) shown->behaviors.push_back(behavior);
    return;
  }
  if (engine == EngineId::rule) {
    const std::uint32_t rule = current_rule(seen.agent.tree, seen.agent.block);
    if (rule != kNoRule) {
      const codegen::NodeView node = codegen::node_at(*seen.agent.tree.asset, rule_node(seen.agent.tree, rule));
      if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
        shown->behaviors.push_back(*behavior);
      }
    }
  } else {
    shown->behaviors = strategy.running(seen.agent);
  }
  if (engine != EngineId::decide) shown->status = seen.status ? 1 + static_cast<std::uint32_t>(*seen.status) : 0;
}

bool has_order_of_shown(const Tree& tree) { return engine_id_of(tree) == EngineId::decide; }

SourcePlace place_of_shown(const Seen& seen) {
  const std::uint32_t word = shown_word(seen);
  if (word == layout::kNone) return {};
  const codegen::NodeDebug debug = codegen::node_debug(*seen.agent.tree.asset, word);
  return {std::string(debug.file), debug.line, debug.column};
}

}  // namespace espalier::explore

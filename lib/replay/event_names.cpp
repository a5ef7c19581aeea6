// Names in events. See event_names.h.
#include "replay/event_names.h"

#include <algorithm>
#include <iterator>

#include "codegen/dump/listing.h"
#include "replay/names.h"
#include "runtime/asset/view.h"
#include "runtime/decide/layout.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/poll/tree.h"
#include "script/syntax.h"

namespace espalier::replay {
namespace {

using Names = EventNames::Names;

template <typename Add>
void for_each_tree(const Asset& asset, const Add& add) {
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) add(tree(asset, i));
}

template <typename Visit>
void for_each_node(const Asset& asset, const Visit& visit) {
  for_each_tree(asset, [&](const Tree& tree) {
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) { visit(tree, node); });
  });
}

template <typename Use>
void for_each_script(const Asset& asset, const Use& use) {
  for (std::uint32_t i = 0; i < script_count(asset); ++i) use(script_text(asset, i));
  for (std::uint32_t i = 0; i < prelude_count(asset); ++i) use(prelude_text(asset, i));
}

void add_behaviors(const Asset& asset, Names& names) {
  for (std::uint32_t i = 0; i < behavior_count(asset); ++i) names.emplace(behavior_name(asset, i));
}

void add_conditions(const Asset& asset, Names& names) {
  for (std::uint32_t i = 0; i < host_condition_count(asset); ++i) names.emplace(host_condition_name(asset, i));
  for (const char* name : {"LuaGate", "AssertLua", "ExecuteLua", "LuaWrapper"}) names.emplace(name);
}

void add_variables(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    for (std::uint32_t i = 0; i < espalier_count(tree, ESPALIER_VARIABLES); ++i) {
      names.emplace(espalier_name(tree, ESPALIER_VARIABLES, i));
    }
  });
}

void add_signals(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    for (std::uint32_t i = 0; i < signal_count(tree); ++i) names.emplace(signal_name(tree, i));
  });
}

void add_sent(const Asset& asset, Names& names) {
  add_signals(asset, names);
  for_each_script(asset, [&](std::string_view script) {
    for (std::string& name : script::sent_signals(script).value_or(std::vector<std::string>())) {
      names.insert(std::move(name));
    }
  });
}

void add_deciders(const Asset& asset, Names& names) {
  for_each_tree(asset, [&](const Tree& tree) {
    if (engine_of_tree(tree) != EngineId::decide) return;
    const auto& record =
        records<layout::DeciderTree>(asset, layout::SectionId::decider_trees)[tree_record(tree).record];
    const std::uint32_t first_word = unit_record(asset, record.first_unit).first_word;
    for (std::uint32_t i = 0; i < record.node_count; ++i) {
      names.insert(decider_text(tree, first_word + i * kDeciderWords));
    }
  });
}

void add_nodes(const Asset& asset, Names& names) {
  for_each_node(asset, [&](const Tree&, const codegen::NodeView& node) { names.insert(node_text(asset, node.word)); });
}

void add_logs(const Asset& asset, Names& names) {
  for_each_node(asset, [&](const Tree&, const codegen::NodeView& node) {
    if (node.opcode != opcode::tick_log && node.opcode != opcode::tick_message) return;
    for (std::uint32_t i = 0; i < opcode_info(node.opcode).operand_count; ++i) {
      const bool is_text = opcode_info(node.opcode).operands[i] == OperandKind::text;
      if (is_text && node.operands[i] != 0) names.emplace(name_at(asset, node.operands[i]));
    }
  });
}

void add_slots(const Asset& asset, Names& names) {
  for (std::uint32_t i = 0; i < slot_count(asset); ++i) names.emplace(slot_name(asset, i));
}

void add_trees(const Asset& asset, Names& names) {
  for (const std::string_view name : tree_names(asset)) names.emplace(name);
}

void add_parameters(const Tree& tree, const codegen::NodeView& node, Names& names) {
  const std::uint32_t* const behavior = codegen::operand(node, OperandKind::behavior);
  if (behavior == nullptr) return;
  Call call = {};
  call.tree = tree;
  call.node_word = node.word;
  for (std::uint32_t i = 0; i < parameter_count(&call); ++i) {
    names.insert(std::string(behavior_name(*tree.asset, *behavior)) + ' ' + parameter(&call, i).name);
  }
}

// Rules are in units of their files, which any tree may use.
void add_parameters_of_rules(const Asset& asset, Names& names) {
  bool is_done = false;
  for_each_tree(asset, [&](const Tree& tree) {
    if (is_done || engine_of_tree(tree) != EngineId::rule) return;
    is_done = true;
    for (std::uint32_t unit = 0; unit < record_count(asset, layout::SectionId::units); ++unit) {
      codegen::visit_unit(asset, unit, [&](const codegen::NodeView& node, std::size_t) {
        if (node.opcode == opcode::rule_action) add_parameters(tree, node, names);
      });
    }
  });
}

void add_inputs(const Asset& asset, Names& names) {
  add_parameters_of_rules(asset, names);
  for_each_node(asset, [&](const Tree& tree, const codegen::NodeView& node) {
    add_parameters(tree, node, names);
    if (codegen::operand(node, OperandKind::polled) == nullptr) return;
    const bool is_condition = node.opcode == opcode::poll_condition || node.opcode == opcode::poll_gate;
    const bool is_action = node.opcode == opcode::poll_action || node.opcode == opcode::poll_sync_action;
    if (!is_condition && !is_action) return;
    Call call = {};
    call.tree = tree;
    call.node_word = node.word;
    const std::uint32_t host = PollTreeView(tree).polled_of(PollTreeView(tree).nodes + node.word).host;
    const std::string name(is_action ? behavior_name(asset, host) : host_condition_name(asset, host));
    for (std::uint32_t port = 0; port < espalier_port_count(&call); ++port) {
      if (espalier_is_input(&call, port)) names.insert(name + ' ' + espalier_port_name(&call, port));
    }
  });
}

// In the order of the lists.
constexpr void (*kAdd[])(const Asset&, Names&) = {add_behaviors, add_conditions, add_variables, add_signals,
                                                  add_sent,      add_deciders,   add_nodes,     add_logs,
                                                  add_slots,     add_trees,      add_inputs};

}  // namespace

void EventNames::use(const std::vector<const Asset*>& assets) {
  if (assets_ == assets) return;
  *this = {};
  assets_ = assets;
  for (const Asset* asset : assets_) {
    for_each_tree(*asset, [&](const Tree& tree) { engines_ |= 1u << static_cast<unsigned>(engine_of_tree(tree)); });
  }
}

const EventNames::Names& EventNames::names(List list) {
  static_assert(std::size(kAdd) == static_cast<std::size_t>(List::count));
  std::optional<Names>& names = names_[static_cast<std::size_t>(list)];
  if (names) return *names;
  names.emplace();
  for (const Asset* asset : assets_) kAdd[static_cast<std::size_t>(list)](*asset, *names);
  return *names;
}

bool EventNames::has_scripts() const {
  return std::any_of(assets_.begin(), assets_.end(), [](const Asset* asset) { return script_count(*asset) != 0; });
}

bool EventNames::has_preludes() const {
  return std::any_of(assets_.begin(), assets_.end(), [](const Asset* asset) { return prelude_count(*asset) != 0; });
}

bool EventNames::sends_any() {
  if (sends_any_) return *sends_any_;
  sends_any_ = false;
  for (const Asset* asset : assets_) {
    for_each_script(*asset,
                    [&](std::string_view script) { sends_any_ = *sends_any_ || !script::sent_signals(script); });
  }
  return *sends_any_;
}

}  // namespace espalier::replay

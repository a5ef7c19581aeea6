// Which nodes, results, roles and slots of a tree that stores its results a run reaches. See tracker.h.
#include <map>
#include <memory>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/by_node.h"
#include "explore/possible_results.h"
#include "explore/tracker.h"
#include "runtime/asset/view.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kNoStoreItem = ~std::uint64_t{0};

// The items of a node, by what happens to it.
struct StoreItems {
  std::uint64_t begun = kNoStoreItem;
  std::uint64_t success = kNoStoreItem;
  std::uint64_t failure = kNoStoreItem;
  std::uint64_t entered = kNoStoreItem;   // of a store_child: a tree begins there
  std::vector<std::uint64_t> bound = {};  // of a role: all roles of its group, which are bound together
};

using StoreItemsByNode = ByNode<StoreItems>;

std::string name_of_store_node(const Asset& asset, const codegen::NodeView& node) {
  if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
    return std::string(behavior_name(asset, *behavior));
  }
  if (const std::uint32_t* condition = codegen::operand(node, OperandKind::host_condition)) {
    return std::string(host_condition_name(asset, *condition));
  }
  return std::string(codegen::node_debug(asset, node.word).name);
}

bool is_root_of_unit(const Asset& asset, std::uint32_t word) {
  return is_root(array<std::uint32_t>(asset, layout::SectionId::nodes) + word);
}

// The condition of a role is asked, but not evaluated as a node: it has no items.
bool is_condition_of_role(const Asset& asset, std::uint32_t word) {
  const std::uint32_t* node = array<std::uint32_t>(asset, layout::SectionId::nodes) + word;
  if (is_root(node) || opcode_of(parent_of(node)) != opcode::store_role) return false;
  return end_of(node) != end_of(parent_of(node));
}

}  // namespace

Tracker track_storing(const Tree& tree, const HostFacts& host) {
  Tracker tracker;
  const ByNode<Possible> possible = possible_nodes(tree, host);
  const auto items = std::make_shared<StoreItemsByNode>();
  const Asset& asset = *tree.asset;
  const auto add = [&](ItemKind kind, const codegen::NodeView& node, std::string name) {
    const codegen::NodeDebug debug = codegen::node_debug(asset, node.word);
    tracker.items.push_back({.kind = kind, .name = std::move(name)});
    tracker.words.push_back(node.word);
    tracker.items.back().place = {std::string(debug.file), debug.line, debug.column};
    tracker.items.back().may_begin = possible.find(node.word)->begins;
    return tracker.items.size() - 1;
  };
  std::map<std::uint32_t, std::vector<std::uint32_t>> roles;  // by group
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (is_condition_of_role(asset, node.word)) return;
    StoreItems& own = (*items)[node.word];
    const std::string name = name_of_store_node(asset, node);
    if (node.opcode == opcode::store_role) {
      own.bound.push_back(add(ItemKind::role, node, name));
      const std::uint32_t* nodes = array<std::uint32_t>(asset, layout::SectionId::nodes);
      roles[static_cast<std::uint32_t>(parent_of(nodes + node.word) - nodes)].push_back(node.word);
      return;
    }
    own.begun = add(ItemKind::node, node, name);
    const ir::Results results = possible.find(node.word)->results;
    own.success = add(ItemKind::result, node, name + " success");
    tracker.items.back().is_possible = ir::can(results, ir::kSucceeds);
    own.failure = add(ItemKind::result, node, name + " failure");
    tracker.items.back().is_possible = ir::can(results, ir::kFails);
    if (node.opcode != opcode::store_child) return;
    const std::uint32_t slot = *codegen::operand(node, OperandKind::slot);
    own.entered = add(ItemKind::slot, node, std::string(slot_name(asset, slot)));
  });
  for (const auto& [group, words] : roles) {
    std::vector<std::uint64_t> bound;
    for (const std::uint32_t word : words) bound.push_back(items->find(word)->bound.front());
    for (const std::uint32_t word : words) (*items)[word].bound = bound;
  }
  // A note: the store_child that has begun, until a tree begins there, or it fails. What had its room may be reset
  // before.
  tracker.node = [items](Moment& moment, const NodeStep& step) {
    const auto mark = [&](std::uint64_t item) {
      if (item != kNoStoreItem) moment.mark(item);
    };
    if (step.kind != NodeStepKind::begin && step.kind != NodeStepKind::complete) return;
    if (!moment.notes.empty()) {
      const bool is_entered = step.kind == NodeStepKind::begin && is_root_of_unit(*moment.tree.asset, step.node_word);
      if (is_entered) mark(moment.notes.back());
      moment.notes.clear();
    }
    const StoreItems* found = items->find(step.node_word);
    if (found == nullptr) return;
    const StoreItems& own = *found;
    if (step.kind == NodeStepKind::begin) {
      mark(own.begun);
      // The agent that comes last begins its role at once: then all roles are bound.
      for (const std::uint64_t role : own.bound) mark(role);
      if (own.entered != kNoStoreItem) moment.notes.push_back(own.entered);
    }
    if (step.kind == NodeStepKind::begin) return;
    if (step.value == Result::success) mark(own.success);
    if (step.value == Result::failure) mark(own.failure);
  };
  return tracker;
}

}  // namespace espalier::explore

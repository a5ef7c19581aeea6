// Ways to nodes. See node_paths.h.
#include "replay/node_paths.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/poll/tree.h"
#include "runtime/rule/tree.h"

namespace espalier::replay {
namespace {

constexpr std::size_t kMaxPlacedNodes = std::size_t{1} << 20;

// What stands for elements that have other nodes, or none.
bool is_unwritten(Opcode opcode) {
  return opcode == opcode::select_share || opcode == opcode::tick_branch || opcode == opcode::tick_log;
}

// What a path writes for the node, without a number.
std::string_view written_part(const PlacedNode& node) { return node.id.empty() ? node.kind : node.id; }

std::uint32_t written_number(const PlacedNode& node) { return node.id.empty() ? node.kind_number : node.id_number; }

bool fits_part(const PlacedNode& node, std::string_view part) {
  if (part == node.kind || part == node.id || part == node.name) return true;
  const std::size_t bracket = part.rfind('[');
  if (bracket == std::string_view::npos || part.back() != ']') return false;
  std::uint32_t number = 0;
  const char* const end = part.data() + part.size() - 1;
  const auto [read_end, error] = std::from_chars(part.data() + bracket + 1, end, number);
  if (error != std::errc() || read_end != end) return false;
  const std::string_view word = part.substr(0, bracket);
  return (word == node.kind && number == node.kind_number) || (word == node.id && number == node.id_number);
}

}  // namespace

NodePaths::NodePaths(const Tree& tree) : tree_(tree) {
  switch (engine_id_of(tree)) {
    case EngineId::rule:
      add_rules(tree);
      break;
    case EngineId::decide:
      add_deciders(tree);
      break;
    case EngineId::store:
      add_units(tree, PlacedNode::kRoot, 0);
      // Any of the others may be put into a slot; their ways begin with their names.
      for (std::uint32_t i = 0; i < tree_count(*tree.asset); ++i) {
        const Tree other = espalier::tree(*tree.asset, i);
        if (i == tree.index || engine_id_of(other) != EngineId::store) continue;
        PlacedNode& root = nodes_.emplace_back();
        root.word = PlacedNode::kRoot;
        root.name = tree_name(other);
        root.is_subtree = true;
        add_units(other, static_cast<std::uint32_t>(nodes_.size() - 1), 0);
      }
      break;
    default:
      add_units(tree, PlacedNode::kRoot, 0);
      break;
  }
  number_siblings();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) by_word_.emplace(nodes_[i].word, i);
}

std::uint32_t NodePaths::add(const Tree& tree, std::uint32_t word, std::uint32_t parent) {
  const Asset& asset = *tree.asset;
  const codegen::NodeView node = codegen::node_at(asset, word);
  const std::string_view told = codegen::node_debug(asset, word).name;
  PlacedNode& placed = nodes_.emplace_back();
  placed.parent = parent;
  placed.word = word;
  placed.kind = codegen::element_of(node.opcode);
  placed.is_subtree =
      node.opcode == opcode::poll_subtree || node.opcode == opcode::store_child || node.opcode == opcode::rule_subtree;
  const EngineId engine = opcode_info(node.opcode).engine;
  if (engine == EngineId::poll) {
    const PollTreeView view(tree);
    placed.id = told;
    if (placed.kind.empty()) placed.kind = told;
    const std::uint32_t* const own = view.nodes + word;
    placed.name = view.name(view.polled_of(own).instance);
    if (placed.name.empty() && node.opcode == opcode::poll_subtree) {  // as in the names of its entries: "North::3"
      placed.name = view.name(view.board(view.polled_of(first_child(own)).board).path);
      placed.name.remove_prefix(placed.name.rfind('/') + 1);
    }
  } else if (placed.kind.empty()) {
    placed.kind = told;
  } else if (told != placed.kind) {
    placed.name = told;
  }
  if (node.opcode == opcode::tick_state) {
    if (const std::uint32_t text = *codegen::operand(node, OperandKind::text); text != 0)
      placed.name = name_at(asset, text);
  }
  const std::uint32_t* const behavior = codegen::operand(node, OperandKind::behavior);
  const std::uint32_t* const condition = codegen::operand(node, OperandKind::host_condition);
  if (behavior != nullptr && engine != EngineId::tick) placed.id = behavior_name(asset, *behavior);
  if (condition != nullptr) placed.id = host_condition_name(asset, *condition);
  if (node.opcode == opcode::store_child) placed.id = slot_name(asset, *codegen::operand(node, OperandKind::slot));
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

// The tree that a slot has by default is below it.
void NodePaths::add_units(const Tree& tree, std::uint32_t parent, std::uint32_t depth) {
  constexpr std::uint32_t kMaxDepth = 16;
  std::vector<std::uint32_t> around;  // by depth
  std::uint32_t leaf = 0;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t at, std::uint32_t) {
    const std::uint32_t leaf_number = codegen::is_leaf(node) ? leaf++ : 0;
    if (nodes_.size() >= kMaxPlacedNodes) return;
    around.resize(at);
    const std::uint32_t above = around.empty() ? parent : around.back();
    const bool is_hidden = is_unwritten(node.opcode) || codegen::node_debug(*tree.asset, node.word).name.empty();
    around.push_back(is_hidden ? above : add(tree, node.word, above));
    if (is_hidden) return;
    nodes_.back().number = leaf_number;
    if (node.opcode != opcode::store_child || depth == kMaxDepth) return;
    if (const std::uint32_t standard = *codegen::operand(node, OperandKind::tree); standard != 0)
      add_units({tree.asset, standard - 1}, around.back(), depth + 1);
  });
}

void NodePaths::add_rules(const Tree& tree) {
  const RuleTree rules(tree);
  for (std::uint32_t number = 0; number < rule_count(tree) && nodes_.size() < kMaxPlacedNodes; ++number) {
    const auto parent = rules.parent(rules.rule(number));
    PlacedNode& rule =
        nodes_[add(tree, rule_node(tree, number), parent.number == kNoRule ? PlacedNode::kRoot : parent.number)];
    rule.number = number;
    rule.name = rule_id(tree, number);
    rule.name.remove_prefix(rule.name.rfind('.') + 1);
  }
}

void NodePaths::add_deciders(const Tree& tree) {
  const DeciderTree deciders(tree);
  struct Open {
    const std::uint32_t* placement;
    std::uint32_t parent;
  };
  std::vector<Open> open = {{deciders.root().placement, PlacedNode::kRoot}};
  while (!open.empty() && nodes_.size() < kMaxPlacedNodes) {
    const auto [placement, parent] = open.back();
    open.pop_back();
    const Placed placed = deciders.placed(placement);
    const std::uint32_t index = add(tree, deciders.word_of(placed), parent);
    nodes_[index].kind = codegen::element_of(opcode_of(placement));
    const std::size_t first = open.size();
    for (const std::uint32_t* child = placed.first_child(); placed.is_group() && child != placed.end();
         child = end_of_decider(child)) {
      open.push_back({child, index});
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

void NodePaths::number_siblings() {
  using Sibling = std::tuple<std::uint32_t, bool, std::string_view>;  // its parent, is it an ID, the word
  std::map<Sibling, std::uint32_t> counts;
  for (PlacedNode& node : nodes_) {
    node.kind_number = ++counts[{node.parent, false, node.kind}];
    if (!node.id.empty()) node.id_number = ++counts[{node.parent, true, node.id}];
  }
  for (PlacedNode& node : nodes_) node.is_only = counts[{node.parent, !node.id.empty(), written_part(node)}] == 1;
}

// The node at which the parts begin that end at `last`; null: they do not. `is_in_row`: whether none is left out.
const PlacedNode* NodePaths::begin_of(const PlacedNode& last, const std::vector<std::string_view>& parts,
                                      bool* is_in_row) const {
  *is_in_row = true;
  if (!fits_part(last, parts.back())) return nullptr;
  const PlacedNode* at = &last;
  for (std::size_t left = parts.size() - 1; left > 0; --left) {
    bool is_next = true;
    do {
      if (at->parent == PlacedNode::kRoot) return nullptr;
      at = &nodes_[at->parent];
      if (fits_part(*at, parts[left - 1]) && (is_next || at->is_subtree)) break;
      is_next = false;
    } while (true);
    *is_in_row = *is_in_row && is_next;
  }
  return at;
}

NodePaths::Fit NodePaths::fit(const PlacedNode& node, const std::vector<std::string_view>& parts) const {
  Fit best = Fit::none;
  const PlacedNode* last = &node;
  for (bool is_node = true;; is_node = false) {
    bool is_in_row = true;
    if (const PlacedNode* const begin = begin_of(*last, parts, &is_in_row)) {
      const bool is_whole = is_node && is_in_row && begin->parent == PlacedNode::kRoot;
      const Fit fit = is_whole    ? Fit::whole
                      : is_in_row ? is_node ? Fit::ends : Fit::above
                      : is_node   ? Fit::ends_below_subtree
                                  : Fit::below_subtree;
      best = std::max(best, fit);
    }
    if (best >= Fit::above || last->parent == PlacedNode::kRoot) return best;
    last = &nodes_[last->parent];
  }
}

std::string NodePaths::path_of(const PlacedNode& node) const {
  std::vector<std::string> parts;
  for (const PlacedNode* at = &node;; at = &nodes_[at->parent]) {
    std::string& part = parts.emplace_back(at->kind.empty() ? at->name : written_part(*at));
    if (!at->is_only && !at->kind.empty()) part += '[' + std::to_string(written_number(*at)) + ']';
    if (at->parent == PlacedNode::kRoot) break;
  }
  std::string path;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) path += (path.empty() ? "" : "/") + *part;
  return path;
}

std::string NodePaths::path_of(std::uint32_t word) const {
  const auto found = by_word_.find(word);
  return found == by_word_.end() ? std::string() : path_of(nodes_[found->second]);
}

std::vector<std::string_view> parts_of_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (parts.back().empty()) return {};
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace espalier::replay

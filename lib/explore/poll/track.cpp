// Which nodes, results and cases of a tree that polls a run reaches. See tracker.h.
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "explore/by_node.h"
#include "explore/possible_results.h"
#include "explore/tracker.h"
#include "replay/strategy.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {
namespace {

constexpr std::uint64_t kNoPollItem = ~std::uint64_t{0};

// The items of a node, by what happens to it.
struct PollItems {
  std::uint64_t begun = kNoPollItem;
  std::uint64_t around = kNoPollItem;  // the case that begins with it
  std::uint64_t success = kNoPollItem;
  std::uint64_t failure = kNoPollItem;
};

// The case that is the child of a Switch with this index.
std::string case_text(const PollTreeView& tree, const std::uint32_t* node, std::uint32_t child) {
  using layout::PollPortKind;
  if (child + 1 >= tree.polled_of(node).port_count) return "default";
  const layout::PollPort& port = tree.port_of(node, poll_ports::kVariable + 1 + child);
  const auto kind = static_cast<PollPortKind>(port.kind);
  if (kind == PollPortKind::text) return std::string(tree.name(port.value));
  if (kind == PollPortKind::key) return '{' + std::string(tree.name(tree.keys[port.value].name)) + '}';
  return std::to_string(child + 1);
}

// A subtree is copied to each of its places: only what has several of them needs a path.
void clear_single_paths(std::vector<Item>& items) {
  const auto key = [](const Item& item) {
    return std::tuple(item.kind, item.name, item.place.file, item.place.line, item.place.column);
  };
  std::map<decltype(key(items.front())), std::uint32_t> counts;
  for (const Item& item : items) ++counts[key(item)];
  for (Item& item : items) {
    if (counts[key(item)] == 1) item.path.clear();
  }
}

}  // namespace

Tracker track_polling(const Tree& tree, const HostFacts& host) {
  Tracker tracker;
  const ByNode<Possible> possible = possible_nodes(tree, host);
  const auto items = std::make_shared<ByNode<PollItems>>();
  const Asset& asset = *tree.asset;
  const PollTreeView view(tree);
  std::map<std::uint32_t, std::string> cases;  // of children of Switch nodes, by word
  for (std::uint32_t i = 0; i < view.unit.node_count; ++i) {
    const std::uint32_t* const node = view.node(i);
    const std::uint32_t word = view.word_of(node);
    const codegen::NodeDebug debug = codegen::node_debug(asset, word);
    const Possible& own_possible = *possible.find(word);
    const auto add = [&](ItemKind kind, std::string name) {
      Item& item = tracker.items.emplace_back();
      tracker.words.push_back(word);
      item.kind = kind;
      item.name = std::move(name);
      item.place = {std::string(debug.file), debug.line, debug.column};
      item.path = view.name(view.board(view.polled_of(node).board).path);
      item.may_begin = own_possible.begins;
      return tracker.items.size() - 1;
    };
    PollItems& own = (*items)[word];
    if (const auto found = cases.find(word); found != cases.end()) own.around = add(ItemKind::case_, found->second);
    const std::string name = replay::node_text(asset, word);
    own.begun = add(ItemKind::node, name);
    own.success = add(ItemKind::result, name + " success");
    tracker.items.back().is_possible = ir::can(own_possible.results, ir::kSucceeds);
    own.failure = add(ItemKind::result, name + " failure");
    tracker.items.back().is_possible = ir::can(own_possible.results, ir::kFails);
    if (opcode_of(node) != opcode::poll_switch) continue;
    std::uint32_t index = 0;
    for (const std::uint32_t* const child : children_of(node)) {
      cases.emplace(view.word_of(child), case_text(view, node, index++));
    }
  }
  clear_single_paths(tracker.items);
  tracker.node = [items](Moment& moment, const NodeStep& step) {
    if (step.kind != NodeStepKind::begin && step.kind != NodeStepKind::complete) return;
    const PollItems* own = items->find(step.node_word);
    if (own == nullptr) return;
    const auto mark = [&](std::uint64_t item) {
      if (item != kNoPollItem) moment.mark(item);
    };
    if (step.kind == NodeStepKind::begin) {
      mark(own->begun);
      mark(own->around);
    } else {
      mark(step.value == Result::success ? own->success : own->failure);
    }
  };
  return tracker;
}

}  // namespace espalier::explore

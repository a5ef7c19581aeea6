// Results of nodes, from those of their children; from these, which nodes begin. See possible_results.h.
#include "explore/possible_results.h"

#include <algorithm>
#include <span>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "lint/flow.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {

using ir::both;
using ir::if_so;
using ir::kAnyResult;
using ir::kFails;
using ir::kRuns;
using ir::kSkips;
using ir::kSucceeds;
using ir::Results;
using lint::Flow;
using lint::flow_of;
using lint::FlowNode;
using lint::FlowShape;
using lint::RowFlow;

namespace {

class OfNodes {
 public:
  OfNodes(const Tree& tree, const HostFacts& host) : tree_(tree), asset_(*tree.asset), host_(host) {}

  Results of(const codegen::NodeView& node, std::span<const Results> children) const {
    FlowNode flow{.opcode = node.opcode, .flags = node.flags};
    switch (opcode_info(node.opcode).engine) {
      case EngineId::tick:
        look_at_ticking(node, flow);
        break;
      case EngineId::store:
        look_at_storing(node, flow);
        break;
      case EngineId::poll:
        return both(results_of_polled(node, flow, children), of_conditions(node));
      default:
        break;
    }
    return results_of(flow, children);
  }

 private:
  Results declared(std::uint32_t word) const {
    const codegen::NodeDebug place = codegen::node_debug(asset_, word);
    const auto found = host_.results.find({std::string(place.file), place.line, place.column});
    return found == host_.results.end() ? kAnyResult : found->second;
  }

  void look_at_ticking(const codegen::NodeView& node, FlowNode& flow) const {
    if (node.opcode == opcode::tick_action) {
      flow.own = declared(node.word);
    } else if (node.opcode == opcode::tick_priority) {
      flow.can_close = !has_case_that_holds(node);
    } else if (node.opcode == opcode::tick_loop) {
      flow.is_endless = *codegen::operand(node, OperandKind::count) == 0;
    } else if (node.opcode == opcode::tick_guard) {
      flow.can_close = *codegen::operand(node, OperandKind::condition) != 0;
    }
  }

  bool has_case_that_holds(const codegen::NodeView& priority) const {
    for (std::uint32_t word = priority.word + priority.own_words(); word < priority.word + priority.extent;) {
      const codegen::NodeView of_case = codegen::node_at(asset_, word);
      if (*codegen::operand(of_case, OperandKind::condition) == 0) return true;
      word += of_case.extent;
    }
    return false;
  }

  void look_at_storing(const codegen::NodeView& node, FlowNode& flow) const {
    if (node.opcode == opcode::store_action) {
      flow.own = declared(node.word);
    } else if (node.opcode == opcode::store_repeat) {
      flow.is_endless = *codegen::operand(node, OperandKind::maximum) == 0;
    } else if (node.opcode == opcode::store_group) {
      flow.own = kAnyResult;  // agents leave it
    }
  }

  // ---- Trees that poll

  Results of_conditions(const codegen::NodeView& node) const {
    using layout::PollHook;
    const PollTreeView view(tree_);
    const layout::Polled& polled = view.polled_of(view.nodes + node.word);
    const auto has = [&](PollHook hook) { return hook_of(polled, hook) != 0; };
    return static_cast<Results>(if_so(has(PollHook::success_if), kSucceeds) | if_so(has(PollHook::failure_if), kFails) |
                                if_so(has(PollHook::skip_if) || has(PollHook::while_true), kSkips));
  }

  Results results_of_polled(const codegen::NodeView& node, FlowNode& flow, std::span<const Results> children) const {
    const PollTreeView view(tree_);
    const auto* const record = view.nodes + node.word;
    const auto kind_of = [&](std::uint32_t port) {
      return static_cast<layout::PollPortKind>(view.port_of(record, port).kind);
    };
    const Flow& row = flow_of(node.opcode, flow.flags);
    if (row.shape == FlowShape::loop) {
      flow.is_endless = kind_of(poll_ports::kCycles) == layout::PollPortKind::whole &&
                        static_cast<std::int64_t>(view.number(view.port_of(record, poll_ports::kCycles).value)) == -1;
      // Without a round it succeeds at once, or a retry fails.
      return both(results_of(flow, children), if_so(!flow.is_endless, row.also));
    }
    if (row.shape == FlowShape::host) {
      const std::uint32_t host = view.polled_of(record).host;
      const bool is_condition = node.opcode == opcode::poll_condition;
      flow.own = of_host(std::string(is_condition ? host_condition_name(asset_, host) : behavior_name(asset_, host)));
    } else if (node.opcode == opcode::poll_set) {  // it fails only where the entry that it copies has no value
      if (kind_of(poll_ports::kSource) != layout::PollPortKind::key) {
        flow.own = kSucceeds;
        flow.can_close = false;
      }
    } else if (node.opcode == opcode::poll_precondition) {
      flow.own = of_port(view, view.port_of(record, poll_ports::kElse));
    } else if (node.opcode == opcode::poll_loop) {
      flow.own = of_port(view, view.port_of(record, poll_ports::kIfEmpty));
    }
    return results_of(flow, children);
  }

  // The status that a port names; any if an entry or a number stands for it.
  static Results of_port(const PollTreeView& view, const layout::PollPort& port) {
    if (static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::text) {
      const std::string_view word = view.name(port.value);
      if (word == "SUCCESS") return kSucceeds;
      if (word == "FAILURE") return kFails;
      if (word == "RUNNING") return kRuns;
      if (word == "SKIPPED") return kSkips;
    }
    return both(kAnyResult, kSkips);
  }

  Results of_host(const std::string& name) const {
    const auto known = host_.answers.find(name);
    if (known == host_.answers.end()) return kAnyResult;
    const auto gives = [&](std::string_view word) {
      return std::find(known->second.begin(), known->second.end(), word) != known->second.end();
    };
    return static_cast<Results>(if_so(gives("running"), kRuns) | if_so(gives("success"), kSucceeds) |
                                if_so(gives("failure"), kFails) | if_so(gives("skipped"), kSkips));
  }

  const Tree& tree_;
  const Asset& asset_;
  const HostFacts& host_;
};

// Calls visit(index) for each child that can begin if its parent does.
template <typename Visit>
void visit_beginning(const codegen::NodeView& node, std::span<const Results> children, const Visit& visit) {
  const Flow& flow = flow_of(node.opcode, node.flags);
  const bool is_row = flow.shape == FlowShape::row || flow.shape == FlowShape::tries;
  RowFlow row(is_row ? goes_on_after(flow) : kAnyResult);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool is_last_try = flow.shape == FlowShape::tries && i + 1 == children.size();
    if (!is_row || is_last_try || row.is_reached()) visit(i);
    row.add(children[i]);
  }
}

}  // namespace

ByNode<Possible> possible_nodes(const Tree& tree, const HostFacts& host) {
  struct Visited {
    codegen::NodeView node;
    std::size_t parent = 0;
    std::vector<Results> results = {};  // of its children
    std::vector<std::uint32_t> children = {};
  };
  std::vector<Visited> visited;
  std::vector<std::size_t> around;  // by depth
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t depth, std::uint32_t) {
    around.resize(depth);
    visited.push_back({node, around.empty() ? visited.size() : around.back()});
    if (!around.empty()) visited[around.back()].children.push_back(node.word);
    around.push_back(visited.size() - 1);
  });
  const OfNodes of_nodes(tree, host);
  ByNode<Possible> possible;
  if (!visited.empty()) possible[visited.front().node.word] = {};  // the words after it take no time to add
  for (std::size_t i = visited.size(); i-- > 0;) {
    std::reverse(visited[i].results.begin(), visited[i].results.end());
    const Results own = of_nodes.of(visited[i].node, visited[i].results);
    possible[visited[i].node.word] = {own, i == 0};
    if (i > 0) visited[visited[i].parent].results.push_back(own);
  }
  for (const Visited& each : visited) {
    if (!possible[each.node.word].begins) continue;
    visit_beginning(each.node, each.results, [&](std::size_t child) { possible[each.children[child]].begins = true; });
  }
  return possible;
}

}  // namespace espalier::explore

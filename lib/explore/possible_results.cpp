// Results of nodes, from those of their children. See possible_results.h.
#include "explore/possible_results.h"

#include <algorithm>
#include <span>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "runtime/poll/nodes.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {
namespace {

constexpr PossibleResults kEither = kMaySucceed | kMayFail;

using OfChildren = std::span<const PossibleResults>;

bool may(PossibleResults results, PossibleResults some) { return (results & some) != 0; }

bool any_may(OfChildren children, PossibleResults some) {
  return std::any_of(children.begin(), children.end(), [&](PossibleResults child) { return may(child, some); });
}

bool all_may(OfChildren children, PossibleResults some) {
  return std::all_of(children.begin(), children.end(), [&](PossibleResults child) { return may(child, some); });
}

PossibleResults all_of(OfChildren children) {
  PossibleResults results = 0;
  for (const PossibleResults child : children) results |= child;
  return results;
}

PossibleResults with(bool is_possible, PossibleResults result) { return is_possible ? result : PossibleResults{0}; }

PossibleResults either(PossibleResults one, PossibleResults other) { return static_cast<PossibleResults>(one | other); }

PossibleResults inverted(PossibleResults results) {
  return static_cast<PossibleResults>(with(may(results, kMaySucceed), kMayFail) |
                                      with(may(results, kMayFail), kMaySucceed) | (results & kMaySkip));
}

// A sequence, or a selector: the next child begins when one gives `goes_on` or is skipped.
PossibleResults in_order(OfChildren children, PossibleResults goes_on) {
  const PossibleResults ends = goes_on == kMaySucceed ? kMayFail : kMaySucceed;
  PossibleResults results = 0;
  bool is_any_done = false;
  bool are_all_skipped = true;
  for (const PossibleResults child : children) {
    results |= child & ends;
    if (!may(child, static_cast<PossibleResults>(goes_on | kMaySkip))) return results;
    is_any_done = is_any_done || may(child, goes_on);
    are_all_skipped = are_all_skipped && may(child, kMaySkip);
  }
  return static_cast<PossibleResults>(results | with(is_any_done, goes_on) | with(are_all_skipped, kMaySkip));
}

// What flags or declarations say: bits 1 << Result.
PossibleResults of_bits(unsigned bits) {
  return static_cast<PossibleResults>(with((bits >> static_cast<unsigned>(Result::success) & 1) != 0, kMaySucceed) |
                                      with((bits >> static_cast<unsigned>(Result::failure) & 1) != 0, kMayFail));
}

PossibleResults of_flags(const codegen::NodeView& node) { return of_bits(1u << (node.flags & kResultMask)); }

class OfNodes {
 public:
  OfNodes(const Tree& tree, const HostFacts& host) : tree_(tree), asset_(*tree.asset), host_(host) {}

  PossibleResults of(const codegen::NodeView& node, OfChildren children) const {
    switch (opcode_info(node.opcode).engine) {
      case EngineId::tick:
        return of_ticking(node, children);
      case EngineId::store:
        return of_storing(node, children);
      case EngineId::poll:
        return of_polling(node, children);
      default:
        return kEither;
    }
  }

 private:
  PossibleResults declared(std::uint32_t word) const {
    const codegen::NodeDebug place = codegen::node_debug(asset_, word);
    const auto found = host_.results.find({std::string(place.file), place.line, place.column});
    return found == host_.results.end() ? kEither : of_bits(found->second);
  }

  // ---- Trees that tick

  PossibleResults of_ticking(const codegen::NodeView& node, OfChildren children) const {
    switch (node.opcode) {
      case Opcode::tick_sequence:
        return in_order(children, kMaySucceed);
      case Opcode::tick_selector:
        return in_order(children, kMayFail);
      case Opcode::tick_parallel: {
        const bool succeeds =
            (node.flags & kSucceedsWithAny) != 0 ? any_may(children, kMaySucceed) : all_may(children, kMaySucceed);
        const bool fails =
            (node.flags & kFailsWithAll) != 0 ? all_may(children, kMayFail) : any_may(children, kMayFail);
        return either(with(succeeds, kMaySucceed), with(fails, kMayFail));
      }
      case Opcode::tick_priority:
        return either(all_of(children), with(!has_case_that_holds(node), kMayFail));
      case Opcode::tick_loop: {
        const bool until_success = (node.flags & kLoopsUntilSuccess) != 0;
        const PossibleResults counted = until_success ? kMayFail : kMaySucceed;
        const bool has_end = *codegen::operand(node, OperandKind::count) != 0;
        const auto ends = static_cast<PossibleResults>(children[0] & ~counted);
        return either(ends, with(has_end && may(children[0], counted), counted));
      }
      case Opcode::tick_suppress:
        return with(children[0] != 0, kMaySucceed);
      case Opcode::tick_guard:
        return either(children[0], with(*codegen::operand(node, OperandKind::condition) != 0, kMayFail));
      case Opcode::tick_chance_guard:
      case Opcode::tick_time_guard:
      case Opcode::tick_limit:
      case Opcode::tick_scope:
      case Opcode::tick_script_guard:
        return either(children[0], kMayFail);
      case Opcode::tick_wrapper: {
        const bool keeps = (node.flags & kWrapperKeeps) != 0;
        return either(keeps ? children[0] & kMayFail : children[0], kMayFail);
      }
      case Opcode::tick_message:
        return kMaySucceed;
      case Opcode::tick_result:
      case Opcode::tick_wait:
      case Opcode::tick_wait_event:
      case Opcode::tick_send:
      case Opcode::tick_queue:
        return of_flags(node);
      case Opcode::tick_condition:
      case Opcode::tick_time:
        return either(kMaySucceed, of_flags(node));
      case Opcode::tick_script:
        return either(kMaySucceed, with((node.flags & kScriptDecides) != 0, kMayFail));
      case Opcode::tick_action:
        return declared(node.word);
      default:  // a branch, a case, a state, a log, a wrapper of scripts; a machine
        return all_of(children);
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

  // ---- Trees that store

  PossibleResults of_storing(const codegen::NodeView& node, OfChildren children) const {
    switch (node.opcode) {
      case Opcode::store_sequence:
        return in_order(children, kMaySucceed);
      case Opcode::store_selector:
        return in_order(children, kMayFail);
      case Opcode::store_parallel: {
        const bool fails_with_all = (node.flags & kFailsWithAll) != 0;
        const bool succeeds_with_any = (node.flags & kSucceedsWithAny) != 0;
        const bool succeeds = succeeds_with_any ? any_may(children, kMaySucceed) : all_may(children, kMaySucceed);
        // Neither all have failed nor all succeeded: it fails, too.
        const bool fails =
            fails_with_all && succeeds_with_any ? all_may(children, kMayFail) : any_may(children, kMayFail);
        return either(with(succeeds, kMaySucceed), with(fails, kMayFail));
      }
      case Opcode::store_invert:
        return inverted(children[0]);
      case Opcode::store_succeed:
        return with(children[0] != 0, kMaySucceed);
      case Opcode::store_fail:
        return with(children[0] != 0, kMayFail);
      case Opcode::store_repeat: {
        if ((node.flags & kEachUpdate) != 0) return children[0];
        const bool until_failure = (node.flags & kUntilFailure) != 0;
        const bool is_counted = until_failure ? may(children[0], kMaySucceed) : children[0] != 0;
        const bool has_end = *codegen::operand(node, OperandKind::maximum) != 0;
        return either(with(until_failure && may(children[0], kMayFail), kMayFail),
                      with(has_end && is_counted, kMaySucceed));
      }
      case Opcode::store_gate:
      case Opcode::store_cooldown:
      case Opcode::store_cooldown_all:
        return either(children[0], kMayFail);
      case Opcode::store_monitor:
        return children[0];
      case Opcode::store_role:  // after its condition
        return children[children.size() - 1];
      case Opcode::store_barrier:
        return kMaySucceed;
      case Opcode::store_action:
        return declared(node.word);
      default:  // a condition; a group, which agents leave; a slot
        return kEither;
    }
  }

  // ---- Trees that poll

  PossibleResults of_polling(const codegen::NodeView& node, OfChildren children) const {
    using layout::PollHook;
    const PollTreeView view(tree_);
    const layout::Polled& polled = view.polled_of(view.nodes + node.word);
    const auto has = [&](PollHook hook) { return hook_of(polled, hook) != 0; };
    return static_cast<PossibleResults>(of_polled(node, view, children) | with(has(PollHook::success_if), kMaySucceed) |
                                        with(has(PollHook::failure_if), kMayFail) |
                                        with(has(PollHook::skip_if) || has(PollHook::while_true), kMaySkip));
  }

  PossibleResults of_polled(const codegen::NodeView& node, const PollTreeView& view, OfChildren children) const {
    switch (node.opcode) {
      case Opcode::poll_sequence:
      case Opcode::poll_sequence_with_memory:
      case Opcode::poll_reactive_sequence:
      case Opcode::poll_pipeline:
        return in_order(children, kMaySucceed);
      case Opcode::poll_fallback:
      case Opcode::poll_reactive_fallback:
        return in_order(children, kMayFail);
      case Opcode::poll_nonblocking:
        return either(with(all_may(children, kMaySucceed), kMaySucceed), with(any_may(children, kMayFail), kMayFail));
      case Opcode::poll_if_then_else:
      case Opcode::poll_while_do_else:
        return either(all_of(children.subspan(1)), with(children.size() < 3, kMayFail));
      case Opcode::poll_switch:
      case Opcode::poll_delay:
      case Opcode::poll_subtree:
      case Opcode::poll_rate:
      case Opcode::poll_gate:
        return all_of(children);
      case Opcode::poll_run_once:
      case Opcode::poll_updated:
        return either(children[0], kMaySkip);
      case Opcode::poll_timeout:
      case Opcode::poll_trigger:
        return either(children[0], kMayFail);
      case Opcode::poll_invert:
        return inverted(children[0]);
      case Opcode::poll_force:
      case Opcode::poll_result: {
        const auto status = static_cast<PollStatus>(node.flags & 3);
        const bool is_done = children.empty() || may(children[0], kEither);
        const PossibleResults skips = children.empty() ? PossibleResults{0} : children[0] & kMaySkip;
        return static_cast<PossibleResults>(with(is_done && status == PollStatus::success, kMaySucceed) |
                                            with(is_done && status == PollStatus::failure, kMayFail) | skips);
      }
      case Opcode::poll_keep_running:
        return children[0] & kMayFail;
      case Opcode::poll_repeat:
      case Opcode::poll_retry: {
        const PossibleResults counted = node.opcode == Opcode::poll_repeat ? kMaySucceed : kMayFail;
        const auto others = static_cast<PossibleResults>(children[0] & ~counted);
        return either(others, with(!is_endless(view, node), counted));
      }
      case Opcode::poll_script:
      case Opcode::poll_unset:
      case Opcode::poll_sleep:
        return kMaySucceed;
      case Opcode::poll_set: {  // it fails where the entry that it copies has no value
        const layout::PollPort& source = view.port_of(view.nodes + node.word, poll_ports::kSource);
        const bool copies = static_cast<layout::PollPortKind>(source.kind) == layout::PollPortKind::key;
        return either(kMaySucceed, with(copies, kMayFail));
      }
      case Opcode::poll_action:
      case Opcode::poll_sync_action:
        return of_host(std::string(behavior_name(asset_, view.polled_of(view.nodes + node.word).host)));
      case Opcode::poll_condition:
        return of_host(std::string(host_condition_name(asset_, view.polled_of(view.nodes + node.word).host)));
      case Opcode::poll_script_condition:
      case Opcode::poll_was_updated:
        return kEither;
      default:  // what depends on numbers and texts of ports, too
        return kEither | kMaySkip;
    }
  }

  static bool is_endless(const PollTreeView& view, const codegen::NodeView& node) {
    const layout::PollPort& port = view.port_of(view.nodes + node.word, poll_ports::kCycles);
    return static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::whole &&
           static_cast<std::int64_t>(view.number(port.value)) == -1;
  }

  PossibleResults of_host(const std::string& name) const {
    const auto known = host_.answers.find(name);
    if (known == host_.answers.end()) return kEither;
    const auto gives = [&](std::string_view word) {
      return std::find(known->second.begin(), known->second.end(), word) != known->second.end();
    };
    return static_cast<PossibleResults>(with(gives("success"), kMaySucceed) | with(gives("failure"), kMayFail) |
                                        with(gives("skipped"), kMaySkip));
  }

  const Tree& tree_;
  const Asset& asset_;
  const HostFacts& host_;
};

}  // namespace

ByNode<PossibleResults> possible_results(const Tree& tree, const HostFacts& host) {
  struct Visited {
    codegen::NodeView node;
    std::vector<PossibleResults> children;
    std::size_t parent = 0;
  };
  std::vector<Visited> visited;
  std::vector<std::size_t> around;  // by depth
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t depth, std::uint32_t) {
    around.resize(depth);
    visited.push_back({node, {}, around.empty() ? visited.size() : around.back()});
    around.push_back(visited.size() - 1);
  });
  const OfNodes of_nodes(tree, host);
  ByNode<PossibleResults> results;
  if (!visited.empty()) results[visited.front().node.word] = 0;  // the words after it take no time to add
  for (std::size_t i = visited.size(); i-- > 0;) {
    std::reverse(visited[i].children.begin(), visited[i].children.end());
    const PossibleResults own = of_nodes.of(visited[i].node, visited[i].children);
    results[visited[i].node.word] = own;
    if (i > 0) visited[visited[i].parent].children.push_back(own);
  }
  return results;
}

}  // namespace espalier::explore

// Results of nodes, from those of their children. See flow.h.
#include "lint/flow.h"

#include <algorithm>

#include "runtime/format/opcode.h"
#include "runtime/poll/nodes.h"

namespace espalier::lint {
namespace {

using namespace ir;

namespace table {
using enum FlowShape;
using enum FlowTo;
// What is in `also`.
struct Also {
  Results results = 0;
  constexpr Also(FlowTo to) : results(of(to)) {}  // NOLINT(google-explicit-constructor): words of a table
  constexpr explicit Also(Results some) : results(some) {}
  static constexpr Results of(FlowTo to) {
    switch (to) {
      case runs:
        return kRuns;
      case fails:
        return kFails;
      case succeeds:
        return kSucceeds;
      case skips:
        return kSkips;
      default:
        return 0;
    }
  }
};
constexpr Also operator|(FlowTo one, FlowTo other) { return Also(both(Also::of(one), Also::of(other))); }
constexpr Also done{kDone};
constexpr Also any{kAnyResult};

constexpr Flow kFlows[] = {
#define FLOW(name, flags, shape, success, failure, skip, also) \
  {opcode::name, flags, shape, success, failure, skip, Also(also).results},
#include "lint/flow.def"
};

struct FirstRows {
  constexpr FirstRows() {
    for (std::size_t i = std::size(kFlows); i-- > 0;) of[static_cast<std::size_t>(kFlows[i].opcode)] = &kFlows[i];
  }
  constexpr bool are_complete() const {
    return std::all_of(std::begin(of), std::end(of), [](const Flow* flow) { return flow != nullptr; });
  }
  const Flow* of[static_cast<std::size_t>(kOpcodeCount)] = {};
};
constexpr FirstRows kFirst;
static_assert(kFirst.are_complete(), "each opcode has a row in flow.def");
}  // namespace table

Results given(FlowTo to) { return table::Also::of(to); }

Results mapped(const Flow& flow, Results child) {
  return static_cast<Results>((child & kRuns) | if_so(can(child, kSucceeds), given(flow.success)) |
                              if_so(can(child, kFails), given(flow.failure)) |
                              if_so(can(child, kSkips), given(flow.skip)));
}

Results of_row(const Flow& flow, std::span<const Results> children) {
  RowFlow row(goes_on_after(flow));
  Results between = 0;
  for (std::size_t i = 0; i < children.size() && row.is_reached(); ++i) {
    if (i + 1 < children.size() && can(children[i], goes_on_after(flow))) between = flow.also;
    row.add(children[i]);
  }
  return both(row.results(), between);
}

Results of_choice(const Flow& flow, std::span<const Results> children) {
  Results results = 0;
  for (const Results child : children) results |= mapped(flow, child);
  const bool are_skipped = flow.skip == FlowTo::if_all && std::all_of(children.begin(), children.end(),
                                                                      [](Results each) { return can(each, kSkips); });
  return both(results, if_so(are_skipped, kSkips));
}

Results of_condition(std::span<const Results> children) {
  Results results = children[0] & kRuns;
  if (can(children[0], kSucceeds) && children.size() > 1) results |= children[1];
  if (can(children[0], kFails)) results |= children.size() > 2 ? children[2] : kFails;
  return results;
}

Results of_tries(const Flow& flow, std::span<const Results> children) {
  const Results tried = of_row(flow, children.first(children.size() - 1));
  return both(tried, if_so(can(tried, kFails), children.back() & kRuns));
}

// Between two rounds it runs.
Results of_loop(const Flow& flow, const FlowNode& node, Results child) {
  Results counted = 0;
  if (flow.success == FlowTo::again) counted |= kSucceeds;
  if (flow.failure == FlowTo::again) counted |= kFails;
  return static_cast<Results>(mapped(flow, child) | if_so(can(child, counted) && !node.has_one_round, kRuns) |
                              if_so(can(child, counted) && !node.is_endless, flow.also));
}

Results of_leaf(const Flow& flow, const FlowNode& node) {
  const bool has_flag = flow.shape == FlowShape::flagged;
  const Results results = if_so(has_flag, bit(static_cast<Result>(node.flags & kResultMask)));
  return both(results, if_so(node.can_close, flow.also));
}

Results of_children(const Flow& flow, const FlowNode& node, std::span<const Results> children) {
  switch (flow.shape) {
    case FlowShape::row:
      return of_row(flow, children);
    case FlowShape::tries:
      return of_tries(flow, children);
    case FlowShape::choice:
      return of_choice(flow, children);
    case FlowShape::condition:
      return of_condition(children);
    case FlowShape::parallel: {
      MixCounts counts;
      for (const Results child : children) counts.add(child);
      return parallel_results(flow, node.flags, counts);
    }
    case FlowShape::loop:
      return of_loop(flow, node, children.back());
    default:
      return mapped(flow, children.back());
  }
}

}  // namespace

const Flow& flow_of(Opcode opcode, std::uint32_t flags) {
  const Flow* flow = table::kFirst.of[static_cast<std::size_t>(opcode)];
  while ((flags & flow->flags) != flow->flags) ++flow;
  return *flow;
}

Results goes_on_after(const Flow& flow) {
  const auto goes_on = [](FlowTo to) { return to == FlowTo::next || to == FlowTo::again; };
  return both(if_so(goes_on(flow.success), kSucceeds), if_so(goes_on(flow.failure), kFails));
}

Results result_after(const Flow& flow, Result result) {
  if (result == Result::running) return kRuns;
  return given(result == Result::success ? flow.success : flow.failure);
}

bool changes_results(const Flow& flow) { return flow.success != FlowTo::succeeds || flow.failure != FlowTo::fails; }

void RowFlow::add(Results child) {
  if (!is_reached_) return;
  results_ |= child & (kRuns | (kDone & ~goes_on_));
  is_any_done_ = is_any_done_ || can(child, goes_on_);
  are_all_skipped_ = are_all_skipped_ && can(child, kSkips);
  is_reached_ = can(child, both(goes_on_, kSkips));
}

Results RowFlow::results() const {
  if (!is_reached_) return results_;
  return static_cast<Results>(results_ | if_so(is_any_done_, goes_on_) | if_so(are_all_skipped_, kSkips));
}

Results results_of(const FlowNode& node, std::span<const Results> children) {
  const Flow& flow = flow_of(node.opcode, node.flags);
  Results results = node.own;
  if (flow.shape == FlowShape::chooses) return results;
  if (children.empty()) return both(results, of_leaf(flow, node));
  if (node.can_open) results |= of_children(flow, node, children);
  const bool is_used =
      flow.shape == FlowShape::row || flow.shape == FlowShape::loop || flow.shape == FlowShape::parallel;
  return both(results, if_so(node.can_close && !is_used, flow.also));
}

}  // namespace espalier::lint

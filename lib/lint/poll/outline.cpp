// What nodes can give, bottom up. See outline.h.
#include "lint/poll/outline.h"

#include <algorithm>

#include "ir/poll/built.h"
#include "runtime/format/opcodes/poll.h"
#include "text/names.h"

namespace espalier::lint {

using namespace ir;
namespace {

constexpr Results kAny = both(kAnyResult, kSkips);

// Of a port with a status: a literal's, or the default's; any if it is an entry.
Results status_of(const WrittenNode& node, std::string_view port, Results otherwise) {
  const WrittenPort* const given = node.find_port(port);
  if (given == nullptr) return otherwise;
  if (given->value.is_pointer) return kAny;
  const std::string_view status = given->value.text;
  return status == "SUCCESS" ? kSucceeds : status == "FAILURE" ? kFails : status == "RUNNING" ? kRuns : kSkips;
}

bool is_off(const WrittenNode& node, std::string_view flag) {
  const WrittenPort* const given = node.find_port(flag);
  if (given == nullptr || given->value.is_pointer) return false;
  const std::string_view text = given->value.text;
  return text != "1" && text[0] != 't' && text[0] != 'T';
}

std::optional<bool> truth_of(const WrittenNode& node) {
  const WrittenScript* const script = node.script(kOwnHook);
  return script == nullptr ? std::nullopt : script->checked.truth;
}

// Nodes without children that give less or more than their row of flow.def.
void narrow_leaf(const WrittenNode& node, FlowNode& flow) {
  switch (node.built()) {
    case built::script_condition:
      if (const std::optional<bool> truth = truth_of(node)) {
        flow.own = *truth ? kSucceeds : kFails;
        flow.can_close = false;
      }
      break;
    case built::set_blackboard:  // it fails only where the entry that it copies has no value
      if (const WrittenPort* const value = node.find_port("value"); value != nullptr && !value->value.is_pointer) {
        flow.own = kSucceeds;
        flow.can_close = false;
      }
      break;
    case built::sleep:
      flow.own = kSucceeds;
      flow.can_close = literal_number(node, "msec") != 0.0;
      break;
    case built::none:
      flow.own = results_of_host(*node.declaration);
      break;
    default:
      break;
  }
}

void narrow_loop(std::optional<double> count, Results at_once, FlowNode& flow) {
  flow.is_endless = count == -1.0;
  flow.has_one_round = count == 1.0;
  if (count != 0.0) return;
  flow.own = at_once;
  flow.can_open = false;
}

void narrow_decorator(const WrittenNode& node, Results child, FlowNode& flow) {
  switch (node.built()) {
    case built::repeat:
      return narrow_loop(literal_number(node, "num_cycles"), kSucceeds, flow);
    case built::retry:
      return narrow_loop(literal_number(node, "num_attempts"), kFails, flow);
    case built::timeout:
      flow.can_close = can(child, kRuns) && literal_number(node, "msec") != 0.0;
      break;
    case built::run_once:
      flow.can_close = !is_off(node, "then_skip");
      break;
    case built::precondition: {
      const std::optional<bool> truth = truth_of(node);
      flow.can_open = truth != false;
      flow.own = if_so(truth != true, status_of(node, "else", kFails));
      break;
    }
    case built::loop:
      flow.own = both(kRuns, status_of(node, "if_empty", kSucceeds));
      break;
    default:
      break;
  }
}

void narrow_control(const WrittenNode& node, FlowNode& flow) {
  switch (node.built()) {
    case built::persistent_sequence:
      flow.opcode = opcode::poll_sequence;
      break;
    case built::switch_case:
    case built::recovery_node:
    case built::round_robin:
    case built::nonblocking_sequence:  // as if each child were ticked whatever the others do
      flow.opcode = opcode::poll_parallel_all;
      break;
    default:
      break;
  }
}

Results own_results(const WrittenNode& node, std::span<const Results> children) {
  FlowNode flow{.opcode = node.opcode, .flags = node.flags};
  if (is_leaf(node.declaration->kind)) {
    narrow_leaf(node, flow);
    return results_of(flow, {});
  }
  if (node.built() == built::none || is_guess(node)) return results_of_host(*node.declaration, children);
  if (children.empty()) return kAny;
  if (node.declaration->kind == NodeKind::decorator) {
    narrow_decorator(node, children[0], flow);
  } else {
    narrow_control(node, flow);
  }
  const Results results = results_of(flow, children);
  const bool never_skips = node.built() == built::persistent_sequence && can(results, kSkips);
  return never_skips ? both(without(results, kSkips), kSucceeds) : results;
}

// A tree that does nothing stands for one that the program puts in its place.
bool is_stub(const WrittenTree& tree) {
  return tree.has_root() && std::all_of(tree.nodes.begin(), tree.nodes.end(), [](const WrittenNode& node) {
           const bool is_plain = node.built() != built::none && !node.is_leaf() && node.scripts.empty();
           return node.opcode == opcode::poll_result || is_plain;
         });
}

Results with_conditions(const WrittenNode& node, Results own) {
  constexpr Results kGives[] = {kFails, kSucceeds, kSkips, kSkips};
  Results before = 0;
  for (const WrittenScript& script : node.scripts) {
    if (!is_condition(script.hook)) break;
    const Results gives = kGives[static_cast<std::size_t>(script.hook)];
    const std::optional<bool> truth = script.checked.truth;
    if (truth == (script.hook != Hook::while_true)) return both(before, gives);
    if (!truth) before |= gives;
  }
  return both(before, own);
}

}  // namespace

std::optional<Hook> never_begins(const WrittenNode& node) {
  for (const WrittenScript& script : node.scripts) {
    if (!is_condition(script.hook)) break;
    const bool stops_at = script.hook != Hook::while_true;
    if (script.checked.truth == stops_at && !script.is_plain) return script.hook;
  }
  return std::nullopt;
}

bool is_guess(const WrittenNode& node) {
  return node.built() == built::sequence && node.declaration->is_of_host() && !node.declaration->has_as;
}

PollOutline::PollOutline(const WrittenTree& of_tree, PollOutlines& outlines)
    : tree(of_tree), places(of_tree.root()), results(places.size()) {
  std::vector<Results> given;
  for (auto place = static_cast<PlaceIndex>(places.size()); place-- > 0;) {
    given.clear();
    for (const PlaceIndex child : places[place].children) given.push_back(results[child]);
    const WrittenNode& own = node(place);
    const Results results_of_own = !own.is_subtree()     ? own_results(own, given)
                                   : own.tree == nullptr ? kAnyResult  // as a node that nobody declares
                                                         : outlines.results_of(*own.tree);
    results[place] = with_conditions(own, results_of_own);
  }
}

Results PollOutline::goes_on_after(PlaceIndex place) const {
  const WrittenNode& row = node(place);
  const Flow& flow = flow_of(row.opcode, row.flags);
  const bool is_row = flow.shape == FlowShape::row && !row.is_subtree() && !is_guess(row);
  return if_so(is_row, both(lint::goes_on_after(flow), kSkips));
}

// The child that keeps a place from these, unless what the node itself says does, or several children do.
PlaceIndex PollOutline::decides(PlaceIndex place, Results next) const {
  const WrittenNode& above = node(place);
  const std::span<const PlaceIndex> below = children(place);
  const auto keeps = [&](PlaceIndex child) { return !can(results[child], next); };
  const bool has_condition = !above.scripts.empty() && is_condition(above.scripts.front().hook);
  if (below.empty() || has_condition || above.built() == built::none) return kNoPlace;
  if (can(goes_on_after(place), without(next, kSkips))) return *std::find_if(below.begin(), below.end(), keeps);
  const Flow& flow = flow_of(above.opcode, above.flags);
  const FlowTo to = can(next, kSucceeds) ? flow.success : flow.failure;
  const bool is_passed_on = to == FlowTo::again || to == (can(next, kSucceeds) ? FlowTo::succeeds : FlowTo::fails);
  return below.size() == 1 && is_passed_on && keeps(below[0]) ? below[0] : kNoPlace;
}

std::string PollOutline::why_not(PlaceIndex /*place*/, Results next) const {
  return can(next, kSucceeds) ? "cannot succeed" : "cannot fail";
}

std::string PollOutline::name(PlaceIndex place) const { return text::quote(node(place).name); }

const PollOutline* PollOutlines::find(const WrittenTree& tree) {
  return tree.is_sound() ? outlines_.find(tree, [&] { return PollOutline(tree, *this); }) : nullptr;
}

Results PollOutlines::results_of(const WrittenTree& tree) {
  if (is_stub(tree)) return kAnyResult;
  const PollOutline* const outline = find(tree);
  return outline == nullptr ? kAny : outline->results.front();
}

}  // namespace espalier::lint

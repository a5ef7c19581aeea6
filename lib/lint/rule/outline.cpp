// What runs of rules can answer. See outline.h.
#include "lint/rule/outline.h"

#include <algorithm>

#include "lint/facts.h"
#include "lint/flow.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/rule.h"
#include "text/names.h"

namespace espalier::lint {

RuleOutline::RuleOutline(const ir::Tree& of_tree) : tree(of_tree), places(of_tree.root()), answers(places.size()) {
  for (auto place = static_cast<PlaceIndex>(places.size()); place-- > 1;) {
    RuleAnswers& own = answers[place];
    own.can_be_jumped_to |= !id(place).empty();
    if (is_list(place)) {
      look_at_list(place);
    } else {
      look_at_leaf(place);
    }
    answers[places[place].parent].can_be_jumped_to |= own.can_be_jumped_to;
  }
  find_idle();
}

bool RuleOutline::is_list(PlaceIndex place) const { return opcode_info(opcode(place)).flags == FlagsKind::list; }

bool RuleOutline::does_not_fail(PlaceIndex place) const {
  return (is_list(place) || opcode(place) == opcode::rule_action) && has(place, kDoesNotFail);
}

Result RuleOutline::goes_on(PlaceIndex place) const {
  return lint::goes_on_after(flow_of(opcode(place))) == kFails ? Result::failure : Result::success;
}

std::string RuleOutline::name(PlaceIndex place) const {
  const ir::Node& own = node(place);
  const std::string& label = own.opcode == opcode::rule_action ? own.as<ir::Rule>().behavior.string() : own.label;
  std::string result = text::quote(own.name);
  if (label.empty()) return result;
  std::string shown = text::quote(label);
  shown.front() = shown.back() = '"';
  return result + ' ' + shown;
}

// ---- Answers ------------------------------------------------------------------------------------

// The results left from `round`: a list that restarts does not succeed, and one that does not fail succeeds instead.
Results RuleOutline::ended(PlaceIndex place, Results round) const {
  unsigned results = round;
  if (loops(place)) results &= ~kSucceeds;
  if (does_not_fail(place) && (results & kFails) != 0) results = (results & ~kFails) | kSucceeds;
  return static_cast<Results>(results);
}

Results RuleOutline::own_of_leaf(PlaceIndex leaf) const {
  const ir::Node& own = node(leaf);
  FlowNode flow{.opcode = own.opcode, .flags = own.flags, .own = ir::if_so(asks(leaf), kFails)};
  if (own.opcode == opcode::rule_action) flow.own |= own.as<ir::Rule>().results;
  return results_of(flow, {});
}

void RuleOutline::look_at_leaf(PlaceIndex leaf) {
  RuleAnswers& own = answers[leaf];
  own.real = own.mended = own.ever = of_leaf(leaf);
  own.has_failures = can(own_of_leaf(leaf), kFails);
  if (opcode(leaf) == opcode::rule_result && own.real == kRuns) own.fault = RuleFault::never_ends;
}

Results RuleOutline::of_child(PlaceIndex child, As as) const {
  const RuleAnswers& own = answers[child];
  if (as == As::real) return own.real;
  if (own.fault != RuleFault::none) return ir::kAnyResult;
  return as == As::mended ? own.mended : own.ever;
}

// The possible answers of one round of a list. For a list that restarts, success means that it returns to its
// beginning.
Results RuleOutline::one_round(PlaceIndex list, As as) const {
  const std::span<const PlaceIndex> children = places[list].children;
  if (children.empty()) return kFails;
  RowFlow row(bit(goes_on(list)));
  for (const PlaceIndex child : children) {
    if (as == As::ever && answers[child].can_be_jumped_to) row.reach();
    row.add(of_child(child, as));
  }
  return ir::both(row.results(), ir::if_so(asks(list), kFails));
}

void RuleOutline::find_unreachable(PlaceIndex list) {
  const PlaceIndex blocked = first_blocked(*this, list);
  if (blocked == kNoPlace) return;
  const PlaceIndex blocker = children(list)[places[blocked].number - 1];
  if (can(of_child(blocker, As::ever), goes_on_after(list))) return;  // but for a fault already found or a jump
  answers[list].unreachable = blocked;
  if (!answers[blocked].can_be_jumped_to) answers[blocker].fault = RuleFault::blocks;
}

std::string RuleOutline::why_not(PlaceIndex place, Results next) const {
  if (next == kFails) return "cannot fail";
  if (loops(place)) return "starts again instead of succeeding";
  switch (answers[place].ever) {
    case kFails:
      return "always fails";
    case kFails | kRuns:
      return "cannot succeed, only run or fail";
    default:
      return "cannot succeed";
  }
}

// The first child that keeps a list from giving the result after which it goes on.
PlaceIndex RuleOutline::decides(PlaceIndex place, Results next) const {
  const bool by_itself = next == kSucceeds ? loops(place) : does_not_fail(place);
  if (goes_on_after(place) != next || by_itself) return kNoPlace;
  const auto found = std::find_if(children(place).begin(), children(place).end(),
                                  [&](PlaceIndex child) { return !can(answers[child].ever, next); });
  return found == children(place).end() ? kNoPlace : *found;
}

void RuleOutline::look_at_list(PlaceIndex list) {
  RuleAnswers& own = answers[list];
  const Results round = one_round(list, As::real);
  const Results mended = one_round(list, As::mended);
  if (places[list].children.empty()) {
    own.fault = RuleFault::is_empty;
  } else if (loops(list) && can(round, kSucceeds) && !can(mended, kRuns)) {
    own.fault = can(mended, kFails) ? RuleFault::may_run_away : RuleFault::runs_away;
  } else {
    find_unreachable(list);
  }
  own.real = ended(list, round);
  own.mended = ended(list, one_round(list, As::mended));
  const Results ever = one_round(list, As::ever);
  own.ever = ended(list, ever);
  own.has_failures = can(ever, kFails);
}

// ---- Rules never run ----------------------------------------------------------------------------

void RuleOutline::find_idle() {
  for (PlaceIndex list = 1; list < places.size(); ++list) {
    if (places[list].is_idle) continue;
    bool is_reached = true;
    for (const PlaceIndex child : places[list].children) {
      is_reached = is_reached || answers[child].can_be_jumped_to;
      for (PlaceIndex i = child; !is_reached && i < places[child].end; ++i) places[i].is_idle = true;
      is_reached = is_reached && can(answers[child].real, bit(goes_on(list)));
    }
  }
}

}  // namespace espalier::lint

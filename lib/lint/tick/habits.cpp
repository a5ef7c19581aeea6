// What has no effect though nothing is wrong with it by itself: branches that repeat another one, events that nothing
// receives; and states that are never left. See analysis.h.
#include <algorithm>
#include <iterator>

#include "lint/tick/analysis.h"

#include "rules/modular.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

// ---- Branches that repeat another one -----------------------------------------------------------

// Does a node do more than give results, or something else each time: call the host, count agents, draw a number?
bool is_noticed(const ir::Node& node) {
  constexpr OperandKind kNoticed[] = {OperandKind::behavior, OperandKind::script, OperandKind::limit,
                                      OperandKind::scope};
  const auto has = [&](OperandKind kind) { return operand_word(node.opcode, kind) != 0; };
  if (std::any_of(std::begin(kNoticed), std::end(kNoticed), has)) return true;
  if (has(OperandKind::signal)) return node.opcode != opcode::tick_wait_event;  // others raise it
  if (node.opcode == opcode::tick_wait) return node.as<ir::Duration>().random_us != 0;
  return node.opcode == opcode::tick_chance_guard || node.opcode == opcode::tick_log ||
         node.opcode == opcode::tick_message;
}

// Does the subtree give the same results as a copy that begins in the same state, and do nothing else?
bool is_repeatable(const ir::Node& node) {
  return !node.is_doubtful && !is_noticed(node) &&
         std::all_of(node.children().begin(), node.children().end(), is_repeatable);
}

bool are_same(const ir::Condition* one, const ir::Condition* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return std::equal(
      one->terms.begin(), one->terms.end(), other->terms.begin(), other->terms.end(),
      [](const ir::Term& a, const ir::Term& b) { return a.kind == b.kind && a.left == b.left && a.right == b.right; });
}

bool are_same(const ir::EventTransitions& one, const ir::EventTransitions& other) {
  return std::equal(one.transitions.begin(), one.transitions.end(), other.transitions.begin(), other.transitions.end(),
                    [](const ir::EventTransition& a, const ir::EventTransition& b) {
                      return a.signal == b.signal && a.target == b.target;
                    });
}

// Of repeatable nodes, without their children.
bool have_same_operands(const ir::Tree& tree, const ir::Node& one, const ir::Node& other) {
  if (const auto* time = one.as_if<ir::TimeTest>()) {
    const ir::TimeTest& second = other.as<ir::TimeTest>();
    return time->timestamp == second.timestamp && time->threshold_us == second.threshold_us;
  }
  if (const auto* wait = one.as_if<ir::Duration>()) return wait->time_us == other.as<ir::Duration>().time_us;
  if (const auto* event = one.as_if<ir::Event>()) return event->signal == other.as<ir::Event>().signal;
  if (const auto* limit = one.as_if<ir::Limit>()) return limit->maximum == other.as<ir::Limit>().maximum;
  if (const auto* state = one.as_if<ir::EventTransitions>()) return are_same(*state, other.as<ir::EventTransitions>());
  return are_same(condition_of(tree, one), condition_of(tree, other));
}

bool are_same(const ir::Tree& tree, const ir::Node& one, const ir::Node& other) {
  const bool numbered =
      one.opcode == opcode::tick_branch || one.opcode == opcode::tick_case || one.opcode == opcode::tick_state;
  return one.opcode == other.opcode && (numbered || one.flags == other.flags) && have_same_operands(tree, one, other) &&
         std::equal(one.children().begin(), one.children().end(), other.children().begin(), other.children().end(),
                    [&](const ir::Node& a, const ir::Node& b) { return are_same(tree, a, b); });
}

// Branches side by side that are the same give the same results in the same updates.
void find_repeated_branches(TickAnalysis& analysis) {
  analysis.each(opcode::tick_parallel, [&](PlaceIndex place) {
    const std::span<const PlaceIndex> branches = analysis.outline.places[place].children;
    for (std::size_t i = 1; i < branches.size(); ++i) {
      const ir::Node& before = analysis.node(branches[i - 1]);
      const ir::Node& own = analysis.node(branches[i]);
      if (!is_repeatable(own) || !are_same(analysis.tree(), before, own)) continue;
      analysis
          .report(rules::MBT_repeated_branch, branches[i],
                  analysis.name(branches[i]) +
                      " has no effect: the branch before it is the same, and always gives the "
                      "same result at the same time")
          .related.push_back({analysis.span(branches[i - 1]), "the same branch"});
    }
  });
}

// ---- Events that nothing receives ---------------------------------------------------------------

// The signals of the tree that change something, or that a node waits for.
std::vector<bool> received_signals(const TickAnalysis& analysis) {
  const ir::Tree& tree = analysis.tree();
  std::vector<bool> received(tree.signals.size());
  for (std::size_t i = 0; i < received.size(); ++i) received[i] = !tree.signals[i].assignments.empty();
  for (const ir::Timestamp& timestamp : analysis.ticking().timestamps) received[timestamp.signal] = true;
  for (PlaceIndex place = 0; place < analysis.outline.places.size(); ++place) {
    const ir::Node& node = analysis.node(place);
    if (node.opcode == opcode::tick_wait_event) received[node.as<ir::Event>().signal] = true;
    if (const auto* state = node.as_if<ir::EventTransitions>()) {
      for (const ir::EventTransition& transition : state->transitions) received[transition.signal] = true;
    }
  }
  return received;
}

// An action of the host in another branch is told of events.
bool may_action_hear(const TickOutline& outline, PlaceIndex send) {
  for (PlaceIndex child = send; outline.places[child].parent != kNoPlace; child = outline.places[child].parent) {
    const PlaceIndex parent = outline.places[child].parent;
    if (outline.opcode(parent) != opcode::tick_parallel) continue;
    for (PlaceIndex place = parent; place < outline.places[parent].end; ++place) {
      if (outline.opcode(place) == opcode::tick_action && !outline.is_below(place, child)) return true;
    }
  }
  return false;
}

// What the game declares, it may listen to.
void find_unheard_events(TickAnalysis& analysis) {
  if (analysis.ticking().known_events) return;
  std::vector<bool> received;
  analysis.each(opcode::tick_send, [&](PlaceIndex place) {
    const bool goes_on = static_cast<Result>(analysis.node(place).flags & kResultMask) == Result::success;
    if (received.empty()) received = received_signals(analysis);
    const std::uint32_t signal = analysis.signal(place);
    if (!goes_on || received[signal] || analysis.event(signal).empty()) return;
    if (analysis.events.is_declared(analysis.event(signal))) return;
    if (analysis.meant_events.contains(analysis.event(signal))) return;
    if (may_action_hear(analysis.outline, place)) return;
    std::vector<std::string_view> names;
    for (std::uint32_t other = 0; other < received.size(); ++other) {
      if (received[other]) names.push_back(analysis.event(other));
    }
    analysis.report(rules::MBT_event_without_receiver, place,
                    analysis.name(place) + " has no effect: nothing in this tree receives the event " +
                        quote(analysis.event(signal)),
                    text::did_you_mean(analysis.event(signal), names));
  });
}

// ---- States that are never left -----------------------------------------------------------------

// Can something around the place interrupt it?
bool may_be_interrupted(const TickOutline& outline, PlaceIndex place) {
  for (PlaceIndex above = outline.places[place].parent; above != kNoPlace; above = outline.places[above].parent) {
    const Opcode opcode = outline.opcode(above);
    if (opcode == opcode::tick_priority) return true;
    if (opcode == opcode::tick_parallel && outline.outcome(above).can(kDone)) return true;
    if (opcode == opcode::tick_state && !outline.node(above).as<ir::EventTransitions>().transitions.empty())
      return true;
  }
  return false;
}

void find_states_never_left(TickAnalysis& analysis) {
  const TickOutline& outline = analysis.outline;
  analysis.each(opcode::tick_state, [&](PlaceIndex state) {
    const Place& place = outline.places[state];
    const ir::EventTransitions& own = analysis.node(state).as<ir::EventTransitions>();
    const bool is_left = std::any_of(own.transitions.begin(), own.transitions.end(),
                                     [&](const ir::EventTransition& each) { return each.target != place.number; });
    const bool is_alone = outline.places[place.parent].children.size() == 1;
    const bool is_end = outline.places[place.children[0]].children.empty();  // a leaf that never ends is meant so
    if (is_left || is_alone || is_end || outline.outcome(state).can(kDone)) return;
    if (analysis.has_fault_below(state) || may_be_interrupted(outline, place.parent)) return;
    Finding& finding =
        analysis.report(rules::MBT_state_never_left, state,
                        "the state " + quote(analysis.node(state).label) +
                            " is never left: it has no transition to another state, and its node never ends");
    finding.related.push_back({analysis.span(place.children[0]), "this never ends"});
  });
}

}  // namespace

void analyse_habits(TickAnalysis& analysis) {
  find_repeated_branches(analysis);
  find_unheard_events(analysis);
  find_states_never_left(analysis);
}

}  // namespace espalier::lint

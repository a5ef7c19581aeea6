// Walks through plain nodes: those that most trees mostly consist of, lists without scripts of their own and leaves,
// when nobody watches. What they do is defined by the other functions of PollWalk; this one does the same with less
// work. Nodes that begin and are done in one go leave no trace in the block. The walk leaves plain nodes for others,
// and for children that are skipped; before that it stores the nodes on the way from the one where it began, as
// running.
#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/place.h"
#include "poll/walk.h"

namespace espalier {
namespace {

bool is_in_order(Opcode opcode) { return opcode == opcode::poll_sequence || opcode == opcode::poll_fallback; }
bool is_reactive(Opcode opcode) {
  return opcode == opcode::poll_reactive_sequence || opcode == opcode::poll_reactive_fallback;
}
}  // namespace

// The list runs, and this child of it: those before it have answered.
void PollWalk::hold(Node list, Node child) {
  const Opcode opcode = opcode_of(list);
  const bool was_running = needs_halt(list);
  if (!was_running) agent_.set_status(list, PollStatus::running);
  if (!is_in_order(opcode)) return;
  const Places places(agent_.memory(list), list);
  const std::uint32_t before = was_running ? places.place() : 0;
  const std::uint32_t place = place_of(list, child);
  if (was_running && place == before) return;
  const Node from = child_at_place(list, before);
  const PollStatus goes_on = opcode == opcode::poll_sequence ? PollStatus::success : PollStatus::failure;
  for (Node other = from == nullptr ? first_child(list) : from; other < child; other = end_of(other)) {
    agent_.set_status(other, goes_on);
  }
  places.set(place, 0);
}

// All nodes from `top` to the parent of this one run.
void PollWalk::hold_path(Node top, Node node) {
  std::uint32_t level_count = 0;
  for (Node at = node; at != top; at = parent_of(at)) ++level_count;
  progress_.depth += level_count;
  std::uint32_t depth = progress_.depth;
  for (Node at = node; at != top; at = parent_of(at)) {
    const Node list = parent_of(at);
    Frame& frame = progress_.frames[--depth];
    frame = {};
    if (is_reactive(opcode_of(list)) && at != first_child(list)) frame.first = 1;
    hold(list, at);
  }
}

// The node begins, or goes on, as any node does.
PollWalk::Move PollWalk::leave_plain(Node top, Node node) {
  hold_path(top, node);
  node_ = node;
  frame() = {};
  return has_flag(node, kHasHooks) ? Move::execute : tick(Event::begin);
}

// The node has answered, and its parent goes on as any node does.
PollWalk::Move PollWalk::give_plain(Node top, Node node, PollStatus status) {
  hold_path(top, node);
  node_ = node;
  return give(status);
}

// A node that ran is done: it and its children are idle. False: a child must be halted before, and nothing has changed.
bool PollWalk::settle(Node list) {
  const Node end = end_of(list);
  for (Node child = first_child(list); child != end; child = end_of(child)) {
    if (needs_halt(child)) return false;
  }
  for (Node child = first_child(list); child != end; child = end_of(child)) agent_.set_status(child, PollStatus::idle);
  if (is_in_order(opcode_of(list))) Places(agent_.memory(list), list).set(0, 0);
  agent_.set_status(list, PollStatus::idle);
  return true;
}

// The leaf runs, and so do the nodes above it.
PollWalk::Move PollWalk::rest_plain(Node top, Node leaf) {
  const bool is_root = top == tree_.root();
  if (is_root && (rested_ & ~kGoesOn) == (kRests | node_number(leaf))) {  // as after the update before
    agent_.set_cursor(rested_);
    status_ = PollStatus::running;
    return Move::end;
  }
  constexpr auto kAction = static_cast<std::uint32_t>(opcode::poll_action);
  bool goes_on = tree_.record.timer_count == 0 && (leaf[0] & 0xFFFF) == kAction;
  agent_.set_status(leaf, PollStatus::running);
  for (Node node = leaf; node != top; node = parent_of(node)) {
    const Node list = parent_of(node);
    if (is_reactive(opcode_of(list))) {
      goes_on = false;
      for (Node other = first_child(list); other != end_of(list); other = end_of(other)) {
        if (other == node) continue;
        const PollStatus status = agent_.status(other);
        if (status == PollStatus::running) return give_plain(top, node, PollStatus::running);
        if (status != PollStatus::idle) agent_.set_status(other, PollStatus::idle);
      }
    }
    hold(list, node);
  }
  if (is_root) agent_.set_cursor(kRests | (goes_on ? kGoesOn : 0) | node_number(leaf));
  node_ = top;
  return give(PollStatus::running);
}

// Any leaf, with its scripts: status_ is its answer, unless the update has failed. False: it is halted first.
bool PollWalk::answer_leaf(Node leaf) {
  const PollStatus before = agent_.status(leaf);
  const bool has_hooks = has_flag(leaf, kHasHooks);
  node_ = leaf;
  status_ = PollStatus::none;
  if (has_hooks) {
    const Polled& polled = tree_.polled_of(leaf);
    if (before == PollStatus::running && polled.while_true != 0) return false;
    const bool has_conditions = (polled.failure_if | polled.success_if | polled.skip_if | polled.while_true) != 0;
    if (before == PollStatus::idle && has_conditions) status_ = precondition(leaf);
  }
  if (status_ == PollStatus::none && tick(Event::begin) == Move::end) return true;
  if (has_failed() || !is_completed(status_)) return true;
  if (has_hooks && !run_end_hooks(leaf)) return true;
  if (before != PollStatus::idle) agent_.set_status(leaf, status_);
  return true;
}

namespace {

// Does a list go on to its next child after a success? Of other plain nodes it has no meaning: they have one child.
bool goes_on_with_success(const std::uint32_t* list) {
  constexpr auto bit_of = [](Opcode opcode) { return std::uint64_t{1} << static_cast<unsigned>(opcode) % 64; };
  constexpr std::uint64_t kSequences = bit_of(opcode::poll_sequence) | bit_of(opcode::poll_reactive_sequence);
  return (kSequences >> list[0] % 64 & 1) != 0;
}

constexpr PollStatus completed(bool has_succeeded) { return has_succeeded ? PollStatus::success : PollStatus::failure; }

}  // namespace

// From node_ on, which is plain. Below a node that was idle all nodes are, and have nothing in the block.
PollWalk::Move PollWalk::walk_plain() {
  constexpr auto kAction = static_cast<std::uint32_t>(opcode::poll_action);
  constexpr auto kCondition = static_cast<std::uint32_t>(opcode::poll_condition);
  constexpr auto kScript = static_cast<std::uint32_t>(opcode::poll_script);
  static_assert(static_cast<std::uint32_t>(opcode::poll_sync_action) == kAction + 1);
  const Node top = node_;
  const Node first_node = tree_.nodes;
  const Records<Polled> polled = tree_.polled;
  const Behavior* const behaviors = caller_.host().behaviors;
  const Behavior* const conditions = caller_.host().conditions;
  const std::uint32_t action_kinds = behaviors != nullptr ? 2 : 0;
  caller_.remember({&progress_, 0});
  Node parent = top;
  Node idle = nullptr;  // the topmost node that was idle, if the present one is below such a node
  for (Node node = top;;) {
    // ---- A leaf, or the way down to its first one. Opcode and flags are tested in one
    bool has_succeeded = true;
    const std::uint32_t kind = node[0] & 0xFFFF;
    if (kind == kCondition && conditions != nullptr) {
      const std::uint32_t number = polled[operand<OperandKind::polled, EngineId::poll>(node)].host;
      const BoundBehavior bound =
          caller_.plain_behavior(conditions[number], number, static_cast<std::uint32_t>(node - first_node));
      const Result result = bound.tick(Result::success);
      if (has_failed()) return fail(node, progress_.call.fault);
      has_succeeded = result == Result::success;
      if (result == Result::running) return rest_plain(top, node);
      if (result == Result::skipped) return give_plain(top, node, PollStatus::skipped);
    } else if (kind - kAction < action_kinds) {
      const PollStatus before = idle == nullptr && kind == kAction ? agent_.status(node) : PollStatus::idle;
      has_succeeded = before == PollStatus::success;
      if (!is_completed(before)) {
        const std::uint32_t number = polled[operand<OperandKind::polled, EngineId::poll>(node)].host;
        const BoundBehavior bound =
            caller_.plain_behavior(behaviors[number], number, static_cast<std::uint32_t>(node - first_node));
        const Result result = ask(bound, before);
        if (has_failed()) return fail(node, progress_.call.fault);
        has_succeeded = result == Result::success;
        if (result == Result::running)
          return opcode_of(node) == opcode::poll_action ? rest_plain(top, node) : fail(node, PollFault::bad_answer);
        if (result == Result::skipped) return give_plain(top, node, PollStatus::skipped);
        if (before != PollStatus::idle) agent_.set_status(node, PollStatus::idle);
      }
    } else if (is_plain(node)) {
      parent = node;
      node = first_child(node);
      if (idle != nullptr) continue;
      const PollStatus before = agent_.status(parent);
      if (is_completed(before)) return leave_plain(top, parent);
      if (before == PollStatus::idle) idle = parent;
      if (before == PollStatus::running && is_in_order(opcode_of(parent))) {
        const Places places(agent_.memory(parent), parent);
        node = child_at_place(parent, places.place());
        if (node == nullptr || places.skips() != 0) return leave_plain(top, parent);
      }
      continue;
    } else if (kind == kScript) {
      if (!run_hook(node, tree_.polled_of(node).script)) return Move::end;
    } else {
      if (opcode_of(node) < opcode::poll_result || !answer_leaf(node)) return leave_plain(top, node);
      if (has_failed()) return Move::end;
      if (status_ == PollStatus::running) return rest_plain(top, node);
      if (status_ == PollStatus::skipped) return give_plain(top, node, status_);
      has_succeeded = status_ == PollStatus::success;
    }
    // ---- Up, to the next child
    Node next = node + kPolledWords;
    while (next == end_of(parent) || has_succeeded != goes_on_with_success(parent)) {
      if (idle == nullptr && needs_halt(parent) && !settle(parent))
        return give_plain(top, node, completed(has_succeeded));
      node = parent;
      next = end_of(node);
      if (opcode_of(node) == opcode::poll_invert) has_succeeded = !has_succeeded;
      if (node == top) {
        node_ = top;
        return give(completed(has_succeeded));
      }
      if (node == idle) idle = nullptr;
      parent = parent_of(node);
    }
    node = next;
  }
}

}  // namespace espalier
